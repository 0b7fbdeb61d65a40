"""The `tokenizer.json` of the tokenizers library, for BPE models, as a `Config`.

What a file asks for and this package does not do is a `FormatError` that names the field; nothing is ignored.

Cost  linear in the size of the file.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

from incbpe.bytemap import byte_name, names_to_bytes
from incbpe.merges import Place, read_rules
from incbpe.model import (
    Behavior,
    ByteFallback,
    ByteLevel,
    Config,
    DecodeStep,
    Duplicates,
    Form,
    Fuse,
    Model,
    Prepend,
    Replace,
    Split,
    Step,
    Strip,
    Trim,
    Unicode,
)
from incbpe.plainjson import Ids, Names, PlainModel, plain_model
from subwordio.added import AddedToken
from subwordio.errors import FormatError
from subwordio.fields import Fields, shown
from subwordio.files import StrPath, Utf8File, json_value, member, name_of, read_utf8_file
from subwordio.sections import read_added_tokens, read_padding, read_truncation, read_vocab, template_of
from subwordio.template import Template

__all__ = ["load_tokenizer_json", "make_model", "read_tokenizer_json"]

TOKENIZER_JSON_LIMIT = 2**29    # bytes of a tokenizer.json
BEHAVIORS: dict[str, Behavior] = {name.title().replace("_", ""): name for name in get_args(Behavior)}
BYTE_NAMES = tuple(f"<0x{b:02X}>" for b in range(256))


def load_tokenizer_json(path: StrPath, *, unicode: Unicode = "tokenizers", duplicates: Duplicates = "error",
                        sha256: str | None = None, limit: int = TOKENIZER_JSON_LIMIT) -> Config:
    """The whole of a tokenizer.json (version 1.0) whose model is a BPE.

    Served are: the normalizers NFC, NFD, NFKC, NFKD, Prepend, Replace of a string; the pre-tokenizers Split and, last,
    ByteLevel; the post-processors ByteLevel, TemplateProcessing and BertProcessing; the decoders ByteLevel, Replace of
    a string, ByteFallback, Fuse and Strip; and sequences of these.
    """
    file = read_utf8_file(path, what="a tokenizer.json", limit=limit, sha256=sha256)
    found = read_plain(file, name_of(path), unicode, duplicates)
    if found is not None:
        return found
    value = json_value(file.data[file.start:].decode(), name_of(path))
    return read_tokenizer_json(value, name_of(path), file.notes, unicode, duplicates)


def read_plain(file: Utf8File, name: str, unicode: Unicode, duplicates: Duplicates) -> Config | None:
    """The same of a file whose names and rules are plain, in a third of the time; None for any other.

    That is also said of one in which something is wrong: who reads everything one by one says what.
    """
    plain = plain_model(file.data, file.start)
    if plain is None:
        return None
    try:
        value = json_value(plain.rest.decode(), name)
        return read_tokenizer_json(value, name, file.notes, unicode, duplicates, plain)
    except FormatError:
        return None


def read_tokenizer_json(value: object, name: str, notes: tuple[str, ...] = (), unicode: Unicode = "tokenizers",
                        duplicates: Duplicates = "error", plain: PlainModel | None = None) -> Config:
    """The same of the value of a JSON file, which messages call `name`; with `plain`, that of its `rest`.

    Then it is a FormatError too if a name or a rule is not plain for the model that the rest asks for.
    """
    top = Fields(value, "", name)
    top.one_of("version", "1.0")
    part = top.fields("model")
    if part.has("type"):        # older files do not say it
        part.one_of("type", "BPE")
    normalizer = read_normalizer(top)
    splits, byte_level = read_pre_tokenizer(top)
    part.take("vocab")
    names, gaps, vocab = read_names(part) if plain is None else plain_names(plain)
    if gaps:
        notes = (*notes, f"{gaps} ids of the model have no token")
    options = read_model_options(part, vocab)
    if byte_level is not None and options["byte_ids"] is not None:
        if not all(byte_name(bytes((b,))) in vocab for b in range(256)):
            raise part.error("byte_fallback", "true beside ByteLevel is not supported where a byte has no token")
        options["byte_ids"] = None      # no byte is unknown
    rules = part.array("merges")
    part.finish()
    size = len(names)
    added = read_added_tokens(top, names, vocab)
    template, trim = read_post_processor(top, names)
    if plain is not None:
        made = make_plain(plain, name, byte_level is not None, duplicates, options)
    else:
        made = make_model(names[:size], rules, lambda i: f"{name}: model.merges[{i}]",
                          byte_level=byte_level is not None, added=added, duplicates=duplicates, options=options)
    decoder, notes = read_decoder(top), (*notes, *made.notes)
    if byte_level is not None and decoder is None:
        decoder, notes = (ByteLevel(),), (*notes, "the file has no decoder; the bytes of the tokens are decoded")
    config = Config(
        model=made.model, unicode=unicode, normalizer=normalizer, splits=splits,
        add_prefix_space=byte_level is not None and byte_level[0],
        byte_level_regex=byte_level is not None and byte_level[1], added_tokens=added, template=template,
        truncation=read_truncation(top), padding=read_padding(top), trim=trim, decoder=decoder,
        unmatched=made.unmatched, notes=notes)
    top.finish()
    return config


class Made(NamedTuple):
    """A model, its tokens that no text has, and what is to be noted."""

    model: Model
    unmatched: tuple[tuple[int, str], ...]
    notes: tuple[str, ...]


def make_model(names: list[str], rules: list[Any], place: Place, *, byte_level: bool, added: Sequence[AddedToken],
               duplicates: Duplicates, options: dict[str, Any], headers_from: int = 0) -> Made:
    """The model of names by id and of rules.

    In a byte-level model a name that holds other characters than the byte alphabet's can be in no text.
    """
    unk_id, never = options.get("unk_id"), set(BYTE_NAMES if options.get("byte_ids") else ())
    if unk_id is not None:
        never.add(names[unk_id])
    tokens: Sequence[bytes | str | None] = names_to_bytes(names) if byte_level else names
    found = read_rules(rules, dict(zip(names, tokens, strict=True)), place, duplicates, never, headers_from)
    unmatched: tuple[tuple[int, str], ...] = ()
    notes = found.notes
    if None in tokens:
        contents = {token.content for token in added}
        unmatched = tuple((i, names[i]) for i, token in enumerate(tokens) if token is None and names[i] not in contents)
        tokens = [token or b"" for token in tokens]
    if unmatched:
        notes = (f"{len(unmatched)} tokens hold characters that stand for no byte, so that no text has them; the first "
                 f"is {shown(unmatched[0][1])}", *notes)
    return Made(Model(tuple(tokens), found.pairs, duplicates=duplicates, **options),  # type: ignore[arg-type]
                unmatched, notes)


def read_names(part: Fields) -> tuple[Any, int, Any]:
    """The names by id, how many ids have none, and the ids by name."""
    names, gaps = read_vocab(part)
    return names, gaps, part.mapping("vocab")


def plain_names(plain: PlainModel) -> tuple[Any, int, Any]:
    """The same of plain ones."""
    return Names(plain), 0, Ids(plain)


def make_plain(plain: PlainModel, name: str, byte_level: bool, duplicates: Duplicates, options: dict[str, Any]) -> Made:
    """The same of plain names and rules."""
    never = [i for i in options["byte_ids"] or () if i >= 0]
    if options["unk_id"] is not None:
        never.append(options["unk_id"])
    tokens = plain.spelt_bytes() if byte_level else plain.texts()
    if tokens is None or plain.uses(never):
        raise FormatError(f"{name}: model: names or rules are not plain")
    return Made(Model(tokens, plain.merges(tokens), duplicates=duplicates, **options), (), ())


def read_model_options(part: Fields, vocab: Any) -> dict[str, Any]:
    """What the model's other fields say; older files leave some of them out."""
    if part.has("dropout") and part.take("dropout") != 0:
        raise part.error("dropout", f"{shown(part.value['dropout'])}: random merges are not supported; expected null")
    for key in ("continuing_subword_prefix", "end_of_word_suffix"):
        if part.has(key) and part.string(key):
            raise part.error(key, f"{shown(part.value[key])} is not supported; expected null")
    unk_id = None
    if part.has("unk_token"):
        unk_token = part.string("unk_token")
        if unk_token not in vocab:
            raise part.error("unk_token", f"{shown(unk_token)} is not in {member(part.place, 'vocab')}")
        unk_id = vocab[unk_token]
    fuse_unk, byte_fallback, ignore_merges = (
        part.boolean(key) if part.has(key) else False for key in ("fuse_unk", "byte_fallback", "ignore_merges"))
    return {"whole_piece": ignore_merges, "unk_id": unk_id, "fuse_unk": fuse_unk,
            "byte_ids": tuple(vocab.get(name, -1) for name in BYTE_NAMES) if byte_fallback else None}


def sequence(top: Fields, key: str, parts: str) -> list[Fields]:
    """The parts of an optional section in order: of a Sequence, which may hold others, or the section itself."""
    if not top.has(key):
        return []
    waiting, found = [top.fields(key)], []
    while waiting:
        part = waiting.pop()
        if part.value.get("type") != "Sequence":
            found.append(part)
            continue
        part.take("type")
        waiting.extend(reversed(list(part.objects(parts))))
        part.finish()
    return found


def read_normalizer(top: Fields) -> tuple[Step, ...]:
    steps: list[Step] = []
    for part in sequence(top, "normalizer", "normalizers"):
        kind = part.one_of("type", "NFC", "NFD", "NFKC", "NFKD", "Prepend", "Replace")
        if kind == "Prepend":
            steps.append(Prepend(part.string("prepend")))
        elif kind == "Replace":
            steps.append(read_replace(part))
        else:
            steps.append(Form(kind))  # type: ignore[arg-type]
        part.finish()
    return tuple(steps)


def read_replace(part: Fields) -> Replace:
    """A Replace of a literal string; of a regex it is not supported."""
    pattern = part.fields("pattern")
    old = pattern.string("String") if "Regex" not in pattern.value else None
    if old is None:
        raise pattern.error("Regex", "a Replace of a regex is not supported; expected a String")
    if not old:
        raise pattern.error("String", "expected a string that is not empty")
    pattern.finish()
    return Replace(old, part.string("content"))


def read_pre_tokenizer(top: Fields) -> tuple[tuple[Split, ...], tuple[bool, bool] | None]:
    """The splits; and where a ByteLevel ends them, its add_prefix_space and use_regex."""
    splits: list[Split] = []
    byte_level = None
    for part in sequence(top, "pre_tokenizer", "pretokenizers"):
        kind = part.one_of("type", "Split", "ByteLevel")
        if byte_level is not None:
            raise part.error(None, f"a {kind} after ByteLevel is not supported")
        if kind == "Split":
            splits.append(read_split(part))
        else:
            byte_level = (part.boolean("add_prefix_space"), not part.has("use_regex") or part.boolean("use_regex"))
            part.boolean("trim_offsets")        # says nothing here; the post-processor's does
            if byte_level[0] and splits:
                raise part.error("add_prefix_space", "true after a Split is not supported")
        part.finish()
    return tuple(splits), byte_level


def read_split(part: Fields) -> Split:
    pattern = part.fields("pattern")
    if len(pattern.value) != 1 or next(iter(pattern.value)) not in ("String", "Regex"):
        raise part.error("pattern", f"expected an object with String or Regex, got {shown(pattern.value)}")
    literal = "String" in pattern.value
    text = pattern.string("String" if literal else "Regex")
    if not text:
        raise part.error("pattern", "expected a pattern that is not empty")
    return Split(text, literal, BEHAVIORS[part.one_of("behavior", *BEHAVIORS)], part.boolean("invert"))


def read_post_processor(top: Fields, names: list[str]) -> tuple[Template | None, Trim | None]:
    template, trim = None, None
    for part in sequence(top, "post_processor", "processors"):
        if part.value.get("type") == "ByteLevel":
            part.take("type")
            prefix_space = part.boolean("add_prefix_space")
            if part.boolean("trim_offsets"):
                trim = Trim(prefix_space)
            if part.has("use_regex"):
                part.boolean("use_regex")       # says nothing here; the pre-tokenizer's does
            part.finish()
        elif template is None:
            part.one_of("type", "ByteLevel", "TemplateProcessing", "BertProcessing")
            template = template_of(part, names)
        else:
            raise part.error(None, "a second template is not supported")
    return template, trim


def read_decoder(top: Fields) -> tuple[DecodeStep, ...] | None:
    if not top.has("decoder"):
        return None
    steps: list[DecodeStep] = []
    for part in sequence(top, "decoder", "decoders"):
        kind = part.one_of("type", "ByteLevel", "Replace", "ByteFallback", "Fuse", "Strip")
        if kind == "ByteLevel":
            for key in ("add_prefix_space", "trim_offsets", "use_regex"):     # they say nothing here
                if part.has(key):
                    part.boolean(key)
            steps.append(ByteLevel())
        elif kind == "Replace":
            steps.append(read_replace(part))
        elif kind == "Strip":
            content = part.string("content")
            if len(content) != 1:
                raise part.error("content", f"expected one character, got {shown(content)}")
            steps.append(Strip(content, part.integer("start"), part.integer("stop")))
        else:
            steps.append(ByteFallback() if kind == "ByteFallback" else Fuse())
        part.finish()
    if ByteLevel() in steps and len(steps) > 1:
        raise FormatError(f"{top.file}: decoder: ByteLevel beside other steps is not supported")
    return tuple(steps)
