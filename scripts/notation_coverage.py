"""How many lines of the notation layer the statements of proofs/ run by themselves: scripts/notation_coverage.py

For the trace profile, built in place with the .c beside each source. Every statement runs on a sample of its worlds,
on random ones, and on its other tests; the controls, whose faults are not in compiled code, do not run. The exit code
is 1 if a module is missing from what was traced, or if less than 98 % of the lines were run.
"""
import argparse
import sys
from pathlib import Path

import coverage

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
LINE = 98.0


def run(trace: coverage.Coverage) -> None:
    """Import the packages, and run the statements, under the tracer."""
    from mutants.trial import checks
    from proofs import check

    for path in check.statement_files():
        for level in ("sample", "random"):
            trace.start()
            try:
                checks(path.stem, level)()
            finally:
                trace.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--line", type=float, default=LINE, help="the percentage that is asked for (98)")
    options = parser.parse_args()
    from mutants import MODULES

    trace = coverage.Coverage(data_file=None, config_file=False, plugins=[])
    trace.set_option("run:plugins", ["Cython.Coverage"])
    trace.set_option("run:core", "ctrace")          # the tracer that serves plugins
    trace.set_option("run:source", [str(ROOT / "linmaxmatch"), str(ROOT / "incbpe")])
    trace.start()
    trace.stop()
    run(trace)
    measured = {Path(name).resolve() for name in trace.get_data().measured_files()}
    lines = ran = 0
    missing = []
    for module in MODULES:
        path = ROOT / Path(*module.split(".")).with_suffix(".pyx")
        if path not in measured:
            missing.append(module)
            continue
        _, executable, _, left, where = trace.analysis2(str(path))
        lines, ran = lines + len(executable), ran + len(executable) - len(left)
        percentage = 100 * (1 - len(left) / max(len(executable), 1))
        print(f"{module:<26}{len(executable):>6}{len(left):>5}{percentage:>7.1f} %  {where}")
    print(f"{'all':<26}{lines:>6}{lines - ran:>5}{100 * ran / max(lines, 1):>7.1f} %")
    for module in missing:
        print(f"{module} was not traced")
    return 1 if missing or 100 * ran < options.line * lines else 0


if __name__ == "__main__":
    raise SystemExit(main())
