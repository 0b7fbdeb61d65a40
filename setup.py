"""The extensions and the three profiles in which they are built (CONTRIBUTING.md, "Profiles").

BUILD_PROFILE=release|verify|trace chooses, and BUILD_FOLDER says where to build. Unless told otherwise an editable
install is `verify`, and all else `release`.
"""
import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

PACKAGES = ("subwordio", "linmaxmatch", "incbpe")
CHECKED = {"boundscheck": True, "initializedcheck": True, "overflowcheck": True, "wraparound": False,
           "show_performance_hints": False}
PROFILES = {
    "release": {
        "directives": {"boundscheck": False, "initializedcheck": False, "wraparound": False, "cdivision": True},
        "macros": [("CYTHON_WITHOUT_ASSERTIONS", "1")],
        "flags": ["-O3"],
    },
    "verify": {"directives": CHECKED, "macros": [], "flags": ["-O1", "-UNDEBUG"]},
    "trace": {
        "directives": CHECKED | {"linetrace": True},
        "macros": [("CYTHON_TRACE_NOGIL", "1"), ("CYTHON_USE_SYS_MONITORING", "0")],
        "flags": ["-O0"],
    },
}
EDITABLE = "editable_wheel" in sys.argv
NAME = os.environ.get("BUILD_PROFILE", "verify" if EDITABLE else "release")
if NAME not in PROFILES:
    raise SystemExit(f"BUILD_PROFILE={NAME!r}: expected one of {', '.join(PROFILES)}")
PROFILE = PROFILES[NAME]
FOLDER = os.environ.get("BUILD_FOLDER", f"build/{NAME}")


def profile_changed() -> bool:
    """Whether the binaries beside the sources were built in another profile, so that all must be rebuilt."""
    stamp = Path("build/in-place-profile")
    before = stamp.read_text() if stamp.exists() else None
    stamp.parent.mkdir(exist_ok=True)
    stamp.write_text(NAME)
    return before != NAME


def extensions(package: str) -> list[Extension]:
    shared = f"{package}._cyutility"
    return cythonize(
        [Extension(shared, [f"{package}/_cyutility.c"], include_dirs=["."], define_macros=PROFILE["macros"])] +
        [Extension(str(source.with_suffix("")).replace("/", "."), [str(source)], include_dirs=["."],
                   define_macros=PROFILE["macros"],
                   extra_compile_args=["-std=c11", "-g1", *PROFILE["flags"]])   # -g of CPython trebles a binary
         for source in map(Path, sorted(str(path) for path in Path(package).glob("*.pyx")))],
        shared_utility_qualified_name=shared,
        # Coverage finds a .pyx only by the .c beside it.
        build_dir=None if NAME == "trace" else f"{FOLDER}/cython",
        nthreads=0 if sys.platform == "win32" else os.cpu_count() or 1,
        compiler_directives={"language_level": 3, "embedsignature": True, "embedsignature.format": "python",
                             **PROFILE["directives"]},
    )


setup(
    ext_modules=[extension for package in PACKAGES for extension in extensions(package)],
    options={"build": {"build_base": FOLDER},
             "build_ext": {"parallel": os.cpu_count() or 1, "force": EDITABLE and profile_changed()}},
)
