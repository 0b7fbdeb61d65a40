"""One tokenizer used by many threads, and by a child of the process: what it gives is what was expected."""
import os
import threading


def agree_in_sixteen_threads(tokenizer, texts, expected):
    wrong = []

    def work(first):
        for k in range(24):
            i = (first + k) % len(texts)
            same = (tokenizer.encode(texts[i]) == expected[i] if k % 3 else
                    tokenizer.encode_batch(texts[i:], threads=2) == expected[i:])
            if not same:
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    tokenizer.check()


def agree_after_a_fork(tokenizer, texts, expected):
    """After half of the texts were encoded here, all of them in the child and here."""
    half = len(texts) // 2
    assert [tokenizer.encode(text) for text in texts[:half]] == expected[:half]
    child = os.fork()
    if child == 0:
        good = False
        try:
            good = [tokenizer.encode(text) for text in texts] == expected
            tokenizer.check()
        finally:
            os._exit(0 if good else 1)
    assert [tokenizer.encode(text) for text in texts] == expected
    assert os.waitpid(child, 0)[1] == 0
