"""How far a run is: a bar with bytes, documents, tokens, speed and remaining time; and a line at the end."""
from typing import TextIO

from subwordio.progress import WIDTH, Progress


class Meter(Progress):
    """Counts what was read and written. `consumed` of `total` bytes of the input files, None: unknown, are read.

    >>> meter = Meter(total=4_000_000)
    >>> meter.add(size=2_000_000, documents=1000, tokens=500_000, consumed=1_000_000)
    >>> meter.state(meter.done, 0.5)
    '[=======                       ]  25 %  2.0 MB  1,000 documents  500,000 tokens  4.0 MB/s  0:00:01 left'
    """

    def __init__(self, total: int | None = None, *, bar: bool = False, quiet: bool = False, before: int = 0,
                 errors: TextIO | None = None) -> None:
        super().__init__(total, bar=bar, quiet=quiet, errors=errors)
        self.before = self.consumed = before        # what an earlier run has read
        self.documents = self.tokens = 0

    def add(self, size: int, documents: int, tokens: int, consumed: int) -> None:
        """A block is written."""
        self.done += size
        self.documents += documents
        self.tokens += tokens
        self.consumed = max(self.consumed, consumed)

    def show(self) -> None:
        """Draw the bar, if it is time to."""
        self.advance(0)

    def state(self, done: int, seconds: float) -> str:
        counted = f"{done / 1e6:.1f} MB  {self.documents:,} documents  {self.tokens:,} tokens"
        speed = f"{done / seconds / 1e6:.1f} MB/s"
        if not self.total or self.consumed <= self.before:
            return f"{counted}  {speed}"
        share = min(self.consumed / self.total, 1.0)
        left = seconds * max(self.total - self.consumed, 0) / (self.consumed - self.before)
        bar = f"[{'=' * int(share * WIDTH):{WIDTH}}] {share:4.0%}".replace("%", " %")
        return f"{bar}  {counted}  {speed}  {clock(left)} left"

    def summary(self, seconds: float) -> str:
        return (f"{self.done / 1e6:.1f} MB, {self.documents:,} documents, {self.tokens:,} tokens in {seconds:.2f} s, "
                f"{self.done / seconds / 1e6:.1f} MB/s")


def clock(seconds: float) -> str:
    """Hours, minutes and seconds.

    >>> clock(3725.4)
    '1:02:05'
    """
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
