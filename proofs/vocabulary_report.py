"""A vocabulary of your own: what it is, what the statements say on it, and which of its entries no text is given.

`python -m proofs --vocab FILE`. Every statement of the vocabulary's paper is checked on closed parts of it that are
drawn at random (`subvocabularies`), and those whose definition is fast enough on the vocabulary as a whole too
(`vocabulary_check`, `bpe_vocabulary_check`). The exit code is 1 if a statement fails or the file is bad.
"""
import json
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proofs import bpe_vocabulary_check, check, running, subvocabularies, vocabulary_check
from proofs.definitions.wordpiece import Vocabulary
from proofs.entries import Entries, of_bpe, of_wordpiece
from proofs.live import GREEN, RED, Lines, shortened
from proofs.running import Options, Task
from proofs.verdicts import title_of
from proofs.vocabulary_file import Loaded, load

EXAMPLES = 20
"""Parts of the vocabulary that each statement is checked on, unless told otherwise."""
WIDTHS = (14, 10, 9)


@dataclass
class Checked:
    """What one statement said on a vocabulary."""

    statement: str
    title: str
    cases: int = 0
    """on the whole vocabulary"""
    parts: int = 0
    """how many of its parts were checked"""
    seconds: float = 0.0
    meaning: str = ""
    """what was checked on the whole vocabulary"""
    failure: str = ""
    witness: tuple[str, ...] = ()
    legend: dict[str, str] = field(default_factory=dict)
    note: str = ""


class Subject:
    """A loaded vocabulary, made ready for the checks of its paper."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded, tokenizer = loaded, loaded.tokenizer
        self.second = not loaded.wordpiece
        if self.second:
            self.ones: list[Any] = [bpe_vocabulary_check.OnOne(tokenizer)]
            self.checks: list[tuple[str, Callable[[Any], Iterator[Any]]]] = list(bpe_vocabulary_check.CHECKS)
            self.part: Any = subvocabularies.Source([t for t in tokenizer.model.tokens if t], self.ones[0].rules)
        else:
            compiled = tokenizer.vocabulary
            self.part = Vocabulary(frozenset(compiled.tokens) - {""}, compiled.suffix_indicator, compiled.unk_token)
            self.ones = list(vocabulary_check.forms(self.part, tokenizer))
            self.checks = list(vocabulary_check.CHECKS)

    def whole(self, statement: str) -> list[Callable[[Any], Iterator[Any]]]:
        """What is checked on the whole vocabulary for a statement."""
        return [predicate for prefix, predicate in self.checks if f"{statement}_".startswith(f"{prefix}_")]

    def facts(self) -> list[str]:
        """The vocabulary in a few lines."""
        return bpe_facts(self.ones[0]) if self.second else wordpiece_facts(self.ones, self.part)


def wordpiece_facts(ones: list[Any], V: Vocabulary) -> list[str]:
    one_trie, two_roots = ones
    longest = max(V.tokens, key=lambda token: (len(token), token))
    pops = [len(one_trie.tables.F(v)) for v in range(len(one_trie.T))]
    stuck = sum(one_trie.tables.f(v) is None for v in range(len(one_trie.T)))
    sharp = V.suffix_indicator
    literal = sum(not sharp or not token.startswith(sharp) for token in V.tokens)
    return [
        f"{len(V.tokens):,} different entries, {literal:,} of them begin a word; ♯ = {sharp or 'ε'}, unknown words are "
        f"{V.unk_token}",
        f"longest entry: {len(longest)} characters, {longest!r}",
        f"the paper's one trie: {len(one_trie.T):,} nodes; failure pops: {sum(pops):,} tokens in all, at most "
        f"{max(pops)} at a node, none at {stuck:,} nodes",
        f"the tokenizer is made from the trie with two roots, {len(two_roots.T):,} nodes: there no word is special, "
        "also none that begins with ♯ (Proposition 2)"]


def bpe_facts(one: Any) -> list[str]:
    tokens, unit = [token for token in one.tokenizer.model.tokens if token], "bytes" if one.D.binary else "characters"
    longest = max(tokens, key=lambda token: (len(token), token))
    other = [z for z in tokens if not one.N.is_canonical(z)]
    some = ", ".join(f"{z!r} as {one.PQ(z)}" for z in other[:3])
    depth = one.forest.depth() if one.forest is not None else None
    return [
        f"{len(tokens):,} entries of {unit}, {len(one.rules):,} rules",
        f"longest entry: {len(longest)} {unit}, {shortened(repr(longest), 60)}",
        f"canonical, which means left whole by merging: {len(tokens) - len(other):,}"
        + (f"; the other {len(other):,} are merged otherwise: {some}" if other else ", all of them"),
        f"{'proper' if one.N.proper else 'improper'}: rank BPE and the rules in their order (equation 1) "
        + ("agree on every text" if one.N.proper else f"differ, first on {improper(one)}"),
        f"served by the form {one.N.form!r}: {one.N.reason}",
        f"automaton of {one.automaton.states:,} states"
        + (f", successor forest {depth} deep" if depth is not None else "; no successor forest")]


def improper(one: Any) -> str:
    """The first entry that the two make differently."""
    found = next((z for z in one.D.tokens if one.PQ(z) != one.PQ(z, from_rank=True)), None)
    return f"{found!r}: {one.PQ(found)} and {one.PQ(found, from_rank=True)}" if found is not None else "no entry"


def check_one(subject: Subject, path: Path, options: Options) -> Checked:
    """One statement on the whole vocabulary, as far as it can be, and on parts of it."""
    said = Checked(path.stem, title_of(path, check.load(path).__doc__))
    began = time.perf_counter()
    for predicate in subject.whole(path.stem):
        said.meaning = (predicate.__doc__ or "").splitlines()[0].rstrip(".")
        for witness in (witness for one in subject.ones for witness in predicate(one)):
            said.cases += 1
            if witness is not None:
                said.failure, said.witness = "on the whole vocabulary", tuple(map(repr, witness))
                break
    module = check.load(path)
    names = [name for name in running.checks_of(module, options) if running.is_random(getattr(module, name))]
    with subvocabularies.drawing_from(subject.part):
        for name in names if not said.failure else ():
            outcome = running.run(Task(path, name, options))
            if outcome.failure.startswith("Unsatisfiable"):
                said.note = "it has no part of the kind that this is about"
            elif outcome.failure:
                said.failure, said.witness = outcome.failure, outcome.witness
                said.legend = dict(subvocabularies.LEGEND) if subject.second else {}
            elif subvocabularies.DRAWN[0]:
                said.parts += outcome.counts["random"]
            else:
                said.note = "its random worlds are its own"
            said.note = outcome.skipped or said.note
    said.seconds = time.perf_counter() - began
    return said


def say(said: Checked, lines: Lines, command: str) -> None:
    cells = (f"{said.cases:,}" if said.cases else "–", f"{said.parts:,}" if said.parts else "–",
             f"{said.seconds:.1f}")
    verdict = lines.coloured("FAILS", RED) if said.failure else lines.coloured("holds", GREEN)
    if not said.failure and not said.cases and not said.parts:
        verdict = "not on this vocabulary: " + said.note
    row = "".join(cell.rjust(width) for cell, width in zip(cells, WIDTHS, strict=True))
    lines.say(f"{shortened(said.title, lines.width):<{lines.width}}{row}  {verdict}")
    if said.failure:
        *world, left, right = ("", "", *said.witness)[-max(2, len(said.witness)):]
        lines.say(f"    {said.failure}" if not said.witness else f"    world   {', '.join(world) or 'the vocabulary'}\n"
                  f"    this    {left}\n    not     {right}")
        if said.legend:
            lines.say("    where   " + ", ".join(f"{name} = {symbol}" for name, symbol in said.legend.items()))
        lines.say(f"    repeat  {command} --only {said.statement}")


def main(path: str, files: list[Path], options: Namespace) -> int:
    """Print the report on a vocabulary file."""
    try:
        subject = Subject(load(path))
    except (OSError, ValueError, TypeError, ImportError) as error:
        print(" ".join(str(error).split()))
        return 1
    statements = [file for file in files if file.stem.startswith(check.SECOND) == subject.second]
    lines = Lines([title_of(file, check.load(file).__doc__) for file in statements])
    began = time.perf_counter()
    paper = "incremental BPE" if subject.second else "Fast WordPiece"
    lines.say(f"{path}: {subject.loaded.format}; the statements of the paper on {paper}")
    facts = subject.facts()
    for line in [*facts, *subject.loaded.notes]:
        lines.say("  " + line)
    examples = EXAMPLES if options.examples is None else options.examples
    lines.say(f"\n{'statement':<{lines.width}}" + "".join(heading.rjust(width) for heading, width in zip(
        ("on the whole", "on parts", "seconds"), WIDTHS, strict=True)) + "  verdict")
    run_options = Options(check.USUAL, examples, options.seed)
    said = []
    for file in statements:
        said.append(check_one(subject, file, run_options))
        say(said[-1], lines, f"python -m proofs --vocab {path} --seed {options.seed} --examples {examples}")
    lines.say("\non the whole: cases on all entries, nodes or words of the whole vocabulary\n"
              f"on parts: {examples} parts, each some entries drawn at random with all entries inside them, for all "
              "statements, since\n          most definitions are too slow for the whole vocabulary")
    entries = of_bpe(subject) if subject.second else of_wordpiece(subject)
    lines.say()
    for line in entries.lines():
        lines.say(line)
    failed = sum(bool(one.failure) for one in said) + len(entries.wrong)
    lines.say(f"\n{len(said)} statement{'s' * (len(said) != 1)}: {f'{failed} FAIL' if failed else 'all hold'}; "
              f"{time.perf_counter() - began:.0f} s")
    if options.json is not None:
        try:
            options.json.write_text(as_json(path, subject, facts, said, entries), "utf-8")
        except OSError as error:
            print(error)
            return 1
    return 1 if failed else 0


def as_json(path: str, subject: Subject, facts: list[str], said: list[Checked], entries: Entries) -> str:
    return json.dumps({
        "file": path, "format": subject.loaded.format, "facts": facts, "notes": subject.loaded.notes,
        "holds": not entries.wrong and not any(one.failure for one in said),
        "statements": [vars(one) for one in said],
        "never": {reason: len(some) for reason, some in entries.never.items()}, "reached": entries.reached},
        ensure_ascii=False, indent=1) + "\n"
