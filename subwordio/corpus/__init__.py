"""Corpora on one machine: files of text in, shards of token ids out, by all cores and in bounded memory.

Each module has one idea, and uses those above it only:

    recipe      what is asked for: everything that decides about the output
    streams     the bytes of a file, plain, gzip or zstandard, in bounded memory
    blocks      an input in blocks of whole documents; where they are cut depends on the input alone
    rows        the same for Parquet
    documents   the documents of a block, and those that are damaged
    sinks       a file under a temporary name, with its checksum
    shards      ids as a flat file and its index
    tables      ids as Arrow or Parquet
    journal     which shards are done, so that a killed run goes on; the manifest
    meter       how far a run is
    run         threads that read, encode and write
    verify      reads a corpus again, and checks all that the manifest says
    command     the command `corpus`
"""
from subwordio.corpus.recipe import Recipe
from subwordio.corpus.run import make_corpus
from subwordio.corpus.verify import faults_of

__all__ = ["Recipe", "faults_of", "make_corpus"]
