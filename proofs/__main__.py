"""python -m proofs [--quick] [STATEMENT …] [--vocab FILE]: run the checks and print what they say.

Without arguments every statement is checked on all its worlds. `--quick` takes the first of every hundred worlds. A
STATEMENT is (the beginning of) a file's name: `lemma_4`, `algorithm`, `bpe_theorem`. `--vocab FILE` checks the
statements on that vocabulary instead: LinMaxMatch's on the trie of a vocab.txt, incremental BPE's on a .tiktoken file,
a tokenizer.json or a tekken.json. The exit code is 1 if anything failed.
"""
import argparse
import sys

from proofs import check, report


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m proofs", description="Check the statements of the papers.")
    parser.add_argument("statements", nargs="*", metavar="STATEMENT", help="only files whose names begin so")
    parser.add_argument("--quick", action="store_true", help="a sample of the worlds, all planted faults; seconds")
    parser.add_argument("--vocab", metavar="FILE", help="check the statements on a vocab.txt, or on the BPE of "
                        "a .tiktoken file, a tokenizer.json or a tekken.json")
    parser.add_argument("--indicator", default="##", help="its suffix indicator (default ##)")
    parser.add_argument("--unk", default="[UNK]", help="its unknown token (default [UNK])")
    options = parser.parse_args(arguments)
    if options.vocab and not options.vocab.endswith(".txt"):
        from proofs.bpe_vocabulary_check import main as check_bpe

        return check_bpe(options.vocab)
    if options.vocab:
        from proofs.vocabulary_check import main as check_vocabulary

        return check_vocabulary(options.vocab, options.indicator, options.unk)
    if options.quick and not options.statements:
        said = report.summary()
        print(said)
        return 0 if said.endswith("all hold") else 1
    paths = [path for path in check.statement_files()
             if not options.statements or path.stem.startswith(tuple(options.statements))]
    if not paths:
        parser.error(f"no statement's file begins with {' or '.join(options.statements)}")
    if not options.quick:
        check.quiet_hypothesis()
    verdicts = []
    for path in paths:
        if sys.stderr.isatty():
            print(f"\r\033[K{path.stem} …", end="", file=sys.stderr, flush=True)
        verdicts.append(check.run(path, 100 if options.quick else None))
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    print(report.table(verdicts))
    worlds = sum(count for (_, kind), count in check.LEDGER.items() if kind != "strings")
    failed = sum(not verdict.holds for verdict in verdicts)
    print(f"\n{len(verdicts)} statements, {worlds:,} worlds: {f'{failed} FAIL' if failed else 'all hold'}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
