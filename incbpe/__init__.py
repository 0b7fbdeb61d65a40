"""Incremental BPE (arXiv 2605.30813): the last token of every prefix in O(log² t) a byte, exactly standard BPE."""
