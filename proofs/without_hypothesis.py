"""Stands in for Hypothesis where it is not installed: random checks then say so, all others run (`make demo`)."""
from collections.abc import Callable
from typing import Any


def given(*_: object) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """A random check that cannot run."""

    def decorate(_: Callable[..., None]) -> Callable[[], None]:
        def unavailable() -> None:
            raise ModuleNotFoundError("random checks need the package hypothesis (the extra [test])")

        unavailable.needs_hypothesis = True  # type: ignore[attr-defined]
        return unavailable

    return decorate


class Strategy:
    """A strategy that is never drawn from: whatever is made of it is another."""

    def __call__(self, *_: object, **__: object) -> "Strategy":
        return self

    def __getattr__(self, name: str) -> "Strategy":
        if name.startswith("__"):
            raise AttributeError(name)
        return self


class Strategies:
    """What is asked of hypothesis.strategies when the modules are imported."""

    DrawFn = Any

    @staticmethod
    def composite(_: Callable[..., Any]) -> Callable[..., Strategy]:
        return Strategy()

    def __getattr__(self, name: str) -> Strategy:
        strategy: Strategy = getattr(Strategy(), name)
        return strategy


st = Strategies()
