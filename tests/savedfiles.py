"""What is asked of saved files of any kind of tokenizer. `kind` is its class."""
import subprocess
import sys

import pytest

from subwordio.errors import FormatError

CYCLE = """
import gc, sys
from {module} import {name} as kind
load, path = kind.load, sys.argv[1]
gc.collect()
gc.disable()
for _ in range(3):
    cycle = [load(path)]
    cycle.append(cycle)
    del cycle
    assert gc.collect() > 0
load(path).encode("a")
"""
MAPPED = """
import re, sys
from {module} import {name} as kind
tokenizer = kind.load(sys.argv[1])
tokenizer.encode(sys.argv[2] * 100, offsets=True)
parts = re.split(r"(?m)^(?=[0-9a-f]+-[0-9a-f]+ )", open("/proc/self/smaps").read())
mine = [part for part in parts if sys.argv[1] in part]
print(len(mine), *[sum(int(kb) for part in mine for kb in re.findall(field + r": +(\\d+) kB", part))
                   for field in ("Rss", "Anonymous")])
"""


def refused(kind, path, *words, verify=True):
    with pytest.raises(FormatError) as caught:
        kind.load(path, verify=verify)
    message = str(caught.value)
    assert message.startswith(f"{path}: ") and all(word in message for word in words), message


def in_a_process(script, kind, *arguments):
    script = script.format(module=kind.__module__, name=kind.__name__)
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def collected_in_a_cycle(kind, path):
    """What the garbage collector takes apart before it is freed frees no memory of the file. In a process of its own:
    what is freed wrongly ends the process."""
    in_a_process(CYCLE, kind, path)


def mapped_and_not_copied(kind, path, text):
    mapped, resident, copied = map(int, in_a_process(MAPPED, kind, path, text).split())
    assert mapped == 1 and resident > 100 and copied == 0
