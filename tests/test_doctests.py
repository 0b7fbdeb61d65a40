"""Every example in a docstring runs, and every module with something that its package offers has one."""
import doctest
import importlib
import inspect
import pkgutil

import pytest

import incbpe
import linmaxmatch
import subwordio
import subwordio.corpus

MODULES = sorted(
    f"{package.__name__}.{found.name}"
    for package in (incbpe, linmaxmatch, subwordio, subwordio.corpus)
    for found in pkgutil.iter_modules(package.__path__)
    if not found.name.startswith("_")           # __main__, and the code that Cython shares
)


def offered(module) -> list[str]:
    """Functions and classes of a module that its package offers to all, exceptions aside."""
    package = importlib.import_module(module.__name__.partition(".")[0])
    return [name for name in package.__all__
            if callable(value := getattr(package, name)) and getattr(value, "__module__", None) == module.__name__
            and not (inspect.isclass(value) and issubclass(value, BaseException))]


def test_the_modules_are_found():
    assert {"linmaxmatch.vocabulary", "linmaxmatch.endtoend", "subwordio.errors"} <= set(MODULES)
    assert "lin_max_match" in offered(importlib.import_module("linmaxmatch.matchloop"))


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0 or not offered(module), f"{name} offers {offered(module)} without an example"


def test_a_wrong_example_is_seen():
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    assert doctest.DocTestRunner(verbose=False).run(wrong, out=lambda text: None).failed == 1
