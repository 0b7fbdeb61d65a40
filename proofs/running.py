"""Running one check of a statement's file as the options of the run want it.

The enumerations take the level from `check.LEVEL`; random checks get their number of examples and their seed here, so
that a seed and a number of examples name the same worlds in every process. Hypothesis takes some of its draws from the
constants of the modules that are loaded; therefore all statements are loaded, also where one of them runs.
"""
import ast
import inspect
import shlex
import sys
import textwrap
import time
import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from proofs import check
from proofs.check import FOUND, LEDGER, RefutedError
from proofs.verdicts import CONTROL, Outcome

try:
    import hypothesis
except ModuleNotFoundError:
    hypothesis = None  # type: ignore[assignment]

EXAMPLES = {check.QUICK: 0, 1: 40, check.USUAL: 150, check.WHOLE: 1_000}
"""Random worlds of each random check, by level, unless told otherwise."""
NO_HYPOTHESIS = "random worlds are drawn by the package hypothesis, which is not installed (pip install hypothesis)"


@dataclass(frozen=True)
class Options:
    """What a run does: how much of the enumerations, how many random worlds of each check, and from which seed."""

    level: int = check.LEVEL
    examples: int = EXAMPLES[check.LEVEL]
    seed: int = 0
    prefix: str = "python -m proofs"
    """the command, for the line that repeats a failure"""


@dataclass(frozen=True)
class Task:
    """One check to run."""

    path: Path
    check: str
    options: Options


def is_random(function: Any) -> bool:
    """Whether a check draws random worlds (with Hypothesis, or would if it were there)."""
    return hasattr(function, "hypothesis") or getattr(function, "needs_hypothesis", False)


def checks_of(module: ModuleType, options: Options, wanted: Iterable[str] = ("",)) -> list[str]:
    """The checks of a statement's file that a run makes, in the file's order: of those whose names begin as wanted.

    At the quick level these are the enumeration and the controls, and the random checks if examples are asked for.
    """
    found = []
    for name, function in vars(module).items():
        if not name.startswith("test_") or not name.startswith(tuple(wanted)):
            continue
        quick = options.level == check.QUICK and "" in wanted
        if is_random(function):
            if options.examples > 0:
                found.append(name)
        elif not quick or name == "test_exhaustive" or name.startswith(CONTROL):
            found.append(name)
    return found


def can_draw() -> bool:
    """Whether random worlds can be drawn."""
    return hypothesis is not None


def prepare(paths: Iterable[Path]) -> None:
    """Load all statements, and those of `paths`, so that random draws are the same whatever else runs."""
    for path in [*check.statement_files(), *paths]:
        check.load(path)


def run(task: Task) -> Outcome:
    """Run one check as pytest would: a warning is an error, and so is an exception that compiled code swallowed."""
    function = getattr(check.load(task.path), task.check)
    outcome = Outcome(task.path.stem, task.check)
    before, seen, level, began = LEDGER.copy(), len(FOUND), check.LEVEL, time.perf_counter()
    check.LEVEL = task.options.level
    swallowed: list[str] = []
    hook, sys.unraisablehook = sys.unraisablehook, lambda lost: swallowed.append(f"{lost.err_msg}: {lost.exc_value!r}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            if not is_random(function):
                function()
            elif hypothesis is None:
                outcome.skipped = NO_HYPOTHESIS
            else:
                draw(function, task.options)
        if swallowed:
            raise AssertionError(f"an exception was swallowed: {swallowed[0]}")
    except Exception as error:
        outcome.failure = f"{type(error).__name__}: {error}"
        outcome.witness = parts(error)
    finally:
        check.LEVEL, sys.unraisablehook = level, hook
    outcome.seconds = time.perf_counter() - began
    done = LEDGER - before
    outcome.counts = Counter({what: count for (statement, what), count in done.items()
                              if statement == task.path.stem and count})
    if outcome.control and outcome.holds:
        outcome.counterexample, outcome.failure = caught_with(function, FOUND[seen:])
    outcome.repeat = "" if outcome.holds else repeat(task, is_random(function))
    return outcome


def draw(function: Any, options: Options) -> None:
    """Run a random check on so many worlds from a seed. What is set on it is taken back, so that it can run again."""
    from hypothesis import HealthCheck, Phase, settings

    before = dict(vars(function))
    wanted = settings(
        max_examples=options.examples, database=None, deadline=None, derandomize=False, print_blob=False,
        report_multiple_bugs=False, phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck))
    try:
        hypothesis.seed(options.seed)(wanted(function))()
    finally:
        vars(function).clear()
        vars(function).update(before)


def parts(error: Exception) -> tuple[str, ...]:
    """A refutation's witness, part by part: the world, where in it, and the two sides last."""
    if not isinstance(error, RefutedError) or not error.args:
        return ()
    witness = error.args[0]
    return tuple(map(repr, witness)) if isinstance(witness, tuple) else (repr(witness),)


def caught_with(control: Any, found: list[Any]) -> tuple[str, str]:
    """What caught a control's fault, and what is wrong if nothing did although the control ran through.

    Mostly that is the last thing that `check.first` found; a control that compares otherwise asserts it literally.
    """
    if found:
        return (repr(found[-1]), "") if found[-1] is not None else ("", "NOT CAUGHT: no world refutes it")
    asserted = [node.test.comparators[-1] for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(control))))
                if isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare)]
    shown = [ast.unparse(value) for value in asserted if not (isinstance(value, ast.Constant) and not value.value)]
    return (shown[-1], "") if shown else ("", "NOT CAUGHT: it asserts no counterexample")


def repeat(task: Task, random: bool) -> str:
    """The command that runs one check alone on the same worlds, and so finds the same counterexample."""
    options = task.options
    chosen = f"--seed {options.seed} --examples {options.examples}" if random else f"--exhaustive {options.level}"
    if task.path.parent == check.HERE:
        return f"{options.prefix} --only {task.path.stem}.{task.check} {chosen}"
    return f"python {shlex.quote(str(task.path))} --only {task.path.stem}.{task.check} {chosen}"
