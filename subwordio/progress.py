"""A progress bar on a terminal for long inputs, and the speed at the end, both on standard error."""
import os
import stat
import sys
import time
from types import TracebackType
from typing import BinaryIO, Self, TextIO

LONG = 1_000_000       # bytes: from here on the end tells the speed
PATIENCE = 0.5         # seconds before a bar appears, and
STEP = 0.1             # between two states of it
WIDTH = 30


def bar_wanted(output: BinaryIO, errors: TextIO) -> bool:
    """Whether a bar can be seen and disturbs nothing: errors to a terminal, output to neither terminal nor pipe."""
    if not errors.isatty():
        return False
    try:
        mode = os.fstat(output.fileno()).st_mode
    except OSError:
        return False
    return not output.isatty() and not stat.S_ISFIFO(mode)


class Progress:
    """Counts bytes; with `bar`, draws how far they are of `total` (None: unknown).

    >>> progress = Progress(total=4_000_000)
    >>> progress.state(2_000_000, 0.5)
    '[===============               ]  50 %  4.0 MB/s'
    >>> progress.summary(0.5)
    '0.0 MB in 0.50 s, 0.0 MB/s'
    """

    def __init__(self, total: int | None = None, *, bar: bool = False, quiet: bool = False,
                 errors: TextIO | None = None) -> None:
        self.total = total
        self.bar = bar and not quiet
        self.quiet = quiet
        self.errors = errors if errors is not None else sys.stderr
        self.done = 0
        self.begin = time.perf_counter()
        self.next = PATIENCE
        self.drawn = 0                 # the width of what the bar's line holds

    def advance(self, size: int) -> None:
        """`size` more bytes are done."""
        self.done += size
        if not self.bar:
            return
        seconds = time.perf_counter() - self.begin
        if seconds >= self.next:
            self.next = seconds + STEP
            self.draw(self.state(self.done, seconds))

    def state(self, done: int, seconds: float) -> str:
        """The bar's text."""
        speed = f"{done / seconds / 1e6:.1f} MB/s"
        if not self.total:
            return f"{done / 1e6:.1f} MB  {speed}"
        share = min(done / self.total, 1.0)
        return f"[{'=' * int(share * WIDTH):{WIDTH}}] {share:4.0%}  {speed}".replace("%", " %")

    def summary(self, seconds: float) -> str:
        """What is said at the end."""
        return f"{self.done / 1e6:.1f} MB in {seconds:.2f} s, {self.done / seconds / 1e6:.1f} MB/s"

    def draw(self, text: str) -> None:
        self.errors.write("\r" + text.ljust(self.drawn))
        self.errors.flush()
        self.drawn = len(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self.drawn:
            self.draw("")
            self.errors.write("\r")
        if kind is None and not self.quiet and (self.drawn or self.done >= LONG):
            self.errors.write(self.summary(time.perf_counter() - self.begin) + "\n")
