"""One process, one mutant: run the statements of proofs/ until one fails.

Everything is imported once, the statements are checked with no mutant chosen, and then each mutant is tried in a fork
of that process, which begins with the definitions' results remembered. The statements nearest to the module come
first, then the paper's others, the quickest first; when all hold on a sample of the worlds, random worlds follow, then
more of the worlds, and in the end what `make proofs` checks. Killed is what a statement fails on, whatever the
exception; what ends the process; what takes many times as long as it should; and what needs far more memory.
"""
import csv
import gc
import hashlib
import importlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from proofs import check
from proofs.running import is_random, prepare
from proofs.verdicts import CONTROL

LEVELS: dict[str, int | None] = {"sample": check.QUICK, "random": None, "more": 1, "usual": check.USUAL}
"""The levels of proofs/, which take more and more of the worlds; and random worlds. The controls, whose faults are not
in what is compiled, do not run."""
EXAMPLES = 40
MEMORY = 4 << 30
PATIENCE, SLOWER = 5, 8
"""A statement may take so many seconds more, or so many times as long, as it does without a mutant; CPU time."""
NEAR = {
    "linmaxmatch.vocabulary": ("proposition_9",), "linmaxmatch.trie": ("section_3_1", "proposition_9"),
    "linmaxmatch.nodes": ("section_3_1", "algorithm_2"), "linmaxmatch.spellings": ("section_3_1", "algorithm_2"),
    "linmaxmatch.matchloop": ("algorithm_1", "cost_1"), "linmaxmatch.failure": ("algorithm_2", "cost_2"),
    "linmaxmatch.endtoend": ("algorithm_3", "proposition_4", "proposition_5", "proposition_6", "proposition_7"),
    "linmaxmatch.transducer": ("algorithm_4", "cost_3"),
    "incbpe.dictionary": ("bpe_proposition_18", "bpe_proposition_13", "bpe_proposition_14"),
    "incbpe.splits": ("bpe_proposition_2",), "incbpe.boundary": ("bpe_proposition_6", "bpe_cost_3"),
    "incbpe.pairs": ("bpe_proposition_5",), "incbpe.repair": ("bpe_proposition_4", "bpe_section_3_3"),
    "incbpe.tokentrie": ("bpe_section_5_2_suffix", "bpe_cost_6"), "incbpe.automaton": ("bpe_cost_6",),
    "incbpe.centroid": ("bpe_section_5_2_centroid", "bpe_cost_7"),
    "incbpe.decomposition": ("bpe_section_5_2_centroid", "bpe_cost_7"),
    "incbpe.search": ("bpe_section_5_search", "bpe_cost_7"),
    "incbpe.bpe": ("bpe_proposition_20",),
    "incbpe.theta": ("bpe_section_5_search", "bpe_proposition_10", "bpe_cost_7"),
    "incbpe.prefixes": ("bpe_proposition_8", "bpe_proposition_9"),
    "incbpe.unstable": ("bpe_proposition_11", "bpe_proposition_7"),
    "incbpe.backlog": ("bpe_section_6", "bpe_proposition_22", "bpe_proposition_7"),
    "incbpe.eager": ("bpe_section_6", "bpe_proposition_7", "bpe_cost_5", "bpe_proposition_18"),
    "incbpe.pieceoutput": ("bpe_proposition_23", "bpe_proposition_12"),
}
"""The statements to begin with: for what stands in no row of correspondence.csv, or in the wrong place for this."""


@dataclass
class Outcome:
    """What became of a mutant: "killed" or "survived", by which statement at which level, and how."""

    address: str
    verdict: str
    by: str = ""
    level: str = ""
    how: str = ""
    seconds: float = 0.0
    proofs: str = ""
    """the state of the statement that killed it, or of them all"""
    module: str = ""
    """the state of its module"""


def checks(statement: str, level: str) -> Callable[[], None]:
    """What a level runs of a statement's file."""
    wanted = LEVELS[level]
    module = check.load(check.HERE / f"{statement}.py")
    tests = [test for name, test in vars(module).items() if name.startswith("test_") and not name.startswith(CONTROL)]

    def run() -> None:
        if wanted is None:
            for test in filter(is_random, tests):
                draw(test)
            return
        check.LEVEL = wanted
        for test in tests:
            if test.__name__ == "test_exhaustive" or (wanted == check.USUAL and not is_random(test)):
                test()

    return run


def draw(test: Any) -> None:
    """Run a random check on always the same worlds. A failure is enough: it need not be made small."""
    from hypothesis import HealthCheck, Phase, seed, settings

    before = dict(vars(test))
    wanted = settings(max_examples=EXAMPLES, database=None, deadline=None, derandomize=False, print_blob=False,
                      phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck))
    try:
        seed(0)(wanted(test))()
    finally:
        vars(test).clear()
        vars(test).update(before)


def named_in_the_table(module: str) -> list[str]:
    """The statements of the rows of correspondence.csv whose names this module defines."""
    found = []
    with (check.HERE / "correspondence.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            package, *path = row["Cython name"].split(".")
            thing: Any = importlib.import_module(package)
            for name in path:
                thing, owner = getattr(thing, name, None), thing
                if getattr(thing, "__module__", None) is None and hasattr(owner, "__module__"):
                    thing = owner
            if getattr(thing, "__module__", None) == module:
                found.append(row["proof file"].removesuffix(".py"))
    return list(dict.fromkeys(found))


def state_of_proofs(statement: str = "", folder: Path = check.HERE) -> str:
    """A name for what a statement's file says, or for all that proofs/ says."""
    paths = [folder / f"{statement}.py"] if statement else sorted(folder.rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths if path.exists())).hexdigest()[:12]


def state_of_module(module: str, folder: Path = check.HERE.parent) -> str:
    """A name for the source of a module: its .pyx and its .pxd."""
    path = folder / Path(*module.split("."))
    texts = [path.with_suffix(suffix) for suffix in (".pyx", ".pxd") if path.with_suffix(suffix).exists()]
    return hashlib.sha256(b"".join(text.read_bytes() for text in texts)).hexdigest()[:12]


class Trials:
    """The trials of one package's mutants in forks of this process."""

    def __init__(self, package: str) -> None:
        second = package == "incbpe"
        every = [path.stem for path in check.statement_files()]
        self.statements = [statement for statement in every if statement.startswith(check.SECOND) is second]
        self.seconds: dict[tuple[str, str], float] = {}
        prepare([])

    def measure(self, level: str) -> None:
        """Run a level with no mutant chosen: all must hold. What the definitions remember of it serves every fork."""
        if (level, self.statements[0]) in self.seconds:
            return
        for statement in self.statements:
            began = time.process_time()
            checks(statement, level)()
            self.seconds[level, statement] = time.process_time() - began
        gc.collect()
        gc.freeze()

    def order(self, module: str, level: str) -> list[str]:
        near = [s for name in NEAR.get(module, ()) for s in self.statements if s.startswith(name)]
        near += named_in_the_table(module)
        rest = sorted(self.statements, key=lambda statement: self.seconds[level, statement])
        return list(dict.fromkeys([*near, *rest]))

    def run(self, module: str, number: int, address: str, levels: tuple[str, ...]) -> Outcome:
        began = time.perf_counter()
        outcome = Outcome(address, "survived")
        for level in levels:
            self.measure(level)
            outcome = self.fork(module, number, address, level)
            if outcome.verdict == "killed":
                break
        outcome.seconds, outcome.proofs = round(time.perf_counter() - began, 2), state_of_proofs(outcome.by)
        outcome.module = state_of_module(module)
        return outcome

    def fork(self, module: str, number: int, address: str, level: str) -> Outcome:
        order = self.order(module, level)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self.be(module, number, level, order, writing)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8", errors="replace") as pipe:
            said = pipe.read().split("\0")
        status = os.waitpid(child, 0)[1]
        if status == 0:
            return Outcome(address, "survived", level=level)
        how = said[-1]
        if os.WIFSIGNALED(status):
            ended = signal.Signals(os.WTERMSIG(status))
            how = "endless" if ended == signal.SIGXCPU else f"ended by {ended.name}"
        at = said[-1] if os.WIFSIGNALED(status) else said[-2]
        return Outcome(address, "killed", at, level, how[:160])

    def be(self, module: str, number: int, level: str, order: list[str], pipe: int) -> None:
        """The mutant's process: it says each statement that it begins with, and at last how one failed."""
        def say(word: str) -> None:
            os.write(pipe, word.encode("utf-8", "replace"))

        def unraisable(what: Any) -> None:
            say(f"\0{what.exc_type.__name__} where none may be raised: {what.exc_value}")
            os._exit(1)

        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        sys.unraisablehook = unraisable
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        importlib.import_module(module).choose_mutant(number)
        for place, statement in enumerate(order):
            say(f"\0{statement}" if place else statement)
            usual = self.seconds[level, statement]
            limit = int(time.process_time() + max(PATIENCE + usual, SLOWER * usual)) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
            try:
                checks(statement, level)()
            except BaseException as error:
                say("\0" + f"{type(error).__name__}: {error}".replace("\0", "␀").replace("\n", " ")[:400])
                os._exit(1)
        os._exit(0)


def try_all(package: str, mutants: list[tuple[str, int, str]], levels: tuple[str, ...], results: Path) -> None:
    """Try (module, number, address), one after the other; each outcome is appended to `results` at once."""
    trials = Trials(package)
    trials.measure(levels[0])
    with results.open("a", encoding="utf-8") as file:
        for module, number, address in mutants:
            outcome = asdict(trials.run(module, number, address, levels))
            print(json.dumps(outcome, ensure_ascii=False), file=file, flush=True)


def main() -> None:
    task = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    mutants = [(module, number, address) for module, number, address in task["mutants"]]
    try_all(task["package"], mutants, tuple(task["levels"]), Path(task["results"]))


if __name__ == "__main__":
    main()
