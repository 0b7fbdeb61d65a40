/* Incremental BPE in the browser: equation 1, canonical rules, the successor forest with its ranges, θ of every prefix
   with the tokens that are tested, and eager output by its three criteria, as the package has them.

   Written by the definitions, for dictionaries that one types; a step has the fields of incbpe.trace.Step. Tests hold all
   of it against the package in a real browser. */
"use strict";

var IncBPE = (function () {
  function symbols(text) { return Array.from(text); }
  function length(token) { return symbols(token).length; }
  function byCodePoint(a, b) {
    var x = symbols(a), y = symbols(b);
    for (var k = 0; k < Math.min(x.length, y.length); k++) {
      if (x[k] !== y[k]) { return x[k].codePointAt(0) - y[k].codePointAt(0); }
    }
    return x.length - y.length;
  }

  /* The dictionary of rules "x y"; `error` says what is wrong with them. */
  function dictionary(lines) {
    var rules = [], seen = new Set();
    for (var k = 0; k < lines.length; k++) {
      var parts = lines[k].split(" ");
      if (parts.length !== 2 || !parts[0] || !parts[1]) {
        return { error: "rule " + k + ": “" + lines[k] + "”: expected two tokens with a space between" };
      }
      if (seen.has(lines[k])) { return { error: "rule " + k + ": the pair " + lines[k] + " is there already" }; }
      seen.add(lines[k]);
      rules.push(parts);
    }
    var tokens = new Set();
    rules.forEach(function (rule) { symbols(rule[0] + rule[1]).forEach(function (c) { tokens.add(c); }); });
    rules.forEach(function (rule) { [rule[0], rule[1], rule[0] + rule[1]].forEach(function (z) { tokens.add(z); }); });
    return { rules: rules, tokens: Array.from(tokens) };
  }

  /* T_r: one pass from left to right. `fired` is whether it merged at all. */
  function applyRule(rule, tokens) {
    var merged = [], fired = false;
    for (var k = 0; k < tokens.length; k++) {
      if (k + 1 < tokens.length && tokens[k] === rule[0] && tokens[k + 1] === rule[1]) {
        merged.push(rule[0] + rule[1]);
        fired = true;
        k++;
      } else {
        merged.push(tokens[k]);
      }
    }
    return { tokens: merged, fired: fired };
  }

  /* Equation 1. `last` is the rule that fired last. */
  function run(D, s) {
    var tokens = symbols(s), last = null;
    D.rules.forEach(function (rule, r) {
      var after = applyRule(rule, tokens);
      tokens = after.tokens;
      if (after.fired) { last = r; }
    });
    return { tokens: tokens, last: last };
  }

  function T(D, s) { return run(D, s).tokens; }

  /* Canonical tokens with their rules, and the successor forest in preorder: roots in order, children latest rule first. */
  function normalize(D) {
    var pre = new Map(), suc = new Map(), prio = new Map(), below = new Map(), roots = [];
    D.tokens.forEach(function (z) {
      var done = run(D, z);
      if (done.tokens.length !== 1) { return; }
      below.set(z, []);
      if (done.last === null) { roots.push(z); return; }
      prio.set(z, done.last);
      pre.set(z, D.rules[done.last][0]);
      suc.set(z, D.rules[done.last][1]);
    });
    suc.forEach(function (y, z) { below.get(y).push(z); });
    below.forEach(function (list) { list.sort(function (a, b) { return prio.get(b) - prio.get(a); }); });
    roots.sort(byCodePoint);
    var N = { D: D, pre: pre, suc: suc, prio: prio, below: below, roots: roots, tin: new Map(), tout: new Map(),
              order: [] };
    roots.forEach(function visit(z) {
      N.tin.set(z, N.order.length);
      N.order.push(z);
      below.get(z).forEach(visit);
      N.tout.set(z, N.order.length);
    });
    N.range = new Map();
    N.order.forEach(function (z) {
      if (!suc.has(z)) { N.range.set(z, null); return; }
      var x = pre.get(z), bound = below.get(x).find(function (c) { return prio.get(c) <= prio.get(z); });
      N.range.set(z, [N.tin.get(x), bound === undefined ? N.tout.get(x) : N.tin.get(bound)]);
    });
    return N;
  }

  /* Whether z is valid where w is the last token before suc(z) (Definition 4.1), and why. */
  function test(N, z, history) {
    if (!N.suc.has(z)) { return { token: z, why: "atom", w: null, c: null }; }
    var w = history[history.length - length(N.suc.get(z))], x = N.pre.get(z), c = null, above = w;
    while (above !== undefined && above !== x) {
      c = above;
      above = N.suc.get(above);
    }
    if (above === undefined) { return { token: z, why: "elsewhere", w: w, c: null }; }
    if (c === null) { return { token: z, why: "after pre", w: w, c: null }; }
    return { token: z, why: N.prio.get(c) > N.prio.get(z) ? "later" : "earlier", w: w, c: c };
  }

  function valid(test) { return test.why === "atom" || test.why === "after pre" || test.why === "later"; }

  /* The canonical tokens that s ends with, longest first. */
  function chain(N, s) {
    return N.order.filter(function (z) { return s.endsWith(z); })
      .sort(function (a, b) { return length(b) - length(a); });
  }

  /* θ of each prefix, by the longest-first search. */
  function trace(N, text) {
    var history = [null], s = "";
    return symbols(text).map(function (symbol, k) {
      s += symbol;
      var candidates = chain(N, s), tests = [];
      for (var i = 0; i < candidates.length; i++) {
        tests.push(test(N, candidates[i], history));
        if (valid(tests[i])) { break; }
      }
      var theta = candidates.length ? tests[tests.length - 1].token : symbol;
      history.push(candidates.length ? theta : null);
      return { t: k + 1, symbol: symbol, longest: candidates.length ? candidates[0] : null, tests: tests, theta: theta };
    });
  }

  /* The tokens of the first t symbols: step back from there by θ (equation 2). */
  function tokensOf(steps, t) {
    var found = [];
    while (t) {
      found.unshift(steps[t - 1].theta);
      t -= length(found[0]);
    }
    return found;
  }

  /* The prefix lengths after which a text that goes on from the first n symbols may leave them. */
  function ends(N, steps, n, criterion) {
    var s = steps.slice(0, n).map(function (step) { return step.symbol; }), found = [];
    for (var b = 0; b < n; b++) {
      var rest = s.slice(b).join("");
      var longer = N.order.filter(function (z) { return z.startsWith(rest) && z !== rest; });
      var inside = N.order.some(function (z) { return z.startsWith(rest); });
      if (criterion === "window" && (inside || found.length)) { found.push(b); }
      if (criterion === "chain" && longer.length) { found.push(b); }
      if (criterion === "maximal") {
        var before = s.slice(0, b).join("");
        if (longer.some(function (z) { return last(trace(N, before + z)) === z; })) { found.push(b); }
      }
    }
    return found.concat([n]);
  }

  function last(steps) { return steps[steps.length - 1].theta; }

  /* How many tokens are final after the first n symbols. */
  function released(N, steps, n, criterion) {
    var lists = ends(N, steps, n, criterion).map(function (b) { return tokensOf(steps, b); }), count = 0;
    while (lists.every(function (list) { return list.length > count && list[count] === lists[0][count]; })) { count++; }
    return count;
  }

  return { dictionary: dictionary, applyRule: applyRule, T: T, normalize: normalize, test: test, valid: valid,
           chain: chain, trace: trace, tokensOf: tokensOf, ends: ends, released: released, symbols: symbols,
           length: length };
}());
