"""Stands in for Hypothesis where it is not installed: random checks then say so, all others run (`make demo`)."""
from collections.abc import Callable
from typing import Any


def given(*_: object) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """A random check that cannot run."""

    def decorate(_: Callable[..., None]) -> Callable[[], None]:
        def unavailable() -> None:
            raise ModuleNotFoundError("random checks need the package hypothesis (the extra [test])")

        return unavailable

    return decorate


class Strategies:
    """What `worlds.py` needs of hypothesis.strategies when it is imported."""

    DrawFn = Any

    @staticmethod
    def composite(_: Callable[..., Any]) -> Callable[..., None]:
        return lambda *_, **__: None


st = Strategies()
