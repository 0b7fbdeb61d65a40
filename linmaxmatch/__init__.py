"""Fast WordPiece tokenization (arXiv 2012.15524): LinMaxMatch, symbol for symbol, and as a fast tokenizer.

The notation layer follows the paper: vocabulary, trie, maxmatch, minpop, failure, onestep, matchloop, transducer,
endtoend. The engine, `WordPiece`, is the same automaton laid out for speed.
"""
from linmaxmatch.default import default_vocabulary_path
from linmaxmatch.endtoend import EndToEnd, e2e_wordpiece, is_punctuation, is_whitespace, precompute_e2e
from linmaxmatch.failure import F, Tables, f, failure_link, failure_pops, precompute
from linmaxmatch.matchloop import Steps, lin_max_match, match_loop
from linmaxmatch.maxmatch import M, max_match, original_wordpiece
from linmaxmatch.minpop import G, g, min_pop_node, min_pop_tokens
from linmaxmatch.onestep import H, h, one_step_node, one_step_tokens
from linmaxmatch.transducer import Transducer
from linmaxmatch.trie import Trie
from linmaxmatch.vocabulary import (
    Vocabulary,
    VocabularyError,
    length,
    longest_matching_prefix,
    p,
    q,
    rest_after_prefix,
)
from linmaxmatch.wordpiece import FILE, PROFILE, WordPiece
from subwordio.encoding import NO_WORD, Encoding

__all__ = [
    "FILE",
    "NO_WORD",
    "PROFILE",
    "Encoding",
    "EndToEnd",
    "F",
    "G",
    "H",
    "M",
    "Steps",
    "Tables",
    "Transducer",
    "Trie",
    "Vocabulary",
    "VocabularyError",
    "WordPiece",
    "default_vocabulary_path",
    "e2e_wordpiece",
    "f",
    "failure_link",
    "failure_pops",
    "g",
    "h",
    "is_punctuation",
    "is_whitespace",
    "length",
    "lin_max_match",
    "longest_matching_prefix",
    "match_loop",
    "max_match",
    "min_pop_node",
    "min_pop_tokens",
    "one_step_node",
    "one_step_tokens",
    "original_wordpiece",
    "p",
    "precompute",
    "precompute_e2e",
    "q",
    "rest_after_prefix",
]
