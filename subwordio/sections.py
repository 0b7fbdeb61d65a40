"""The sections of a `tokenizer.json` that do not depend on its model: added tokens, template, truncation, padding.

Each function takes the file's top object (`subwordio.fields.Fields`), takes one field of it, and gives it typed. What
it asks for and we do not do is a `FormatError` that names the field.
"""
from __future__ import annotations

from subwordio.added import AddedToken
from subwordio.fields import Fields
from subwordio.padding import Direction, Padding, Strategy, Truncation
from subwordio.template import PLAIN, Piece, Special, Template, Text

__all__ = ["only_one", "read_added_tokens", "read_padding", "read_template", "read_truncation", "read_vocab",
           "template_of"]

TOKEN_LIMIT = 2**22             # tokens in a vocabulary
TOKEN_BYTES_LIMIT = 2**16       # bytes of UTF-8 in a token
LENGTH_LIMIT = 2**31 - 1        # ids in a row
STRATEGIES: dict[str, Strategy] = {
    "LongestFirst": "longest_first", "OnlyFirst": "only_first", "OnlySecond": "only_second"}


def only_one(part: Fields, key: str) -> Fields:
    """The one part of a `Sequence` of exactly one; any other part is itself."""
    if part.value.get("type") != "Sequence":
        return part
    part.take("type")
    parts = list(part.objects(key))
    if len(parts) != 1:
        raise part.error(key, f"a sequence of {len(parts)} is not supported; expected exactly one")
    part.finish()
    return parts[0]


def read_vocab(model: Fields) -> tuple[list[str], int]:
    """The tokens of the field `vocab` by id, "" where no token has the id, and how many ids have none."""
    vocab = model.mapping("vocab")
    if not set(map(type, vocab.values())) <= {int} or (
            min(vocab.values(), default=0) < 0 or max(vocab.values(), default=0) >= TOKEN_LIMIT):
        token, i = next((token, i) for token, i in vocab.items() if type(i) is not int or not 0 <= i < TOKEN_LIMIT)
        raise model.error("vocab", f"{token!r}: expected an id from 0 to {TOKEN_LIMIT - 1}, got {i!r:.60}")
    tokens = [""] * (max(vocab.values(), default=-1) + 1)
    for token, i in vocab.items():
        tokens[i] = token
    if len(set(vocab.values())) < len(vocab):
        twice = next(token for token, i in vocab.items() if tokens[i] != token)
        raise model.error("vocab", f"{twice!r} and {tokens[vocab[twice]]!r} have one id, {vocab[twice]}")
    if 4 * max(map(len, tokens), default=0) > TOKEN_BYTES_LIMIT:
        for i, token in enumerate(tokens):
            if len(token.encode()) > TOKEN_BYTES_LIMIT:
                raise model.error("vocab", f"id {i}: a token of {len(token.encode())} bytes, more than the limit of "
                                           f"{TOKEN_BYTES_LIMIT}")
    return tokens, len(tokens) - len(vocab)


def read_added_tokens(top: Fields, tokens: list[str], vocab: dict[str, int]) -> tuple[AddedToken, ...]:
    """The added tokens; those that are new to the model are put at the end of `tokens`.

    Their ids must be those that the library would give them, which does not look at what the file says.
    """
    if not top.has("added_tokens"):
        return ()
    added: dict[str, AddedToken] = {}
    highest = -1
    for item in top.objects("added_tokens"):
        content = item.string("content")
        if not content:
            raise item.error("content", "an added token must not be empty")
        if content in added:
            raise item.error("content", f"{content!r} is added twice")
        i = item.integer("id", TOKEN_LIMIT - 1)
        expected = vocab.get(content, max(len(vocab), highest + 1))
        if i != expected:
            why = "which the model gives it" if content in vocab else "the next one, as ids are counted"
            raise item.error("id", f"{content!r} has the id {i} here, but {expected} is {why}")
        if content not in vocab:
            if i < len(tokens):
                raise item.error("id", f"{i} is among the model's own ids, which have gaps and reach {len(tokens) - 1}")
            tokens.append(content)
        highest = max(highest, i)
        added[content] = AddedToken(content, i, **{flag: item.boolean(flag) for flag in (
            "special", "single_word", "lstrip", "rstrip", "normalized")})
        item.finish()
    return tuple(added.values())


def read_template(top: Fields, tokens: list[str]) -> Template:
    if not top.has("post_processor"):
        return PLAIN
    return template_of(top.fields("post_processor"), tokens)


def template_of(part: Fields, tokens: list[str]) -> Template:
    """The template of one post-processor."""
    kind = part.one_of("type", "TemplateProcessing", "BertProcessing")
    if kind == "BertProcessing":
        template = Template.bert(read_special(part, "cls", tokens), read_special(part, "sep", tokens))
    else:
        specials = read_special_tokens(part.fields("special_tokens"), tokens)
        single, pair = read_pieces(part, "single", specials), read_pieces(part, "pair", specials)
        for key, pieces, texts in (("single", single, "A"), ("pair", pair, "AB")):
            found = "".join(sorted("AB"[piece.sequence] for piece in pieces if isinstance(piece, Text)))
            if found != texts:
                raise part.error(key, f"expected each of the texts {texts!r} once, got {found!r}")
        template = Template(single, pair)
    part.finish()
    return template


def read_special(part: Fields, key: str, tokens: list[str]) -> int:
    """A pair of token and id, as in BertProcessing."""
    pair = part.array(key)
    if len(pair) != 2 or type(pair[0]) is not str or type(pair[1]) is not int:
        raise part.error(key, "expected a token and its id")
    check_named(part, key, pair[0], pair[1], tokens)
    return pair[1]


def check_named(part: Fields, key: str, token: str, i: int, tokens: list[str]) -> None:
    if not 0 <= i < len(tokens) or tokens[i] != token:
        raise part.error(key, f"{i} is not the id of {token!r}")


def read_special_tokens(part: Fields, tokens: list[str]) -> dict[str, tuple[int, ...]]:
    """The ids of each special token that a template may use."""
    specials: dict[str, tuple[int, ...]] = {}
    for key in part.value:
        item = part.fields(key)
        if item.string("id") != key:
            raise item.error("id", f"expected the name that it has in the template, {key!r}")
        ids, names = item.array("ids"), item.array("tokens")
        if not all(type(i) is int for i in ids):
            raise item.error("ids", "expected an array of ids")
        if not all(type(name) is str for name in names):
            raise item.error("tokens", "expected an array of strings")
        if len(ids) != len(names):
            raise item.error("ids", f"{len(ids)} ids for {len(names)} tokens")
        for i, name in zip(ids, names, strict=True):
            check_named(item, "ids", name, i, tokens)
        item.finish()
        specials[key] = tuple(ids)
    return specials


def read_pieces(part: Fields, key: str, specials: dict[str, tuple[int, ...]]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for item in part.objects(key):
        if len(item.value) != 1:
            raise item.error(None, "expected one of Sequence, SpecialToken")
        name = next(iter(item.value))
        if name not in ("Sequence", "SpecialToken"):
            raise item.error(name, "unknown piece; expected Sequence or SpecialToken")
        body = item.fields(name)
        if name == "Sequence":
            pieces.append(Text("AB".index(body.one_of("id", "A", "B")), body.integer("type_id")))
        else:
            special = body.string("id")
            if special not in specials:
                raise body.error("id", f"{special!r} is not among the special_tokens")
            pieces.append(Special(specials[special], body.integer("type_id")))
        body.finish()
    return tuple(pieces)


def read_direction(part: Fields) -> Direction:
    return "left" if part.one_of("direction", "Left", "Right") == "Left" else "right"


def read_truncation(top: Fields) -> Truncation | None:
    if not top.has("truncation"):
        return None
    part = top.fields("truncation")
    strategy = STRATEGIES[part.one_of("strategy", *STRATEGIES)]
    truncation = Truncation(part.integer("max_length", LENGTH_LIMIT), strategy, part.integer("stride", LENGTH_LIMIT),
                            read_direction(part) if "direction" in part.value else "right")
    part.finish()
    return truncation


def read_padding(top: Fields) -> Padding | None:
    if not top.has("padding"):
        return None
    part = top.fields("padding")
    length = None
    if part.value.get("strategy") != "BatchLongest":
        if not isinstance(part.take("strategy"), dict):
            raise part.error("strategy", "expected \"BatchLongest\" or {\"Fixed\": length}")
        strategy = part.fields("strategy")
        length = strategy.integer("Fixed", LENGTH_LIMIT)
        strategy.finish()
    else:
        part.take("strategy")
    multiple_of = part.integer("pad_to_multiple_of", LENGTH_LIMIT) if part.has("pad_to_multiple_of") else None
    part.string("pad_token")
    padding = Padding(length, read_direction(part), part.integer("pad_id"), part.integer("pad_type_id"), multiple_of)
    part.finish()
    return padding
