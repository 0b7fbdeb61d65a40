"""How a statement's file checks its worlds, and the ledger of what was checked.

A statement's file calls `sweep` for its enumerations, `hold` for each random world, `first` for its controls, and
`alone` when it is run as a script. What a run wants of them, how many of the enumerated worlds, is `LEVEL`.
"""
import faulthandler
import importlib
import importlib.util
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, takewhile
from pathlib import Path
from types import ModuleType
from typing import Any

DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
"""Whether the long form of the checks was asked for (HYPOTHESIS_PROFILE=deep)."""

LEVELS = {0: 100, 1: 10, 2: 1}
"""By level, of how many worlds of a statement's sample the first is taken; beyond these levels nothing is sampled."""
QUICK, USUAL, WHOLE = 0, 2, 3

LEVEL = WHOLE if DEEP else USUAL
"""How much of the enumerations is checked now."""

LEDGER: Counter[tuple[str, str]] = Counter()
"""What was checked, by statement file and kind: `worlds` and `strings` of the enumerations, `random` worlds."""

FOUND: list[Any] = []
"""The counterexamples that `first` met, in order: what the controls are caught with."""

PATIENCE = {QUICK: 900, 1: 900, USUAL: 900}
"""By level, the seconds after which a sweep is taken for endless; on an idle machine it takes half a minute at most."""

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


def stride(every: int) -> int:
    """Of how many worlds the first is checked at the present level, where a statement samples one in `every`.

    >>> stride(4)
    4
    """
    return every * LEVELS[LEVEL] if LEVEL in LEVELS else 1


def sweep(worlds: Iterable[Any], predicate: Callable[[Any], Any], count: int, every: int = 1, strings: int = 1) -> int:
    """Check the first of every `every` worlds; `count` says how many there are before that sampling.

    `predicate` returns None or a witness; `strings` says how many strings it tries in each world, for the ledger.
    """
    every = stride(every)
    checked = 0

    def check_all() -> None:
        nonlocal checked
        for world in every_nth(worlds, every):
            witness = predicate(world)
            if witness is not None:
                raise RefutedError(witness)
            checked += 1

    ending(PATIENCE.get(LEVEL, 100_000), check_all)
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
    found = next((witness for witness in map(predicate, worlds) if witness is not None), None)
    FOUND.append(found)
    return found


# ------------------------------------------------------------------------------------------------ statements as files

def kind_and_number(statement: str) -> tuple[str, str]:
    """What a statement's file is called, without its gist.

    >>> kind_and_number("lemma_3_one_step"), kind_and_number("bpe_theorem_4_2_monotonic_path")
    (('lemma', '3'), ('theorem', '4.2'))
    """
    kind, *rest = statement.removeprefix(SECOND).split("_")
    return kind, ".".join(takewhile(str.isdigit, rest))


def statement_files(folder: Path = HERE) -> list[Path]:
    """The files of the statements, in reading order: the first paper's, then the second's."""
    files = [(path, kind_and_number(path.stem)) for path in folder.glob("*_*.py")]
    return [path for path, _ in sorted(
        ((path, named) for path, named in files if named[0] in KINDS),
        key=lambda file: (file[0].stem.startswith(SECOND), KINDS.index(file[1][0]),
                          [int(number) for number in file[1][1].split(".") if number], file[0].stem))]


def load(path: Path) -> ModuleType:
    """The module of a statement's file; one beside the other statements is `proofs.<name>`."""
    if path.parent == HERE:
        return importlib.import_module(f"proofs.{path.stem}")
    name = f"statement_{path.stem}"
    if name not in sys.modules or sys.modules[name].__file__ != str(path):
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def alone(file: str) -> None:
    """Run one file alone: `python -m proofs.lemma_…`, with the options of `python -m proofs`."""
    from proofs.__main__ import main

    raise SystemExit(main(sys.argv[1:], [Path(file).resolve()]))
