"""How a statement's file checks its worlds, the ledger of what was checked, and how a file runs alone."""
import faulthandler
import importlib
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path
from types import ModuleType
from typing import Any

DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
"""Whether the long form of the checks was asked for (HYPOTHESIS_PROFILE=deep)."""

LEDGER: Counter[tuple[str, str]] = Counter()
"""What was checked, by statement file and kind: `worlds` and `strings` of the enumerations, `random` worlds."""

PATIENCE = 100_000 if DEEP else 900
"""Seconds after which a sweep is taken for endless; on an idle machine it takes half a minute at most."""

KINDS = ("equation", "definition", "lemma", "theorem", "section", "algorithm", "proposition", "cost")
"""The kinds of statements. A `section` is a statement of a paper that has no number but its section's, a `proposition`
one of ours."""
SECOND = "bpe_"
"""How the files about the second paper begin; what follows is named as the first paper's are: kind, number, gist."""
HERE = Path(__file__).parent


class RefutedError(AssertionError):
    """A statement does not hold in some world; the message is the witness."""


def every_nth(worlds: Iterable[Any], n: int) -> Iterator[Any]:
    """The first of every n worlds: a sample that keeps the order by size."""
    return islice(worlds, 0, None, n)


def sweep(worlds: Iterable[Any], predicate: Callable[[Any], Any], count: int, every: int = 1, strings: int = 1) -> int:
    """Check the first of every `every` worlds; `count` says how many there are before that sampling.

    `predicate` returns None or a witness; `strings` says how many strings it tries in each world, for the ledger.
    The deep form samples nothing.
    """
    every = 1 if DEEP else every
    checked = 0

    def check_all() -> None:
        nonlocal checked
        for world in every_nth(worlds, every):
            witness = predicate(world)
            if witness is not None:
                raise RefutedError(witness)
            checked += 1

    ending(PATIENCE, check_all)
    expected = -(-count // every)
    if checked != expected:
        raise AssertionError(f"{checked} worlds were checked, {expected} expected")
    statement = Path(sys._getframe(1).f_code.co_filename).stem
    LEDGER[statement, "worlds"] += checked
    LEDGER[statement, "strings"] += checked * strings
    return checked


def hold(witness: Any) -> None:
    """Check one random world: its predicate's result must be None."""
    if witness is not None:
        raise RefutedError(witness)
    LEDGER[Path(sys._getframe(1).f_code.co_filename).stem, "random"] += 1


def ending(seconds: float, function: Callable[[], Any]) -> Any:
    """Run compiled code that a fault could make endless. No exception reaches such a loop: the process is ended, with
    a trace of where it was, when the time is up.
    """
    faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__ or sys.stderr)
    try:
        return function()
    finally:
        faulthandler.cancel_dump_traceback_later()


def first(worlds: Iterable[Any], predicate: Callable[[Any], Any]) -> Any:
    """The first counterexample, as the worlds are ordered by size; None if there is none."""
    return next((witness for witness in map(predicate, worlds) if witness is not None), None)


# ------------------------------------------------------------------------------------------------ statements as files

@dataclass
class Verdict:
    """What running one statement's file gave."""

    statement: str
    title: str
    failures: list[str]
    controls: int
    caught: int
    seconds: float

    @property
    def holds(self) -> bool:
        return not self.failures


def kind_and_number(statement: str) -> tuple[str, str]:
    """What a statement's file is called, without its gist.

    >>> kind_and_number("lemma_3_one_step"), kind_and_number("bpe_theorem_4_2_monotonic_path")
    (('lemma', '3'), ('theorem', '4.2'))
    """
    kind, *rest = statement.removeprefix(SECOND).split("_")
    return kind, ".".join(takewhile(str.isdigit, rest))


def statement_files() -> list[Path]:
    """The files of the statements, in reading order: the first paper's, then the second's."""
    files = [(path, kind_and_number(path.stem)) for path in HERE.glob("*_*.py")]
    return [path for path, _ in sorted(
        ((path, named) for path, named in files if named[0] in KINDS),
        key=lambda file: (file[0].stem.startswith(SECOND), KINDS.index(file[1][0]), file[0].stem))]


def load(path: Path) -> ModuleType:
    return importlib.import_module(f"proofs.{path.stem}")


def run(path: Path, every: int | None = None) -> Verdict:
    """Run a statement's checks as pytest would; with `every`, only a sample of the worlds, and the controls."""
    began = time.perf_counter()
    module = load(path)
    failures: list[str] = []
    controls = caught = 0
    for name, check in vars(module).items():
        if not name.startswith("test_") or (every is not None and not name.startswith("test_control_")):
            continue
        control = name.startswith("test_control_")
        controls += control
        try:
            check()
            caught += control
        except Exception as error:
            failures.append(f"{name}: {type(error).__name__}: {error}")
    if every is not None:
        try:
            module.exhaustive(every)
        except Exception as error:
            failures.append(f"exhaustive: {type(error).__name__}: {error}")
    title = (module.__doc__ or path.stem).splitlines()[0]
    return Verdict(path.stem, title, failures, controls, caught, time.perf_counter() - began)


def quiet_hypothesis() -> None:
    """Random checks outside pytest: derandomised, without a data base on disk."""
    from hypothesis import HealthCheck, settings

    settings.register_profile("proofs", max_examples=20_000 if DEEP else 150, derandomize=not DEEP, database=None,
                              deadline=None, suppress_health_check=list(HealthCheck))
    settings.load_profile("proofs")


def alone(file: str) -> None:
    """Run one file as a script: `python proofs/lemma_….py`."""
    from proofs.report import table

    quiet_hypothesis()
    verdict = run(Path(file))
    print(table([verdict]))
    raise SystemExit(0 if verdict.holds else 1)
