"""The edges that both papers' packages share: texts in, ids out, batches over threads, files. Knows neither paper."""
from subwordio.added import AddedToken
from subwordio.errors import FormatError, TokenIdError
from subwordio.ids import TokenIds
from subwordio.lists import TokenLists
from subwordio.matrix import Matrix
from subwordio.padding import Padding, Truncation
from subwordio.template import Template
from subwordio.texts import Texts

__all__ = ["AddedToken", "FormatError", "Matrix", "Padding", "Template", "Texts", "TokenIdError", "TokenIds",
           "TokenLists", "Truncation"]
