"""python -m proofs: check every statement of both papers, or some, or on a vocabulary of your own.

Without options all statements are checked as `make proofs` does: their enumerations, random worlds, and planted faults
that must be caught. Exit codes: 0 all hold, 1 something fails or a file is bad, 2 wrong usage, 130 interrupted.
"""
import argparse
import os
import sys
import time
from pathlib import Path

from proofs import check, controls, drawing, report, running, workers
from proofs.live import Lines
from proofs.running import EXAMPLES, Options, Task
from proofs.verdicts import CONTROL, Outcome, Verdict, title_of


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("python -m proofs", description="Check the statements of the papers.")
    made.add_argument("--only", nargs="+", metavar="NAME", help="statements whose files' names begin so, such as "
                      "lemma_4 or bpe_theorem; lemma_4.test_random is that check alone")
    made.add_argument("--exhaustive", type=int, metavar="LEVEL", choices=range(4), help="how much of the enumerations: "
                      "0 a hundredth of 2 (seconds), 1 a tenth, 2 what make proofs checks (default), 3 whole worlds")
    made.add_argument("--quick", action="store_true", help="the same as --exhaustive 0: all planted faults, seconds")
    made.add_argument("--examples", type=natural, metavar="N", help="random worlds of each check (default: 0, 40, 150 "
                      "or 1000 by level)")
    made.add_argument("--seed", type=natural, default=0, metavar="S", help="of the random worlds (default 0); the same "
                      "seed draws the same worlds")
    made.add_argument("--deep", nargs="?", const="1h", type=duration, metavar="TIME", help="then draw random worlds "
                      "for so long: 1h (default), 90m, …")
    made.add_argument("--jobs", type=positive, default=1, metavar="N", help="processes (default 1)")
    made.add_argument("--json", type=Path, metavar="FILE", help="write all counts, verdicts and counterexamples there")
    made.add_argument("--controls", action="store_true", help="the planted faults only, each with its counterexample")
    made.add_argument("--vocab", metavar="FILE", help="check the statements on a tokenizer's vocabulary and report on "
                      "it: vocab.txt, tokenizer.json, .tiktoken, tekken.json, vocab.json beside its merges.txt")
    return made


def natural(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number")
    return int(text)


def positive(text: str) -> int:
    if natural(text) == 0:
        raise argparse.ArgumentTypeError("expected at least 1")
    return int(text)


def duration(text: str) -> float:
    try:
        return drawing.duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def chosen(paths: list[Path], names: list[str] | None) -> tuple[list[Path], dict[str, list[str]]]:
    """The statements that names begin, and of each which checks; ValueError for a name that begins none."""
    if names is None:
        return paths, {}
    wanted: dict[str, list[str]] = {}
    for name in names:
        statement, _, only = name.partition(".")
        found = [path.stem for path in paths if path.stem.startswith(statement)]
        if not found or (only and not any(hasattr(check.load(path), only) for path in paths if path.stem in found)):
            raise ValueError(f"--only {name}: no statement's file begins so" if not found else
                             f"--only {name}: {', '.join(found)} has no check {only}")
        for stem in found:
            wanted.setdefault(stem, []).append(only)
    return [path for path in paths if path.stem in wanted], wanted


def run(paths: list[Path], tasks: list[Task], jobs: int, lines: Lines) -> list[Verdict]:
    """Run the tasks and print each statement when its turn has come and its last check has ended."""
    left = {path.stem: [task.check for task in tasks if task.path == path] for path in paths}
    outcomes: dict[str, dict[str, Outcome]] = {path.stem: {} for path in paths}
    verdicts: list[Verdict] = []

    def print_ended() -> None:
        for path in paths[len(verdicts):]:
            done = outcomes[path.stem]
            if len(done) < len(left[path.stem]):
                return
            verdicts.append(Verdict(path.stem, title_of(path, check.load(path).__doc__),
                                    [done[name] for name in left[path.stem]]))
            lines.ended(verdicts[-1])

    for outcome in workers.work(tasks, jobs, paths, lines.started):
        outcomes[outcome.statement][outcome.check] = outcome
        print_ended()
    print_ended()
    return verdicts


def main(arguments: list[str] | None = None, files: list[Path] | None = None) -> int:
    """Run; `files` are the statements to choose from, all of them unless told otherwise."""
    usage = parser()
    options = usage.parse_args(arguments)
    if options.quick and options.exhaustive:
        usage.error("--quick is --exhaustive 0")
    try:
        return start(options, files or check.statement_files(), usage)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def start(options: argparse.Namespace, files: list[Path], usage: argparse.ArgumentParser) -> int:
    began = time.perf_counter()
    level = check.QUICK if options.quick else check.LEVEL if options.exhaustive is None else options.exhaustive
    examples = EXAMPLES[level] if options.examples is None else options.examples
    if not running.can_draw() and (options.examples or options.deep is not None):
        usage.error(running.NO_HYPOTHESIS)
    running.prepare(files)
    try:
        paths, wanted = chosen(files, options.only)
    except ValueError as error:
        usage.error(str(error))
    if options.vocab is not None:
        from proofs.vocabulary_report import main as check_vocabulary

        return check_vocabulary(options.vocab, paths, options)
    if options.controls:
        wanted, level, examples = {path.stem: [CONTROL] for path in paths}, check.QUICK, 0
    run_options = Options(level, examples, options.seed)
    tasks = report.tasks_of(paths, run_options, wanted)
    lines = Lines([title_of(path, check.load(path).__doc__) for path in paths])
    if options.controls:
        outcomes = list(workers.work(tasks, options.jobs, paths, lines.started))
        verdicts = [Verdict(path.stem, title_of(path, check.load(path).__doc__),
                            [outcome for outcome in outcomes if outcome.statement == path.stem]) for path in paths]
        failed = controls.matrix(verdicts, lines) > 0
    else:
        lines.header()
        verdicts = run(paths, tasks, options.jobs, lines)
        if options.deep is not None:
            drawing.draw_on(verdicts, tasks, options.deep - (time.perf_counter() - began), options.jobs, lines)
            lines.say()
            lines.header()
            for verdict in verdicts:
                lines.ended(verdict)
        failed = any(not verdict.holds for verdict in verdicts)
        for reason in dict.fromkeys(reason for verdict in verdicts for reason in verdict.skipped):
            lines.say(f"\nnot all was checked: {reason}")
            failed = True
        if not running.can_draw() and level == check.QUICK:
            lines.say(f"\nno random worlds: {running.NO_HYPOTHESIS}")
        for line in report.distribution(verdicts):
            lines.say(f"\nrandom {line}")
        lines.say(f"\n{report.total(verdicts)}; {time.perf_counter() - began:.0f} s")
    if options.json is not None:
        try:
            options.json.write_text(report.as_json(verdicts, run_options, time.perf_counter() - began), "utf-8")
        except OSError as error:
            print(error, file=sys.stderr)
            return 1
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
