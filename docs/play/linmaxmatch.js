/* LinMaxMatch in the browser: the trie of one root, Algorithm 2 and Algorithm 1 step by step, as the package has them.

   Nodes are numbered as they come to be when ♯ and then the tokens are put into the trie; a step has the fields of
   linmaxmatch.trace.Step. Tests hold all of it against the package in a real browser. */
"use strict";

var LinMaxMatch = (function () {
  var BLANK = "␣", UNKNOWN = "<unk>";

  function letters(text) { return Array.from(text); }

  function Trie(tokens, sharp) {
    this.tokens = tokens;
    this.sharp = sharp;
    this.children = [new Map()];
    this.chi = [""];
    this.token = [null];
    this.parent = [null];
    this.root = 0;
    this.suffixRoot = this.insert(sharp);
    var trie = this;
    tokens.forEach(function (token) {
      var v = trie.insert(token);
      if (v !== trie.root && v !== trie.suffixRoot) { trie.token[v] = token; }
    });
  }

  Trie.prototype.insert = function (text) {
    var u = 0, trie = this;
    letters(text).forEach(function (c) {
      if (!trie.children[u].has(c)) {
        trie.children[u].set(c, trie.chi.length);
        trie.chi.push(trie.chi[u] + c);
        trie.children.push(new Map());
        trie.token.push(null);
        trie.parent.push(u);
      }
      u = trie.children[u].get(c);
    });
    return u;
  };

  Trie.prototype.delta = function (u, c) {
    return this.children[u].has(c) ? this.children[u].get(c) : null;
  };

  /* Algorithm 2: f and F of every node, breadth first from r and r♯. */
  function precompute(trie) {
    var f = trie.chi.map(function () { return null; }), F = trie.chi.map(function () { return []; });
    var queue = trie.suffixRoot === trie.root ? [trie.root] : [trie.root, trie.suffixRoot];
    while (queue.length) {
      var u = queue.shift();
      trie.children[u].forEach(function (v, c) {
        if (v === trie.suffixRoot) { return; }
        if (trie.token[v] !== null) {
          f[v] = trie.suffixRoot;
          F[v] = [trie.token[v]];
        } else {
          var z = f[u], pops = F[u].slice();
          while (z !== null && trie.delta(z, c) === null) {
            pops = pops.concat(F[z]);
            z = f[z];
          }
          if (z !== null) {
            f[v] = trie.delta(z, c);
            F[v] = pops;
          }
        }
        queue.push(v);
      });
    }
    return { trie: trie, f: f, F: F };
  }

  /* Algorithm 1 on one word: what it does at each place. */
  function trace(tables, word) {
    var trie = tables.trie, s = letters(word), steps = [], u = trie.root, i = 0;
    function step(kind, pops, target) {
      steps.push({
        kind: kind, index: i, character: i < s.length ? s[i] : BLANK, node: u, chi: trie.chi[u], pops: pops || [],
        target: target === undefined ? null : target, target_chi: target === undefined ? "" : trie.chi[target]
      });
    }
    if (trie.sharp && word.startsWith(trie.sharp)) {
      var end = s.length;
      while (end && trie.tokens.indexOf(s.slice(0, end).join("")) < 0) { end--; }
      if (!end) {
        step("unknown");
        return steps;
      }
      step("literal", [s.slice(0, end).join("")], trie.suffixRoot);
      u = trie.suffixRoot;
      i = end;
    }
    for (;;) {
      var v = i < s.length ? trie.delta(u, s[i]) : null;
      if (v !== null) {
        step("edge", [], v);
        u = v;
        i++;
      } else if (i === s.length && (u === trie.root || u === trie.suffixRoot)) {
        step("boundary");
        return steps;
      } else if (tables.f[u] === null) {
        step("unknown");
        return steps;
      } else {
        step("failure", tables.F[u], tables.f[u]);
        u = tables.f[u];
      }
    }
  }

  function result(steps) {
    var tokens = [];
    for (var k = 0; k < steps.length; k++) {
      if (steps[k].kind === "unknown") { return [UNKNOWN]; }
      tokens = tokens.concat(steps[k].pops);
    }
    return tokens;
  }

  /* MaxMatch as it is defined, by walks from r and r♯ that are thrown away: each letter that a walk looks at is a step. */
  function rewinding(trie, word) {
    var s = letters(word), start = 0, steps = [];
    while (start < s.length) {
      var u = start ? trie.suffixRoot : trie.root, i = start, end = null, token = null;
      while (i < s.length) {
        var v = trie.delta(u, s[i]);
        steps.push({ start: start, index: i, character: s[i], node: u, target: v, tokens: null });
        if (v === null) { break; }
        u = v;
        i++;
        if (trie.token[u] !== null) { end = i; token = trie.token[u]; }
      }
      if (end === null) {
        steps.push({ start: start, index: i, character: "", node: u, target: null, tokens: [UNKNOWN] });
        return steps;
      }
      steps[steps.length - 1].tokens = [token];
      start = end;
    }
    return steps;
  }

  return { BLANK: BLANK, UNKNOWN: UNKNOWN, Trie: Trie, letters: letters, precompute: precompute, trace: trace,
           result: result, rewinding: rewinding };
}());
