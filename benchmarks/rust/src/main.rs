//! The Rust crates that are measured beside ours, behind one small protocol; `benchmarks/rust.py` is the other end.
//!
//!     peers NAME RANKS MERGES JSON
//!
//! NAME is "cl100k" or "o200k" where the crates that bring a model's vocabulary and splits with them are wanted, else "-".
//! RANKS has the tokens in hexadecimal by id, a line each, MERGES two tokens a line in order, JSON is a tokenizer.json;
//! "-" leaves a file out, and the encoders that need it. First comes a line with the encoders' names, tab between, and on
//! standard error why others are not there. Then each line that is read is answered by one:
//!
//!     text PATH           the text from here on                              ok
//!     ids NAME PATH       writes its ids to a file, 32 bits each             their number
//!     time NAME           encodes it once                                    nanoseconds of CPU time
use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};

type Encoder = Box<dyn Fn(&str) -> Vec<u32>>;
type Made = Result<Vec<(&'static str, Encoder)>, String>;

#[allow(dead_code)]
const NOT_BUILT: &str = "built without it";

fn named(name: &'static str, encoder: impl Fn(&str) -> Vec<u32> + 'static) -> (&'static str, Encoder) {
    (name, Box::new(encoder))
}

#[allow(dead_code)]
fn bytes_of(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hexadecimal")).collect()
}

#[allow(dead_code)]
fn lines(path: &str) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    Ok(text.lines().map(str::to_owned).collect())
}

#[allow(dead_code)]
fn tokens(path: &str) -> Result<Vec<Vec<u8>>, String> {
    Ok(lines(path)?.iter().map(|line| bytes_of(line)).collect())
}

/// The paper's own implementation: the last token of every prefix, then the way back from the end.
#[cfg(feature = "mtc-inc-bpe")]
fn inc_bpe(ranks: &str, merges: &str) -> Made {
    use mtc_inc_bpe::{Dictionary, IncBpeTokenizer, NormalizedDict, Vocab};

    let vocab = Vocab::new(tokens(ranks)?).map_err(|error| error.to_string())?;
    let pairs = lines(merges)?.iter().map(|line| line.split_once(' ').expect("two tokens"))
        .map(|(left, right)| (bytes_of(left), bytes_of(right))).collect::<Vec<_>>();
    let dictionary = Dictionary::new_from_token_pair(vocab, pairs).map_err(|error| error.to_string())?;
    let normalized = NormalizedDict::new_in_bytes(dictionary).map_err(|error| error.to_string())?;
    let tokenizer = IncBpeTokenizer::new(normalized);
    Ok(vec![named("mtc-inc-bpe", move |text| {
        let state = tokenizer.tokenize(tokenizer.split_bytes_to_tokens_unchecked(text.as_bytes()));
        let found = state.inc_tokens();
        let mut ids = Vec::new();
        let mut end = found.len();
        while end > 0 {
            let last = found[end - 1];
            ids.push(last.token_id.inner());
            end -= last.skip_len as usize;
        }
        ids.reverse();
        ids
    })])
}

#[cfg(not(feature = "mtc-inc-bpe"))]
fn inc_bpe(_: &str, _: &str) -> Made {
    Err(NOT_BUILT.to_owned())
}

/// Both encoders of the crate that give a text's ids.
#[cfg(feature = "bpe")]
fn bpe(ranks: &str) -> Made {
    use ::bpe::byte_pair_encoding::{find_hash_factor_for_dictionary, BytePairEncoding};
    use std::rc::Rc;

    let all = tokens(ranks)?;
    let factor = find_hash_factor_for_dictionary(all.clone());
    let one = Rc::new(BytePairEncoding::from_dictionary(all, Some(factor)));
    let other = one.clone();
    Ok(vec![named("bpe backtracking", move |text| one.encode_via_backtracking(text.as_bytes())),
            named("bpe table", move |text| other.encode_via_table(text.as_bytes()))])
}

#[cfg(not(feature = "bpe"))]
fn bpe(_: &str) -> Made {
    Err(NOT_BUILT.to_owned())
}

#[cfg(feature = "bpe-openai")]
fn bpe_openai(name: &str) -> Made {
    let tokenizer = if name == "cl100k" { ::bpe_openai::cl100k_base() } else { ::bpe_openai::o200k_base() };
    Ok(vec![named("bpe-openai", move |text| tokenizer.encode(text))])
}

#[cfg(not(feature = "bpe-openai"))]
fn bpe_openai(_: &str) -> Made {
    Err(NOT_BUILT.to_owned())
}

#[cfg(feature = "tiktoken-rs")]
fn tiktoken(name: &str) -> Made {
    let made = if name == "cl100k" { tiktoken_rs::cl100k_base() } else { tiktoken_rs::o200k_base() };
    let tokenizer = made.map_err(|error| error.to_string())?;
    Ok(vec![named("tiktoken-rs", move |text| tokenizer.encode_ordinary(text))])
}

#[cfg(not(feature = "tiktoken-rs"))]
fn tiktoken(_: &str) -> Made {
    Err(NOT_BUILT.to_owned())
}

#[cfg(feature = "tokenizers")]
fn tokenizers(json: &str) -> Made {
    let tokenizer = ::tokenizers::Tokenizer::from_file(json).map_err(|error| error.to_string())?;
    Ok(vec![named("tokenizers", move |text| tokenizer.encode_fast(text, false).expect("ids").get_ids().to_vec())])
}

#[cfg(not(feature = "tokenizers"))]
fn tokenizers(_: &str) -> Made {
    Err(NOT_BUILT.to_owned())
}

/// CPU time of this process.
fn cpu_nanoseconds() -> u64 {
    #[repr(C)]
    struct Timespec {
        seconds: i64,
        nanoseconds: i64,
    }
    extern "C" {
        fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
    }
    const PROCESS_CPU_TIME: i32 = if cfg!(target_os = "macos") { 12 } else { 2 };
    let mut now = Timespec { seconds: 0, nanoseconds: 0 };
    assert_eq!(unsafe { clock_gettime(PROCESS_CPU_TIME, &mut now) }, 0);
    now.seconds as u64 * 1_000_000_000 + now.nanoseconds as u64
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, ranks, merges, json] = <[String; 4]>::try_from(arguments).expect("peers NAME RANKS MERGES JSON");
    let mut encoders: BTreeMap<&'static str, Encoder> = BTreeMap::new();
    let mut enter = |what: &str, wanted: bool, make: &dyn Fn() -> Made| {
        if wanted {
            match panic::catch_unwind(AssertUnwindSafe(make)) {
                Ok(Ok(made)) => encoders.extend(made),
                Ok(Err(error)) => eprintln!("{what} is left out: {error}"),
                Err(_) => eprintln!("{what} is left out: it panicked"),
            }
        }
    };
    enter("mtc-inc-bpe", ranks != "-" && merges != "-", &|| inc_bpe(&ranks, &merges));
    enter("bpe", ranks != "-", &|| bpe(&ranks));
    enter("bpe-openai", name != "-", &|| bpe_openai(&name));
    enter("tiktoken-rs", name != "-", &|| tiktoken(&name));
    enter("tokenizers", json != "-", &|| tokenizers(&json));
    let (mut input, mut out) = (io::stdin().lock(), io::stdout().lock());
    writeln!(out, "{}", encoders.keys().copied().collect::<Vec<_>>().join("\t"))?;
    out.flush()?;
    let (mut text, mut line) = (String::new(), String::new());
    while input.read_line(&mut line)? > 0 {
        let asked: Vec<&str> = line.trim_end().split('\t').collect();
        match asked[..] {
            ["text", path] => {
                text = fs::read_to_string(path)?;
                writeln!(out, "ok")?;
            }
            ["ids", name, path] => {
                let ids = encoders[name](&text);
                fs::write(path, ids.iter().flat_map(|id| id.to_le_bytes()).collect::<Vec<u8>>())?;
                writeln!(out, "{}", ids.len())?;
            }
            ["time", name] => {
                let begin = cpu_nanoseconds();
                black_box(encoders[name](black_box(&text)));
                writeln!(out, "{}", cpu_nanoseconds() - begin)?;
            }
            _ => panic!("{line:?}"),
        }
        out.flush()?;
        line.clear();
    }
    Ok(())
}
