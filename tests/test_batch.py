"""Batches: the same ids as one text after the other, whatever the number of threads; errors that name the text."""
import contextlib
import gc
import os
import random
import resource
import signal
import string
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from linmaxmatch import WordPiece
from subwordio import TokenLists

LETTERS = string.ascii_lowercase
TOKENS = ["[UNK]", *LETTERS, *(f"##{c}" for c in LETTERS), "the", "##ing", "caf\xe9", "\u65e5"]
SIZES = (0, 1, 63, 64, 65, 1000)
THREADS = (None, 1, 2, 3, 16)


@pytest.fixture(scope="module")
def tokenizer() -> WordPiece:
    return WordPiece(TOKENS, normalizer=None)


def some_texts(n: int, seed: int = 1) -> list[str | bytes]:
    draw = random.Random(seed)
    kinds = ["", " ", "the thing", "caf\xe9 \u65e5", "\ud83d\ude00 x", "\U0001f600", b"caf\xc3\xa9", b"", "going " * 30]
    return [draw.choice(kinds) for _ in range(n)]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("size", [1, 400])
def test_a_batch_is_one_text_after_the_other(tokenizer, n, size):
    """With size 400 most of the batches are long enough for threads."""
    texts = [text * size for text in some_texts(n)]
    expected = [tokenizer.encode(text) for text in texts]
    for threads in THREADS:
        lists = tokenizer.encode_batch(texts, threads=threads)
        lists.check()
        assert type(lists) is TokenLists and lists == expected
        assert len(lists.ids) == sum(map(len, expected))


def test_a_hundred_thousand_texts(tokenizer):
    texts = some_texts(100_000)
    expected = {text: tokenizer.encode(text) for text in set(texts)}
    lists = tokenizer.encode_batch(texts, threads=3)
    assert len(lists) == 100_000 and all(map(lambda ids, text: ids == expected[text], lists, texts))


def test_texts_of_very_different_lengths(tokenizer):
    texts = ["the " * 100_000, *["a"] * 1000, "", "b " * 30_000, *["caf\xe9"] * 1000, "\u65e5" * 50_000]
    expected = [tokenizer.encode(text) for text in texts]
    for threads in (1, 2, 5):
        assert tokenizer.encode_batch(texts, threads=threads) == expected
        assert tokenizer.encode_batch(texts[::-1], threads=threads) == expected[::-1]


def test_any_iterable(tokenizer):
    texts = ["the", "caf\xe9", "x"]
    expected = tokenizer.encode_batch(texts)
    for some in (tuple(texts), iter(texts), (text for text in texts), dict.fromkeys(texts), dict.fromkeys(texts).keys(),
                 np.array(texts), np.array(texts, dtype=object), map(str.encode, texts)):
        assert tokenizer.encode_batch(some) == expected
    assert tokenizer.encode_batch(()) == tokenizer.encode_batch(iter(())) == []


@pytest.mark.parametrize(("texts", "message"), [
    ("the", "texts: expected an iterable of str or bytes, got one str"),
    (b"the", "texts: expected an iterable of str or bytes, got one bytes"),
    (bytearray(), "got one bytearray"), (memoryview(b""), "got one memoryview"),
    (None, "texts: expected an iterable of str or bytes, got NoneType"), (7, "got int"),
    (["a", None], r"^texts\[1\]: expected str or bytes, got NoneType$"),
    (["a", "b", float("nan")], r"^texts\[2\]: expected str or bytes, got float$"),
    ([["a"], "b"], r"^texts\[0\]: expected str or bytes, got list$"),
    (["a"] * 5000 + [("a", "b")], r"^texts\[5000\]: expected str or bytes, got tuple$"),
    ([bytearray(b"a")], r"^texts\[0\]: expected str or bytes, got bytearray$"),
])
def test_what_is_no_text_is_named(tokenizer, texts, message):
    for threads in (None, 2):
        with pytest.raises(TypeError, match=message):
            tokenizer.encode_batch(texts, threads=threads)


@pytest.mark.parametrize("bad", [0, 1, 500, 998, 999])
def test_the_first_ill_formed_text_is_named(tokenizer, bad):
    texts = ["the " * 100] * 1000
    texts[-1] = b"\xff"
    texts[bad] = b"ab\xc3"
    for threads in (1, 2, 7):
        with pytest.raises(ValueError, match=rf"^texts\[{bad}\]: ill-formed UTF-8 at byte 2: the text ends"):
            tokenizer.encode_batch(texts, threads=threads)
    with pytest.raises(ValueError, match=r"^texts\[0\]: ill-formed UTF-8 at byte 2: the text ends"):
        tokenizer.encode_batch([texts[bad]])


def test_the_first_ill_formed_text_is_named_though_a_later_one_is_met_before(tokenizer):
    texts = ["the " * 250] * 8000       # text 490's part is still at work when the next one fails at once
    texts[490] = b"ab\xff"
    texts[510:600] = [b"\xff"] * 90
    for _ in range(5):
        with pytest.raises(ValueError, match=r"^texts\[490\]: "):
            tokenizer.encode_batch(texts, threads=2)


@pytest.mark.parametrize(("threads", "error", "message"), [
    (0, ValueError, "threads: expected at least 1, got 0"), (-1, ValueError, "got -1"),
    (-2**70, ValueError, "at least 1"), (True, TypeError, "threads: expected int or None, got bool"),
    ("2", TypeError, "got str"), (2.0, TypeError, "got float"),
])
def test_a_number_of_threads_that_is_none(tokenizer, threads, error, message):
    for texts in ([], ["a"], ["the " * 1000] * 100):
        with pytest.raises(error, match=message):
            tokenizer.encode_batch(texts, threads=threads)


def test_any_number_of_threads(tokenizer):
    texts = ["the " * 1000] * 100
    for threads in (np.int64(2), 10_000, 2**70):
        assert len(tokenizer.encode_batch(texts, threads=threads)) == 100


def test_without_threads_to_be_had(tokenizer, monkeypatch):
    def refuse(*_):
        raise RuntimeError("can't start new thread")
    texts = ["the " * 1000] * 100
    expected = tokenizer.encode_batch(texts, threads=1)
    monkeypatch.setattr("_thread.start_new_thread", refuse)
    assert tokenizer.encode_batch(texts, threads=4) == expected


def test_threads_are_used_and_end(tokenizer, monkeypatch):
    import _thread
    started = []
    start = _thread.start_new_thread

    def count(*arguments):
        started.append(1)
        return start(*arguments)
    monkeypatch.setattr("_thread.start_new_thread", count)
    tokenizer.encode_batch(["the"] * 100, threads=4)
    assert not started      # so few are encoded at once
    before = _thread._count()
    tokenizer.encode_batch(["the " * 1000] * 1000, threads=4)
    assert len(started) == 3
    deadline = time.monotonic() + 10
    while _thread._count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert _thread._count() <= before


def test_references_are_given_back(tokenizer):
    text = "the th\xefng " * 50_000
    for texts, threads in (([text] * 3, 1), ([text] * 3, 2), ([text, b"\xff"], 2), ([text, None], 1)):
        gc.collect()
        before = sys.getrefcount(text), sys.getrefcount(tokenizer)
        for _ in range(3):
            with contextlib.suppress(TypeError, ValueError):
                tokenizer.encode_batch(texts, threads=threads)
        time.sleep(0.05)    # a helper drops its own reference after its last word
        assert (sys.getrefcount(text), sys.getrefcount(tokenizer)) == before


def test_the_callers_list_may_change_meanwhile(tokenizer):
    for _ in range(5):
        texts = [f"the {i} " * 100 for i in range(5000)]
        junk: list[str] = []

        def change(texts=texts, junk=junk):
            texts.clear()
            junk.extend("z " * 350 + str(i) for i in range(5000))   # where the texts would have been
        changer = threading.Timer(0.01, change)
        changer.start()
        lists = tokenizer.encode_batch(texts, threads=2)
        changer.join()
        assert len(lists) in (0, 5000)      # 0 only where this thread had to wait before it began
        assert all(ids[0] == TOKENS.index("the") for ids in lists)


def resident() -> int:
    """KiB of memory in use (where the system does not tell: the most so far)."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize() // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_scratch_memory_is_used_again(tokenizer):
    text = "caf\xe9 " * 20_000
    for _ in range(3):
        tokenizer.encode_batch([text] * 4, threads=2)
    before = resident()
    for _ in range(1000):
        tokenizer.encode(text[:1000])
        tokenizer.encode_batch([text[:20_000]])
    for _ in range(100):
        tokenizer.encode_batch([text] * 4, threads=2)
    assert resident() - before < 10_000


def test_one_tokenizer_serves_many_threads(tokenizer):
    texts = [*some_texts(300), "the " * 5000, "caf\xe9 " * 5000]
    expected = [tokenizer.encode(text) for text in texts]
    wrong = []

    def use(seed):
        mine = list(range(len(texts)))
        random.Random(seed).shuffle(mine)
        for i in mine:
            if tokenizer.encode(texts[i]) != expected[i]:
                wrong.append(i)
        if tokenizer.encode_batch(texts, threads=2) != expected:
            wrong.append(seed)
    users = [threading.Thread(target=use, args=(seed,)) for seed in range(8)]
    for user in users:
        user.start()
    for user in users:
        user.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_after_a_fork(tokenizer):
    texts = ["the thing " * 1000] * 50
    expected = tokenizer.encode_batch(texts, threads=2)
    child = os.fork()
    if child == 0:
        same = tokenizer.encode_batch(texts, threads=2) == expected and tokenizer.encode(texts[0]) == expected[0]
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.fixture
def interruptible():
    """A shell starts what runs in its background with interrupts ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="this system sends no signals to threads")
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_a_batch(tokenizer, threads, interruptible):
    texts = ["the thing " * 1000] * 100_000     # 1 GB, of one object
    main = threading.get_ident()
    timer = threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT))
    started = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        tokenizer.encode_batch(texts, threads=threads)
    timer.join()
    assert time.monotonic() - started < 10
    assert tokenizer.encode_batch(texts[:50], threads=threads) == [tokenizer.encode(texts[0])] * 50
