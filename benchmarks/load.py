"""From a vocabulary file to the first ids: CPU time and memory, every measurement in a process of its own.

    python -m benchmarks.load [--settings uncased cased gpt2 cl100k o200k qwen llama3 llama2]

The processes of the peers alternate. Each says how long importing took, and how long from there to the ids of one
short text; memory is what the process holds more after that than after the import. "linmaxmatch, saved" and "incbpe,
saved" load what `save` wrote, which lies in the page cache as the vocabulary files do. toktok and quicktok bring their
vocabularies with them, and read no file.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import bpe, harness, report, wordpiece
from benchmarks.bpe_peers import SPELLINGS
from benchmarks.harness import Setting

TEXT = "Unaffable people say: naïve 東京 1234 times!"
ROUNDS = 15
CHILD = """
import gc, json, os, sys, time
path, option, spelling, text = sys.argv[1:]
page = os.sysconf("SC_PAGE_SIZE")
resident = lambda: int(open("/proc/self/statm").read().split()[1]) * page
start = time.process_time()
{imports}
imported, before = time.process_time(), resident()
tokenizer = {construct}
ids = {encode}
done = time.process_time()
gc.collect()
print(json.dumps({{"import": imported - start, "load": done - imported, "rss": resident() - before, "ids": list(ids),
                  "memory": {memory}}}))
"""


@dataclass(frozen=True)
class Program:
    """What a user of this library writes to get from `path` to the ids of `text`.

    `option` is, for a vocab.txt, "lowercase" or nothing, and for a rank table the name of its pattern; `spelling` is
    then that pattern as tiktoken spells it.
    """

    name: str
    package: str
    imports: str
    construct: str
    encode: str
    memory: str = "None"
    only: tuple[str, ...] = ()  # the settings that it can do, where it brings vocabularies of its own; (): all
    prepare: str = ""           # what makes the file `made` of `path`, to be loaded instead, before all measuring

    def source(self) -> str:
        return CHILD.format(imports=self.imports, construct=self.construct, encode=self.encode, memory=self.memory)


WORDPIECE = (
    Program("linmaxmatch", "linmaxmatch-incbpe", "from linmaxmatch import WordPiece",
            "WordPiece.from_file(path, lowercase=bool(option))", "tokenizer.encode(text)", "tokenizer.inspect()"),
    Program("tokenizers", "tokenizers", "from tokenizers import BertWordPieceTokenizer",
            "BertWordPieceTokenizer(path, lowercase=bool(option))",
            "tokenizer.encode(text, add_special_tokens=False).ids"),
    Program("nanotoken", "nanotoken", "from nanotoken import Tokenizer",
            "Tokenizer.from_vocab(path, lowercase=bool(option))",
            "tokenizer.encode(text, add_special_tokens=False).tolist()"),
    Program("splintr", "splintr-rs", "from splintr import WordPieceTokenizer",
            "WordPieceTokenizer(tokens := open(path, encoding='utf-8').read().removesuffix('\\n').split('\\n'), "
            "tokens.index('[UNK]'), 100, bool(option))", "tokenizer.encode_ordinary(text)"),
    Program("linmaxmatch, saved", "linmaxmatch-incbpe", "from linmaxmatch import WordPiece", "WordPiece.load(path)",
            "tokenizer.encode(text)", "tokenizer.inspect()",
            prepare="from linmaxmatch import WordPiece; WordPiece.from_file(path, lowercase=bool(option)).save(made)"),
)
BPE = Program("incbpe", "linmaxmatch-incbpe", "from incbpe import BPE", "BPE.from_file(path, pattern=option or None)",
              "tokenizer.encode(text)", "tokenizer.inspect()")
SAVED = Program("incbpe, saved", "linmaxmatch-incbpe", "from incbpe import BPE", "BPE.load(path)",
                "tokenizer.encode(text)", "tokenizer.inspect()",
                prepare="from incbpe import BPE; BPE.from_file(path, pattern=option or None).save(made)")
RANKS = (
    BPE,
    Program("tiktoken", "tiktoken", "from base64 import b64decode; from tiktoken import Encoding",
            "Encoding(option, pat_str=spelling, special_tokens={}, mergeable_ranks={b64decode(token): int(rank) "
            "for token, rank in map(bytes.split, open(path, 'rb'))})", "tokenizer.encode_ordinary(text)"),
    Program("gigatoken", "gigatoken", "from gigatoken import Tokenizer",
            "Tokenizer.from_tiktoken(path, {'qwen': 'qwen2'}.get(option, option))", "tokenizer.encode(text).tolist()"),
    Program("fastokens", "fastokens", "from fastokens._native import Tokenizer",
            "Tokenizer.from_tiktoken(path, pattern=spelling)", "tokenizer.encode(text).ids"),
    Program("kitoken", "kitoken", "from kitoken import Kitoken", "Kitoken.from_tiktoken_file(path)",
            "tokenizer.encode(text)"),
    Program("iree", "iree-tokenizer", "from iree.tokenizer import Tokenizer",
            "Tokenizer.from_tiktoken(path, {'gpt2': 'gpt2'}.get(option, option + '_base'))", "tokenizer.encode(text)",
            only=("gpt2", "cl100k", "o200k")),
    Program("toktok", "toktok-rs", "from toktok._toktok import Tokenizer", "Tokenizer(option + '_base', '')",
            "tokenizer.encode_ordinary(text)", only=("cl100k", "o200k")),
    Program("quicktok", "quicktok-v1", "from quicktok import Tokenizer", "Tokenizer(option + '_base', '')",
            "tokenizer.encode_ordinary(text)", only=("cl100k", "o200k")),
    SAVED,
)
JSONS = (
    BPE,
    Program("tokenizers", "tokenizers", "from tokenizers import Tokenizer", "Tokenizer.from_file(path)",
            "tokenizer.encode(text, add_special_tokens=False).ids"),
    Program("gigatoken", "gigatoken", "from gigatoken import Tokenizer",
            "Tokenizer.from_json(open(path, 'rb').read())", "tokenizer.encode(text).tolist()"),
    Program("fastokens", "fastokens", "from fastokens._native import Tokenizer", "Tokenizer.from_file(path)",
            "tokenizer.encode(text).ids"),
    Program("kitoken", "kitoken", "from kitoken import Kitoken", "Kitoken.from_tokenizers_file(path)",
            "tokenizer.encode(text)"),
    SAVED,
)
SETTINGS = ("uncased", "cased", "gpt2", "cl100k", "o200k", "qwen", "llama3", "llama2")


def setting(name: str) -> tuple[Setting, tuple[Program, ...]]:
    """A vocabulary and the programs that load it: ours first, then the reference, then others."""
    if name in wordpiece.SETTINGS:
        return wordpiece.setting(name), WORDPIECE
    found = bpe.setting(name)
    programs = JSONS if found.pattern is None else RANKS
    return found, tuple(program for program in programs if not program.only or name in program.only)


def child(program: Program, source: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", source, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{program.name} failed:\n{done.stderr}")
    return done.stdout


def option_of(setting: Setting) -> str:
    return setting.pattern or ("lowercase" if setting.lowercase else "")


def file_for(program: Program, setting: Setting, folder: Path) -> Path:
    """The file that the program is to load: the vocabulary, or what it makes of it in `folder`."""
    if not program.prepare:
        return setting.vocabulary
    made = folder / f"{program.package}-{setting.vocabulary.name}"
    child(program, f"import sys; path, option, made = sys.argv[1:]; {program.prepare}", str(setting.vocabulary),
          option_of(setting), str(made))
    return made


def run(program: Program, setting: Setting, path: Path) -> dict[str, Any]:
    option = option_of(setting)
    said = child(program, program.source(), str(path), option, SPELLINGS.get(option, ""), TEXT)
    result: dict[str, Any] = json.loads(said)
    return result


def measure(name: str, where: Setting, programs: Sequence[Program], rounds: int) -> dict[str, Any]:
    """`programs`: ours, the reference, and others; ours too are those that prepare a file."""
    runs: dict[str, list[dict[str, Any]]] = {program.name: [] for program in programs}
    with tempfile.TemporaryDirectory() as folder:
        files = [file_for(program, where, Path(folder)) for program in programs]
        for program, path in zip(programs, files, strict=True):     # files are in the page cache from here on
            run(program, where, path)
        for _ in range(rounds):
            for program, path in zip(programs, files, strict=True):
                runs[program.name].append(run(program, where, path))
    ours = [programs[0].name, *(program.name for program in programs[1:] if program.prepare)]
    reference = programs[1].name
    right = runs[reference][0]["ids"]
    for one in ours:
        if runs[one][0]["ids"] != right:
            raise harness.NotEqualError(f"{one} differs from the reference on {TEXT!r} with {where.vocabulary.name}")
    peers = {}
    for program in programs:
        found = runs[program.name]
        loads, imports = [one["load"] for one in found], [one["import"] for one in found]
        peers[program.name] = {
            "version": harness.installed(program.package), "exact": found[0]["ids"] == right,
            "load_ms": 1e3 * statistics.median(loads), "import_ms": 1e3 * statistics.median(imports),
            "both_ms": 1e3 * statistics.median(a + b for a, b in zip(loads, imports, strict=True)),
            "rss_mb": statistics.median(one["rss"] for one in found) / 1e6, "memory": found[0]["memory"],
            "loads": loads, "imports": imports}
    return {"setting": name, "vocabulary": where.vocabulary.name, "reference": reference, "peers": peers}


def summary(results: Sequence[dict[str, Any]]) -> str:
    rows = []
    for result in results:
        base = result["peers"][result["reference"]]
        for name, peer in result["peers"].items():
            rows.append([f"{result['vocabulary']}: {name}",
                         f"{peer['load_ms']:.2f}", f"x{peer['load_ms'] / base['load_ms']:.3f}",
                         f"{peer['both_ms']:.1f}", f"x{peer['both_ms'] / base['both_ms']:.2f}",
                         f"{peer['rss_mb']:.1f}", "" if peer["exact"] else "inexact"])
    return report.table(["CPU ms", "load + encode", "/ reference", "with import", "/ reference", "RSS MB", ""], rows)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--output", type=Path, default=report.folder() / "load.json")
    parser.add_argument("--settings", nargs="+", default=SETTINGS, choices=SETTINGS)
    options = parser.parse_args(argv)
    core = harness.pin()
    results, absent = [], set()
    for name in options.settings:
        where, programs = setting(name)
        missing = {program.name for program in programs if not present(program)}
        absent |= missing
        results.append(measure(name, where, [one for one in programs if one.name not in missing], options.rounds))
        print(name, file=sys.stderr, flush=True)
    print(f"absent, so skipped: {', '.join(sorted(absent)) or 'none'}", file=sys.stderr)
    report.write(options.output, report.results_of(results, sorted(absent), core=core))
    print(summary(results))


def present(program: Program) -> bool:
    return subprocess.run([sys.executable, "-c", program.imports], capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    main()
