"""Options of a command line in messages: for arguments that a library's error names, and where two do not agree."""
import argparse
import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

__all__ = ["FlagParser", "in_flags", "refuse_beside"]


class FlagParser(argparse.ArgumentParser):
    """A parser whose errors name options. `flags`: by argument, or "argument=value", the option that sets it."""

    flags: Mapping[str, str] = {}       # never changed: another one takes its place

    def error(self, message: str) -> NoReturn:
        super().error(in_flags(message, self.flags))


def in_flags(message: str, flags: Mapping[str, str]) -> str:
    """The message of an error with options for arguments: those that it begins with, and those that an "=" follows.

    >>> flags = {"pattern": "--pattern", "special_tokens": "--specials", "special_tokens=True": "--special-tokens"}
    >>> in_flags("pattern, special_tokens: a.json says it all", flags), in_flags("a/pattern=b: is empty", flags)
    ('--pattern, --specials: a.json says it all', 'a/pattern=b: is empty')
    >>> in_flags("'pattern=b' is no token", flags)
    "'pattern=b' is no token"
    >>> in_flags("give pattern='gpt2' or a regex", flags), in_flags("special_tokens=True: there is no template", flags)
    ("give --pattern 'gpt2' or a regex", '--special-tokens: there is no template')
    """
    if not flags:
        return message
    names = "|".join(name for name in flags if "=" not in name)
    message = re.sub(rf"^(?:{names})(?:, (?:{names}))*(?=: )",
                     lambda found: ", ".join(flags[name] for name in found[0].split(", ")), message)
    spelt = {name if "=" in name else f"{name}=": flag if "=" in name else f"{flag} " for name, flag in flags.items()}
    longest_first = "|".join(map(re.escape, sorted(spelt, key=len, reverse=True)))
    return re.sub(rf"(?<![\w./'\"-])(?:{longest_first})", lambda found: spelt[found[0]], message)


def refuse_beside(parser: argparse.ArgumentParser, arguments: argparse.Namespace, why: str,
                  names: Sequence[str]) -> None:
    """Refuse the first of some options that was given: it would say nothing. One that was not is None."""
    for name in names:
        if getattr(arguments, name, None) is not None:
            parser.error(f"{why}: --{name.replace('_', '-')} does not go beside it")
