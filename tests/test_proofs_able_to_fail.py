"""No check of proofs/ may be empty: with the body of any checking function taken out, something of its file fails.

Three sides. What a checker says: if it said None always, or did not look at one of the conditions under which it gives
a witness, one of the file's controls would not find its fault any more, among the same worlds as before. That it is
asked: if it refuted whatever it is shown, the enumeration would fail. And how much it is shown: every enumeration has
as many worlds as the file says.
"""
import ast
import copy
import functools
import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import ModuleType
from typing import Any

import pytest

from proofs import check

STATEMENTS = [path.stem for path in check.statement_files()]
PLANTED = ("planted", "by the test")
HOLDERS = ("holds_compiled", "holds_plain", "compiled_agrees")
"""What goes through checkers, with nothing of its own that a control could be shown."""


def module_of(statement: str) -> ModuleType:
    return importlib.import_module(f"proofs.{statement}")


def own_functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    return {name: value for name, value in vars(module).items()
            if callable(value) and getattr(value, "__module__", "") == module.__name__ and not isinstance(value, type)}


def checkers(module: ModuleType) -> list[str]:
    """The functions that return None or a witness: their descriptions begin so."""
    return [name for name, value in own_functions(module).items()
            if (value.__doc__ or "").startswith("None if") and not name.startswith("test_")]


def controls(module: ModuleType) -> list[str]:
    return [name for name in own_functions(module) if name.startswith("test_control_")]


class Counted:
    """In place of `check.first`: counts the worlds that each call takes, or takes no more than were counted."""

    def __init__(self, limits: list[int] | None = None) -> None:
        self.limits, self.counts = limits, []

    def __call__(self, worlds: Iterable[Any], predicate: Callable[[Any], Any]) -> Any:
        most = None if self.limits is None else self.limits[min(len(self.counts), len(self.limits) - 1)]
        self.counts.append(0)
        for world in islice(worlds, most):
            self.counts[-1] += 1
            witness = predicate(world)
            if witness is not None:
                return witness
        return None


@functools.cache
def counts(control: Callable[[], None]) -> list[int]:
    """The worlds that each call of `check.first` takes in a control."""
    counted = Counted()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(check, "first", counted)
        control()
    return counted.counts


def says_none(*_: Any, **__: Any) -> None:
    """In place of a checker."""


def caught_by(module: ModuleType, checker: str, monkeypatch: pytest.MonkeyPatch,
              instead: Callable[..., Any] = says_none) -> str | None:
    """The first control that fails with something else in place of a checker."""
    for control in controls(module):
        limits = counts(getattr(module, control))
        with monkeypatch.context() as patched:
            patched.setattr(check, "first", Counted(limits))
            patched.setattr(module, checker, instead)
            try:
                getattr(module, control)()
            except (AssertionError, TypeError):
                return control
    return None


def conditions(tree: ast.Module) -> Iterator[tuple[ast.If | ast.BoolOp, Any]]:
    """Where the conditions under which a function gives a witness stand: each `if`, or each operand of its `or`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and any(isinstance(part, ast.Return) and ast.unparse(part) not in
                                            ("return", "return None") for part in node.body):
            if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or):
                yield from ((node.test, k) for k in range(len(node.test.values)))
            else:
                yield node, None


def without_a_condition(function: Callable[..., Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """A function with one of those conditions taken for false: which, and what is then left."""
    tree = ast.parse(inspect.getsource(function))
    for n in range(len(list(conditions(tree)))):
        changed = copy.deepcopy(tree)
        node, k = list(conditions(changed))[n]
        if isinstance(node, ast.If):
            gone, node.test = node.test, ast.Constant(False)
        else:
            gone, node.values[k] = node.values[k], ast.Constant(False)
        made: dict[str, Any] = {}
        exec(compile(ast.fix_missing_locations(changed), function.__name__, "exec"), function.__globals__, made)
        yield ast.unparse(gone), made[function.__name__]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_checker_that_says_nothing_is_missed(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = module_of(statement)
    assert "predicate" in checkers(module)
    for checker in checkers(module):
        assert caught_by(module, checker, monkeypatch), f"{checker} may be empty"


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_condition_that_is_not_looked_at_is_missed(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = module_of(statement)
    for checker in checkers(module):
        for gone, instead in without_a_condition(getattr(module, checker)):
            assert caught_by(module, checker, monkeypatch, instead), f"{checker} need not look at: {gone}"


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_checker_is_asked(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = module_of(statement)
    for name in [*checkers(module), *(name for name in HOLDERS if hasattr(module, name))]:
        if name == "holds_plain":
            continue                        # for a control's plain form
        with monkeypatch.context() as patched:
            patched.setattr(check, "LEVEL", check.QUICK)
            patched.setattr(module, name, lambda *_, **__: PLANTED)
            with pytest.raises(check.RefutedError, match="planted"):
                module.exhaustive()


@pytest.mark.parametrize("statement", STATEMENTS)
def test_an_enumeration_has_so_many_worlds(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    swept = []

    def sweep(worlds: Iterable[Any], predicate: Callable[[Any], Any], count: int, every: int = 1,
              strings: int = 1) -> int:
        swept.append((sum(1 for _ in worlds), count))
        return count

    monkeypatch.setattr(check, "sweep", sweep)
    module_of(statement).exhaustive()
    assert swept and all(found == stated and stated >= 20 for found, stated in swept)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_tests_of_a_statement_check(statement: str) -> None:
    tree = ast.parse((check.HERE / f"{statement}.py").read_text(encoding="utf-8"))
    called = {node.name: {ast.unparse(call.func) for call in ast.walk(node) if isinstance(call, ast.Call)}
              for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert "exhaustive" in called["test_exhaustive"]
    assert "check.hold" in called["test_random"]
    assert "check.sweep" in called["exhaustive"]


def test_a_sweep_counts() -> None:
    assert check.sweep(range(7), lambda world: None, 7) == 7
    with pytest.raises(AssertionError, match="7 worlds were checked, 8 expected"):
        check.sweep(range(7), lambda world: None, 8)
    with pytest.raises(check.RefutedError):
        check.sweep(range(7), lambda world: None if world < 6 else world, 7)
    with pytest.raises(check.RefutedError):
        check.hold(0)


def test_an_empty_checker_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    module = module_of("lemma_1_one_more_character")
    assert caught_by(module, "predicate", monkeypatch)
    assert caught_by(module, "STRINGS", monkeypatch)            # without its strings no control finds anything
    assert caught_by(module, "controls_do_not_use_this", _Anything(monkeypatch)) is None


def example(a: bool, b: bool) -> Any:
    for _ in "x":
        if a or b:
            return a, b
        if not a:
            return None
    return None


def test_what_a_checker_is_without_a_condition() -> None:
    found = dict(without_a_condition(example))
    assert list(found) == ["a", "b"]
    assert [f(True, False) for f in found.values()] == [None, (True, False)]


class _Anything:
    """Lets a name be set that is not there."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch

    def context(self) -> Any:
        return self

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.monkeypatch.undo()

    def setattr(self, target: Any, name: str, value: Any) -> None:
        self.monkeypatch.setattr(target, name, value, raising=False)
