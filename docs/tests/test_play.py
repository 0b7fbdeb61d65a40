"""The interactive page in a real browser, opened from the disk: its programs against the packages on random worlds, its
examples stepped to the end, and the page as a user meets it.

Debian's Chromium, found by its name; never one that a driver fetches.
"""
import importlib.util
import itertools
import random
import re
import shutil
from dataclasses import asdict
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from incbpe import EagerOutput, SuccessorForest, normalize
from incbpe.trace import Tracer, dictionary_of
from linmaxmatch import Trie, Vocabulary, lin_max_match, precompute
from linmaxmatch.trace import trace

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "play" / "index.html"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
UNK = "<unk>"
WORLDS = 3000
CRITERIA = ("window", "chain", "maximal")


@pytest.fixture(scope="session")
def browser():
    assert CHROMIUM, "Chromium is not installed (Debian's package chromium)"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def opened(browser):
    """A page with nothing on the console, by colour scheme and width."""
    pages = []

    def open_page(scheme="light", width=1440):
        page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900}, reduced_motion="reduce")
        said = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda asked: said.extend([asked.url] * (not asked.url.startswith(("file:", "data:")))))
        page.goto(PAGE.as_uri())
        pages.append((page, said))
        return page

    yield open_page
    for page, said in pages:
        page.close()
        assert said == []


def tables(tokens, sharp):
    vocabulary = Vocabulary([*tokens, UNK], suffix_indicator=sharp, unk_token=UNK)
    return precompute(Trie(vocabulary, keep=lambda token, body: token != UNK))


def listed(step):
    """A step as JSON would hold it."""
    held = asdict(step)
    if "pops" in held:
        held["pops"] = list(held["pops"])
    else:
        held["tests"] = [{key: test[key] for key in ("token", "why", "w", "c")} for test in held["tests"]]
    return held


def random_vocabularies(count):
    draw = random.Random(1)
    for _ in range(count):
        sharp = draw.choice(["##", "##", "#", "a", "", "ab"])
        letters = draw.choice(["ab", "ab#", "abé😀"])
        bodies = ["".join(draw.choices(letters, k=draw.randint(1, 4))) for _ in range(draw.randint(1, 7))]
        tokens = list(dict.fromkeys(draw.choice(["", sharp]) + body for body in bodies))
        yield tokens, sharp, "".join(draw.choices(letters + "z" * (draw.random() < 0.2), k=draw.randint(0, 12)))


def test_linmaxmatch_on_random_worlds(opened):
    page, worlds = opened(), list(random_vocabularies(WORLDS))
    steps = page.evaluate("""worlds => worlds.map(([tokens, sharp, word]) => {
        const trie = new LinMaxMatch.Trie(tokens, sharp), tables = LinMaxMatch.precompute(trie);
        const steps = LinMaxMatch.trace(tables, word), naive = LinMaxMatch.rewinding(trie, word);
        const found = naive.map(s => s.tokens).filter(Boolean).flat();
        return [trie.chi, tables.f, tables.F, steps, LinMaxMatch.result(steps), found];
    })""", worlds)
    kinds = set()
    for (tokens, sharp, word), (chi, f, pops, made, result, naive) in zip(worlds, steps, strict=True):
        here = tables(tokens, sharp)
        n = len(here.trie)
        assert chi == [here.trie.chi(v) for v in range(n)], (tokens, sharp)
        assert f == [here.f(v) for v in range(n)], (tokens, sharp)
        assert pops == [here.F(v) for v in range(n)], (tokens, sharp)
        expected = [listed(step) for step in trace(here, word)]
        assert made == expected, (tokens, sharp, word)
        assert result == lin_max_match(here, word)
        if not word.startswith(sharp or "\0"):
            assert naive[-1:] == [UNK] if result == [UNK] else naive == result, (tokens, sharp, word)
        kinds |= {step["kind"] for step in expected}
    assert kinds == {"edge", "failure", "boundary", "unknown", "literal"}


def random_rules(count):
    draw = random.Random(2)
    for _ in range(count):
        letters = draw.choice(["a", "ab", "ab", "abc"])
        tokens, rules = list(letters), []
        for _ in range(draw.randint(0, 7)):
            x, y = draw.choice(tokens), draw.choice(tokens)
            if (x, y) not in rules and len(x + y) <= 8:
                rules.append((x, y))
                tokens.append(x + y)
        if draw.random() < 0.3:
            draw.shuffle(rules)
        if rules:
            letters += "?" * (draw.random() < 0.1)
            yield [f"{x} {y}" for x, y in rules], "".join(draw.choices(letters, k=draw.randint(0, 9)))


def test_incremental_bpe_on_random_worlds(opened):
    page, worlds = opened(), list(random_rules(WORLDS))
    made = page.evaluate("""worlds => worlds.map(([rules, text]) => {
        const N = IncBPE.normalize(IncBPE.dictionary(rules)), steps = IncBPE.trace(N, text);
        return [N.order.map(z => [z, N.tin.get(z), N.tout.get(z), N.range.get(z)]), steps,
                ["window", "chain", "maximal"].map(c => steps.map((_, k) => IncBPE.released(N, steps, k + 1, c)))];
    })""", worlds)
    whys = set()
    for (rules, text), (order, steps, released) in zip(worlds, made, strict=True):
        normalized = normalize(dictionary_of(rules), "equation")
        forest = SuccessorForest(normalized)
        assert order == [[z, *forest.interval(z), None if forest.parent(z) is None else list(forest.valid_range(z))]
                         for z in forest.preorder()], rules
        thetas = [listed(step) for step in Tracer(normalized).trace(text)]
        assert steps == thetas, (rules, text)
        for criterion, counts in zip(CRITERIA, released, strict=True):
            e = EagerOutput(normalized, criterion)
            total = itertools.accumulate([len(e.feed(c)) for c in text])
            assert counts == list(total), (rules, text, criterion)
        whys |= {test["why"] for step in thetas for test in step["tests"]}
    assert whys == {"atom", "after pre", "later", "earlier", "elsewhere"}


def test_the_examples_are_those_of_the_packages(opened):
    page = opened()
    made = page.evaluate("""[GALLERY.lin.map(example => {
        const trie = new LinMaxMatch.Trie(example.vocabulary.split(' '), example.sharp);
        return LinMaxMatch.trace(LinMaxMatch.precompute(trie), example.word);
    }), GALLERY.bpe.map(example => {
        const N = IncBPE.normalize(IncBPE.dictionary(example.rules.split(', ')));
        return IncBPE.trace(N, example.text);
    })]""")
    given = page.evaluate("[GALLERY.lin.map(example => example.steps), GALLERY.bpe.map(example => example.steps)]")
    assert made == given
    assert page.evaluate("[GALLERY.lin.length, GALLERY.bpe.length]") == [9, 6]


def test_the_gallery_is_written_by_the_packages():
    spec = importlib.util.spec_from_file_location("make_gallery", ROOT / "scripts" / "make_gallery.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert (PAGE.parent / "gallery.js").read_text(encoding="utf-8") == script.gallery()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_every_example_is_stepped_to_its_end(opened, scheme, width):
    page = opened(scheme, width)
    for prefix, tab in (("lin", "tab-lin"), ("bpe", "tab-bpe")):
        page.click(f"#{tab}")
        for k in range(page.evaluate(f"GALLERY.{prefix}.length")):
            page.select_option(f"#{prefix}-gallery", str(k))
            last = int(page.get_attribute(f"#{prefix}-place", "max"))
            assert last > 0
            for _ in range(last):
                page.click(f"#{prefix}-next")
            assert page.input_value(f"#{prefix}-place") == str(last)
            assert page.inner_text(f"#{prefix}-error") == ""
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (prefix, k)
        page.click(f"#{prefix}-first")
        assert page.input_value(f"#{prefix}-place") == "0"


def test_the_paper_s_walk_through(opened):
    page = opened()
    page.select_option("#lin-gallery", "0")
    page.click("#lin-last")
    assert page.inner_text("#lin-pops").split() == ["a", "##bc", "##z"]
    assert page.inner_text("#lin-count") == "4 edges + 3 failure moves"
    assert page.inner_text("#lin-naive-pops").split() == ["a", "##bc", "##z"]
    page.click("#lin-back")
    assert "pops ##z" in page.inner_text("#lin-said")


def test_where_reading_again_costs(opened):
    page = opened()
    page.select_option("#lin-gallery", label="Where reading again costs")
    page.click("#lin-last")
    edges, moves = map(int, re.findall(r"\d+", page.inner_text("#lin-count")))
    looked = int(page.inner_text("#lin-naive-count").split()[0])
    assert (edges, moves) == (12, 12)
    assert looked > 2 * (edges + moves)


def test_what_is_final(opened):
    page = opened()
    page.click("#tab-bpe")
    page.fill("#bpe-rules", "b b")
    page.fill("#bpe-text", "bb")
    page.click("#bpe-last")
    counts = [row.split("\t")[-1] for row in page.inner_text("#bpe-eager").splitlines()]
    assert counts == ["0 of 1", "0 of 1", "1 of 1"]


def test_keys_and_tabs(opened):
    page = opened()
    page.click("h1")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.input_value("#lin-place") == "3"
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert page.input_value("#lin-place") == str(int(page.get_attribute("#lin-place", "max")) - 1)
    page.focus("#tab-lin")
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("#tab-bpe", "aria-selected") == "true"
    assert page.is_visible("#bpe") and not page.is_visible("#lin")


def test_what_is_typed_wrong_is_said(opened):
    page = opened()
    page.fill("#lin-word", "two words")
    assert page.inner_text("#lin-error") == "A word has no white space."
    page.click("#tab-bpe")
    page.fill("#bpe-rules", "a b, ab")
    assert page.inner_text("#bpe-error").startswith("rule 1: “ab”: expected two tokens")
    page.fill("#bpe-rules", "a b, a b")
    assert page.inner_text("#bpe-error") == "rule 1: the pair a b is there already"


def test_everything_that_acts_has_a_name(opened):
    page = opened()
    assert page.evaluate("""[...document.querySelectorAll('button, input, select, [tabindex="0"]')].filter(element =>
        !(element.textContent.trim() || element.getAttribute('aria-label') || element.labels?.length)).length""") == 0
    assert page.evaluate("[...document.querySelectorAll('svg')].every(svg => svg.getAttribute('aria-label'))")
