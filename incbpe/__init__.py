"""Incremental BPE (arXiv 2605.30813): the last token of every prefix in O(log² t) a byte, exactly standard BPE."""
from incbpe.automaton import SuffixAutomaton
from incbpe.bpe import T, apply_rule, rank_bpe
from incbpe.bytepair import BPE
from incbpe.centroid import CentroidTree
from incbpe.dictionary import Dictionary, DictionaryError
from incbpe.eager import EagerOutput
from incbpe.idtree import IdTree
from incbpe.model import Config, Model
from incbpe.normalize import Normalized, normalize
from incbpe.pieceoutput import PieceOutput
from incbpe.prefixes import Prefixes
from incbpe.stream import Stream
from incbpe.streamdecoder import StreamDecoder
from incbpe.successor import SuccessorForest
from incbpe.sufsuc import SuffixSuccessorTree
from incbpe.textprefixes import TextPrefixes
from incbpe.theta import Checkpoint, Incremental, theta
from incbpe.tokentree import TokenTree
from incbpe.unstable import Unstable
from subwordio.defaults import FILE
from subwordio.encoding import NO_WORD, Encoding
from subwordio.ids import TokenIds
from subwordio.lists import TokenLists

__all__ = [
    "BPE",
    "FILE",
    "NO_WORD",
    "CentroidTree",
    "Checkpoint",
    "Config",
    "Dictionary",
    "DictionaryError",
    "EagerOutput",
    "Encoding",
    "IdTree",
    "Incremental",
    "Model",
    "Normalized",
    "PieceOutput",
    "Prefixes",
    "Stream",
    "StreamDecoder",
    "SuccessorForest",
    "SuffixAutomaton",
    "SuffixSuccessorTree",
    "T",
    "TextPrefixes",
    "TokenIds",
    "TokenLists",
    "TokenTree",
    "Unstable",
    "apply_rule",
    "normalize",
    "rank_bpe",
    "theta",
]
