"""The runner of proofs/: every option, what it prints, and its exit codes; a failure's command finds the same again."""
import doctest
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from proofs import __main__ as runner
from proofs import check, drawing, running, verdicts, workers
from proofs.running import Options

ROOT = Path(__file__).parents[1]
QUICK = ["--only", "definition_2", "lemma_1", "--exhaustive", "0"]

STATEMENT = '''"""Lemma 9: no text holds three a's.

Statement
    It is false: `aaa` does.
"""
import os
from typing import Any

from proofs import check, worlds

LONGEST = 0
THREE = "aaa"


def predicate(text: str) -> Any:
    return ("texts", text, text.count("a"), 2) if THREE in text else None


def test_exhaustive() -> None:
    check.sweep(worlds.strings("ab", LONGEST), predicate, 2 ** (LONGEST + 1) - 1)


@worlds.given(worlds.st.text("abc", max_size=9))
def test_random(text: str) -> None:
    check.hold(predicate(text[:LONGEST]))


def test_control_two_are_enough() -> None:
    assert check.first(worlds.strings("ab", 3), lambda s: ("texts", s) if "aa" in s else None) == ("texts", "aa")
'''
UNCAUGHT = '''

def test_control_four_are_too_many() -> None:
    assert check.first(worlds.strings("ab", 3), lambda text: ("texts", text) if "aaaa" in text else None) is None


def test_control_another_counterexample() -> None:
    assert check.first(worlds.strings("ab", 3), lambda text: ("texts", text) if "a" in text else None) == ("texts", "b")


def test_control_literal() -> None:
    assert "aaa".count("aa") == 1


def test_control_of_nothing() -> None:
    assert 1 + 1
'''


@pytest.fixture
def statement(tmp_path):
    """Writes a statement's file that holds for texts up to length 2, and is refuted up to length 3 by `aaa`."""
    def write(longest=2, more="", name="lemma_9_three"):
        path = tmp_path / f"{name}.py"
        path.write_text(STATEMENT.replace("LONGEST = 0", f"LONGEST = {longest}") + more, encoding="utf-8")
        sys.modules.pop(f"statement_{name}", None)
        return path

    return write


def without_times(out: str) -> str:
    return re.sub(r" +\d+\.\d  (holds|FAILS)|; \d+ s", r" \1", out)


def test_a_run_of_two_statements(capsys):
    assert runner.main(QUICK) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["statement", "worlds", "strings", "random", "faults", "caught", "seconds", "verdict"]
    assert lines[2].startswith("Definition 2: ") and lines[3].startswith("Lemma 1: ")
    assert all(line.endswith("holds") for line in lines[2:4])
    assert lines[-1].startswith("2 statements, 75 worlds and 0 random ones, 5 of 5 planted faults caught: all hold; ")


def test_levels_take_more_and_more_worlds(statement, capsys):
    path = statement(more="""

def test_sampled() -> None:
    check.sweep(range(3_000), lambda number: None, 3_000, every=3)
""")
    counts = []
    for level in range(4):
        assert runner.main(["--only", "lemma_9.test_sampled", "--exhaustive", str(level)], [path]) == 0
        counts.append(int(re.search(r"(\S+) worlds and", capsys.readouterr().out)[1].replace(",", "")))
    assert counts == [10, 100, 1_000, 3_000]


def test_quick_is_the_lowest_level(capsys):
    assert runner.main([*QUICK[:-2], "--quick"]) == 0
    quick = capsys.readouterr().out
    assert runner.main(QUICK) == 0
    assert without_times(capsys.readouterr().out) == without_times(quick)


def test_examples_and_one_check(capsys):
    assert runner.main(["--only", "lemma_1.test_random", "--examples", "30"]) == 0
    assert "0 worlds and 30 random ones, 0 of 0" in capsys.readouterr().out


def test_a_seed_draws_the_same_worlds(monkeypatch, capsys):
    lemma = check.load(check.HERE / "lemma_1_one_more_character.py")
    drawn = []
    holds = lemma.holds_compiled
    monkeypatch.setattr(lemma, "holds_compiled", lambda V, *rest: drawn[-1].append(sorted(V.tokens)) or holds(V, *rest))
    for seed in ("3", "3", "4"):
        drawn.append([])
        assert runner.main(["--only", "lemma_1.test_random", "--examples", "20", "--seed", seed]) == 0
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize("arguments", [
    ["--only", "lemma_77"], ["--only", "lemma_1.test_nothing"], ["--jobs", "0"], ["--jobs", "two"],
    ["--exhaustive", "4"],
    ["--examples", "-1"], ["--deep", "long"], ["--deep", "5"], ["--quick", "--exhaustive", "2"], ["lemma_1"], ["--no"],
])
def test_wrong_usage(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        runner.main(arguments)
    assert stop.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("python -m proofs: error: ")


# -------------------------------------------------------------------------------------------------------- failures

def test_a_failure_shows_the_world_the_sides_and_a_command(statement, capsys):
    path = statement(3)
    assert runner.main(["--seed", "5", "--examples", "200"], [path]) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[2].endswith("FAILS")
    assert out.count("world   'texts', 'aaa'\n    this    3\n    not     2\n    repeat  ") == 2
    assert out.splitlines()[-1].startswith("1 statement, 0 worlds") and "1 FAIL" in out.splitlines()[-1]
    commands = re.findall(r"repeat  (.*)", out)
    assert [command.rpartition(f"{path.stem}.")[2] for command in commands] == [
        "test_exhaustive --exhaustive 2", "test_random --seed 5 --examples 200"]


def test_the_command_repeats_the_failure(monkeypatch, capsys):
    """A fault in the compiled layer's results, met on random worlds only: the command finds the very same world."""
    source = (
        "import sys\nfrom proofs import check, __main__ as runner\n"
        "lemma = check.load(check.HERE / 'definition_5_maxmatch.py')\n"
        "kept = lemma.compiled_agrees\n"
        "lemma.compiled_agrees = lambda V, words: kept(V, words) or next((\n"
        "    (sorted(V.tokens), w, len(w), 'fewer') for w in words if w.count('b') > 3 and 'a' in w), None)\n"
        "raise SystemExit(runner.main(sys.argv[1:]))\n")

    def run(arguments):
        done = subprocess.run([sys.executable, "-c", source, *arguments], cwd=ROOT, capture_output=True, text=True,
                              check=False)
        assert done.returncode == 1, done.stdout + done.stderr
        return done.stdout

    out = run(["--only", "definition_5", "lemma_1", "--seed", "11", "--exhaustive", "0", "--examples", "300"])
    shown = out[out.index("  definition_5_maxmatch.test_random"):].splitlines()[:5]
    command = shlex.split(shown[-1].split("repeat")[1])
    assert command[:3] == ["python", "-m", "proofs"] and "--seed 11 --examples 300" in shown[-1]
    again = run(command[3:])
    assert "\n".join(shown) in again and "0 worlds and" in again


def test_a_control_that_does_not_run_through_is_a_failure(monkeypatch, capsys):
    lemma = check.load(check.HERE / "lemma_1_one_more_character.py")
    monkeypatch.setattr(lemma, "CHARACTERS", "")        # the control has nothing to find, and says so
    assert runner.main(["--only", "lemma_1", "--quick"]) == 1
    out = capsys.readouterr().out
    assert "FAILS" in out and "0 of 3 planted faults caught: 1 FAIL" in out
    assert "repeat  python -m proofs --only lemma_1_one_more_character.test_control_" in out


@pytest.mark.parametrize(("body", "said"), [
    ("import warnings; warnings.warn('careful')", "UserWarning: careful"),
    ("import sys; sys.unraisablehook(Lost('in compiled code', KeyError(7)))", "in compiled code: KeyError(7)"),
])
def test_a_warning_and_a_swallowed_exception_are_failures(statement, capsys, body, said):
    more = f"""

class Lost:
    def __init__(self, err_msg: str, exc_value: Exception) -> None:
        self.err_msg, self.exc_value = err_msg, exc_value


def test_more() -> None:
    {body}
"""
    before = sys.unraisablehook
    assert runner.main(["--only", "lemma_9.test_more"], [statement(more=more)]) == 1
    assert said in capsys.readouterr().out
    assert sys.unraisablehook is before


def test_the_options_of_a_random_check_are_taken_back():
    function = check.load(check.HERE / "lemma_1_one_more_character.py").test_random
    before = dict(vars(function))
    running.run(running.Task(check.HERE / "lemma_1_one_more_character.py", "test_random", Options(0, 5, 1)))
    assert dict(vars(function)) == before


# -------------------------------------------------------------------------------------------------------- controls

def test_all_controls_of_a_statement_are_shown(capsys):
    assert runner.main(["--controls", "--only", "lemma_4", "lemma_5"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"caught +only the last token of the pops +\(\('##a', 'a', 'aaab'\), '##', 'aaa', 'a', ", out)
    assert out.rstrip().endswith("7 faults planted in 2 statements: all caught")


def test_controls_that_catch_nothing_are_told(statement, capsys):
    assert runner.main(["--controls"], [statement(more=UNCAUGHT)]) == 1
    out = capsys.readouterr().out
    rows = {line[14:].split("  ")[0]: line for line in out.splitlines() if line.startswith("  ")}
    assert re.fullmatch(r"  caught +two are enough +\('texts', 'aa'\)", rows["two are enough"])
    assert re.fullmatch(r"  caught +literal +1", rows["literal"])
    assert "NOT CAUGHT  four are too many" in rows["four are too many"]
    assert "no world refutes it" in rows["four are too many"]
    assert "NOT CAUGHT  another counterexample" in rows["another counterexample"]
    assert "it asserts no counterexample" in rows["of nothing"]
    assert "5 faults planted in 1 statements: 3 NOT CAUGHT" in out


def test_a_statement_without_a_control_is_told(tmp_path, capsys):
    path = tmp_path / "lemma_8_bare.py"
    path.write_text('"""Lemma 8: bare."""\n', encoding="utf-8")
    assert runner.main(["--controls"], [path]) == 1
    assert "1 STATEMENTS WITHOUT A CONTROL" in capsys.readouterr().out


# ------------------------------------------------------------------------------------------------ jobs, JSON, deep

def test_jobs_print_and_count_the_same(capsys, tmp_path):
    said = []
    for jobs in ("1", "2"):
        arguments = [*QUICK, "--examples", "15", "--jobs", jobs, "--json", str(tmp_path / jobs)]
        done = subprocess.run([sys.executable, "-m", "proofs", *arguments], cwd=ROOT, capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, done.stderr
        said.append(without_times(done.stdout))
    assert said[0] == said[1]
    one, two = (json.loads((tmp_path / jobs).read_text()) for jobs in "12")
    for run in one, two:
        for counted in [run, *run["statements"], *(c for s in run["statements"] for c in s["checks"])]:
            assert counted.pop("seconds") >= 0
    assert one == two


def test_a_process_that_dies_is_a_failure(statement, capsys):
    dies = "\n\ndef test_dies() -> None:\n    os._exit(7)\n"
    assert runner.main(["--jobs", "2", "--examples", "5"], [statement(more=dies), statement(name="lemma_9_whole")]) == 1
    out = capsys.readouterr().out
    assert "lemma_9_three.test_dies\n    the process that ran it ended with code 7\n    repeat  " in out
    assert "1 FAIL" in out and out.count("7           14") == 0 and out.count("  holds") == 1


def test_tasks_are_taken_only_when_a_process_is_free(statement):
    path = statement()
    taken = []

    def tasks():
        for number in range(4):
            taken.append(number)
            yield running.Task(path, "test_exhaustive", Options(2, 0))

    outcomes = workers.work(tasks(), 2, [path])
    next(outcomes)
    assert len(taken) < 4
    assert len(list(outcomes)) == 3


def test_json_is_complete(statement, tmp_path):
    file = tmp_path / "said.json"
    assert runner.main(["--json", str(file), "--seed", "2", "--examples", "50"], [statement(3)]) == 1
    said = json.loads(file.read_text(encoding="utf-8"))
    assert (said["level"], said["examples"], said["seed"], said["holds"]) == (2, 50, 2, False)
    assert (said["controls"], said["caught"]) == (1, 1)
    [told] = said["statements"]
    assert (told["statement"], told["title"], told["kind"], told["number"], told["paper"]) == (
        "lemma_9_three", "Lemma 9: no text holds three a's", "lemma", "9", "LinMaxMatch")
    checks = {check["check"]: check for check in told["checks"]}
    assert list(checks) == ["test_exhaustive", "test_random", "test_control_two_are_enough"]
    assert checks["test_exhaustive"]["witness"] == ["'texts'", "'aaa'", "3", "2"]
    assert checks["test_exhaustive"]["repeat"].endswith("test_exhaustive --exhaustive 2")
    assert checks["test_control_two_are_enough"]["counterexample"] == "('texts', 'aa')"


def test_json_of_all_statements_and_a_folder_that_is_not_there(tmp_path, capsys):
    file = tmp_path / "said.json"
    assert runner.main([*QUICK, "--json", str(file)]) == 0
    said = json.loads(file.read_text(encoding="utf-8"))
    assert said["holds"] and said["worlds"] == 75 and len(said["statements"]) == 2
    assert runner.main([*QUICK, "--json", str(tmp_path / "none" / "said.json")]) == 1
    assert "none" in capsys.readouterr().err


def test_deep_draws_until_the_time_is_over(statement, capsys):
    assert runner.main(["--deep", "3s", "--examples", "20"], [statement(), statement(name="lemma_9_whole")]) == 0
    out = capsys.readouterr().out
    drawn = [int(line.split()[-6].replace(",", "")) for line in out.splitlines() if line.startswith("Lemma 9")]
    assert len(drawn) == 4 and drawn[:2] == [20, 20]
    assert min(drawn[2:]) >= 60 and drawn[2] % 20 == 0 and drawn[2] - drawn[3] in (0, 20)


def test_deep_finds_a_rare_failure_once(statement, capsys):
    path = statement(9)
    text = path.read_text(encoding="utf-8").replace('THREE = "aaa"', 'THREE = "abcabca"')
    path.write_text(text, encoding="utf-8")
    assert runner.main(["--only", "lemma_9.test_random", "--deep", "1m", "--examples", "400"], [path]) == 1
    out = capsys.readouterr().out
    first, final = re.findall(r"repeat  python \S+ --only \S+ --seed (\d+) --examples 400", out)
    assert first == final
    assert runner.main(["--only", "lemma_9.test_random", "--seed", first, "--examples", "400"], [path]) == 1
    assert "world   'texts', 'abcabca'\n    this    3\n    not     2\n" in capsys.readouterr().out


def test_durations():
    assert drawing.duration("1h30m") == 5_400
    with pytest.raises(ValueError, match="expected a duration"):
        drawing.duration("h")


# ----------------------------------------------------------------------------------------------- the surroundings

def test_without_hypothesis_the_quick_level_runs_and_says_why_the_rest_does_not():
    source = ("import sys\nsys.modules['hypothesis'] = None\n"
              "from proofs.__main__ import main\nraise SystemExit(main())\n")

    def run(*arguments):
        return subprocess.run([sys.executable, "-c", source, *arguments], cwd=ROOT, capture_output=True, text=True,
                              check=False)

    quick = run("--quick", "--only", "lemma_1")
    assert quick.returncode == 0, quick.stderr
    assert "no random worlds: random worlds are drawn by the package hypothesis, which is not installed" in quick.stdout
    usual = run("--exhaustive", "1", "--only", "lemma_1")
    assert usual.returncode == 1 and "not all was checked: random worlds are drawn by" in usual.stdout
    for arguments in (["--quick", "--examples", "3"], ["--deep"]):
        assert run(*arguments).returncode == 2


def test_no_colours_but_on_a_terminal(monkeypatch, capsys):
    assert runner.main(QUICK) == 0
    assert "\033" not in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert runner.main(QUICK) == 0
    out = capsys.readouterr().out
    assert "\033[32mholds\033[0m" in out and "lemma_1_one_more_character: test_exhaustive …" in out
    monkeypatch.setenv("NO_COLOR", "1")
    assert runner.main(QUICK) == 0
    assert "\033[32m" not in capsys.readouterr().out


def test_an_interrupt_gives_130(monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(workers, "work", interrupted)
    assert runner.main(QUICK) == 130
    assert capsys.readouterr().err == "\ninterrupted\n"


def test_a_statement_runs_alone():
    done = subprocess.run([sys.executable, "-m", "proofs.proposition_3_edge_cases", "--examples", "20"],
                          cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 of 2" in done.stdout and "1 statement, 100 worlds and 20 random ones" in done.stdout


@pytest.mark.parametrize("module", [check, drawing, verdicts], ids=lambda module: module.__name__)
def test_the_examples_run(module):
    result = doctest.testmod(module)
    assert result.attempted > 0 and result.failed == 0
