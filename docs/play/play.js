/* The page: what is typed becomes a trace, and a place in the trace becomes what is shown. */
"use strict";

(function () {
  var LIN_FIELDS = ["vocabulary", "sharp", "word"], BPE_FIELDS = ["rules", "text"];

  function get(id) { return document.getElementById(id); }

  function element(name, text, kind) {
    var made = document.createElement(name);
    if (text !== undefined) { made.textContent = text; }
    if (kind) { made.className = kind; }
    return made;
  }

  /* Buttons, slider and keys over a number of places; `show` is called with the place. */
  function Player(prefix, show) {
    var slider = get(prefix + "-place"), timer = null, player = this;
    this.last = 0;
    this.place = 0;
    this.go = function (place) {
      player.place = Math.max(0, Math.min(player.last, place));
      slider.value = player.place;
      show(player.place);
      if (player.place === player.last) { player.stop(); }
    };
    this.reset = function (last) {
      player.stop();
      player.last = last;
      slider.max = last;
      player.go(0);
    };
    this.stop = function () {
      clearInterval(timer);
      timer = null;
      get(prefix + "-play").textContent = "▶▶";
      get(prefix + "-play").setAttribute("aria-label", "Play");
    };
    this.toggle = function () {
      if (timer !== null) { return player.stop(); }
      if (player.place === player.last) { player.go(0); }
      get(prefix + "-play").textContent = "❚❚";
      get(prefix + "-play").setAttribute("aria-label", "Pause");
      timer = setInterval(function () { player.go(player.place + 1); }, 700);
    };
    get(prefix + "-first").onclick = function () { player.go(0); };
    get(prefix + "-back").onclick = function () { player.go(player.place - 1); };
    get(prefix + "-next").onclick = function () { player.go(player.place + 1); };
    get(prefix + "-last").onclick = function () { player.go(player.last); };
    get(prefix + "-play").onclick = function () { player.toggle(); };
    slider.oninput = function () { player.go(Number(slider.value)); };
  }

  /* The packages' own steps of an example that is shown as it was given, or else those of the programs here. */
  function stepsOf(prefix, fields, computed) {
    var example = GALLERY[prefix].find(function (each) {
      return fields.every(function (field) { return each[field] === get(prefix + "-" + field).value; });
    });
    return example ? example.steps : computed();
  }

  function words(text) { return text.split(/\s+/).filter(Boolean); }

  function chips(place, tokens, fresh) {
    place.replaceChildren.apply(place, tokens.map(function (token, k) {
      return element("span", token, k >= tokens.length - fresh ? "new" : "");
    }));
  }

  function spellOut(place, letters, now) {
    place.replaceChildren.apply(place, letters.map(function (c, k) {
      return element("span", c, k === now ? "now" : k < now ? "read" : "");
    }));
  }

  // ------------------------------------------------------------------------------------------------ LinMaxMatch

  var lin = { steps: [], naive: [], letters: [], groups: new Map() };

  function named(node, chi) { return node + " " + (chi || "ε"); }

  function say(step, tables) {
    var target = named(step.target, step.target_chi), pops = step.pops.join(" ");
    if (step.kind === "edge") { return "reads " + step.character + ": along the edge to " + target; }
    if (step.kind === "failure") {
      return "no edge for " + step.character + " at " + named(step.node, step.chi) + ": pops " + pops +
        ", and on from the failure link " + target;
    }
    if (step.kind === "boundary") { return "the word is over, and all of it is popped"; }
    if (step.kind === "literal") { return "a word that starts with ♯: its first piece is " + pops + "; to " + target; }
    return "no edge for " + step.character + " and no failure link at " + named(step.node, step.chi) + ": the word is unknown";
  }

  function linReset() {
    var tokens = words(get("lin-vocabulary").value), sharp = get("lin-sharp").value, word = get("lin-word").value;
    var trie = new LinMaxMatch.Trie(tokens, sharp);
    var crowded = trie.chi.length > 120;
    get("lin-error").textContent = crowded ? "This vocabulary has " + trie.chi.length + " nodes; more than 120 are not drawn." :
      /\s/.test(word) ? "A word has no white space." : "";
    if (crowded || /\s/.test(word)) { return; }
    lin.tables = LinMaxMatch.precompute(trie);
    lin.steps = stepsOf("lin", LIN_FIELDS, function () { return LinMaxMatch.trace(lin.tables, word); });
    lin.naive = LinMaxMatch.rewinding(trie, word);
    lin.letters = LinMaxMatch.letters(word).concat([LinMaxMatch.BLANK]);
    lin.groups = Drawing.draw({
      nodes: trie.chi.map(function (chi, v) {
        var f = lin.tables.f[v], name = v === trie.suffixRoot ? "r♯ = " : v === trie.root ? "r = " : "";
        return { key: v, label: v + " " + name + (chi || "ε"), kind: trie.token[v] === null ? "" : "token",
                 notes: [f === null ? "⇢ ∅" : "⇢ " + f + "  [" + lin.tables.F[v].join(" ") + "]"] };
      }),
      edges: [].concat.apply([], trie.children.map(function (below, u) {
        return Array.from(below).sort().map(function (pair) { return { tail: u, head: pair[1], label: pair[0] }; });
      })),
      links: trie.chi.map(function (_, v) { return { tail: v, head: lin.tables.f[v] }; })
        .filter(function (link) { return link.head !== null; })
    }, get("lin-picture"), "The trie with its failure links");
    linPlayer.reset(lin.steps.length);
  }

  function linShow(place) {
    var step = place ? lin.steps[place - 1] : null, done = lin.steps.slice(0, place), pops = LinMaxMatch.result(done);
    var moves = { edges: 0, failures: 0 };
    done.forEach(function (each) {
      moves.edges += each.kind === "edge";
      moves.failures += each.kind === "failure";
    });
    var now = !step ? 0 : step.index + (step.kind === "edge" ? 1 : 0);
    spellOut(get("lin-letters"), lin.letters, now);
    chips(get("lin-pops"), pops, step ? step.pops.length : 0);
    get("lin-count").textContent = moves.edges + " edges + " + moves.failures + " failure moves";
    get("lin-said").textContent = step ? "Step " + place + " of " + lin.steps.length + ": " + say(step, lin.tables) :
      "At r, before the first letter. " + lin.steps.length + " steps.";
    var at = !step ? 0 : step.target === null ? step.node : step.target;
    lin.groups.forEach(function (group, v) { group.classList.toggle("here", v === at); });
    document.querySelectorAll("#lin-picture path").forEach(function (path) {
      path.classList.toggle("way", !!step && (step.kind === "edge" && path.dataset.edge === String(step.target) ||
                                              step.kind === "failure" && path.dataset.link === String(step.node)));
    });
    // the other program is as far as it has read this far, or is done
    var reads = naiveUntil(now, place === lin.steps.length), before = lin.naive.slice(0, reads);
    var found = [];
    before.forEach(function (each) {
      if (each.tokens) { found = each.tokens[0] === LinMaxMatch.UNKNOWN ? each.tokens : found.concat(each.tokens); }
    });
    spellOut(get("lin-naive-letters"), lin.letters, reads ? before[reads - 1].index + (before[reads - 1].target === null ? 0 : 1) : 0);
    chips(get("lin-naive-pops"), found, 0);
    get("lin-naive-count").textContent = before.filter(function (each) { return each.character; }).length + " letters looked at";
  }

  function naiveUntil(now, all) {
    if (all) { return lin.naive.length; }
    for (var k = 0; k < lin.naive.length; k++) {
      if (lin.naive[k].index >= now) { return k; }
    }
    return lin.naive.length;
  }

  var linPlayer = new Player("lin", linShow);

  // -------------------------------------------------------------------------------------------- Incremental BPE

  var bpe = { steps: [], places: [], groups: new Map() };
  var WHY = {
    "atom": function () { return "yes: an atom"; },
    "after pre": function (N, test) { return "yes: before " + N.suc.get(test.token) + " stands " + test.w + " = pre(" + test.token + ")"; },
    "later": function (N, test) { return "yes: " + below(N, test) + ", whose rule " + N.prio.get(test.c) + " is later than " + N.prio.get(test.token); },
    "earlier": function (N, test) { return "no: " + below(N, test) + ", whose rule " + N.prio.get(test.c) + " is not later than " + N.prio.get(test.token); },
    "elsewhere": function (N, test) { return "no: before " + N.suc.get(test.token) + " stands " + test.w + ", which is not below pre(" + test.token + ") = " + N.pre.get(test.token); }
  };

  function below(N, test) {
    return "before " + N.suc.get(test.token) + " stands " + test.w + ", below pre(" + test.token + ") = " +
      N.pre.get(test.token) + " through " + test.c;
  }

  function rangeOf(N, z) {
    var range = N.range.get(z);
    return range ? "[" + range[0] + ", " + range[1] + ")" : "all";
  }

  function bpeReset() {
    var D = IncBPE.dictionary(get("bpe-rules").value.split(",").map(function (rule) { return rule.trim(); }).filter(Boolean));
    get("bpe-error").textContent = D.error || (IncBPE.length(get("bpe-text").value) > 60 ? "At most 60 symbols are drawn." : "");
    if (get("bpe-error").textContent) { return; }
    var N = bpe.N = IncBPE.normalize(D);
    bpe.steps = stepsOf("bpe", BPE_FIELDS, function () { return IncBPE.trace(N, get("bpe-text").value); });
    bpe.places = [].concat.apply([], bpe.steps.map(function (step, k) {
      return Array.from({ length: Math.max(1, step.tests.length) }, function (_, i) { return [k, i]; });
    }));
    bpe.groups = Drawing.draw({
      nodes: N.order.map(function (z) {
        var tin = N.tin.get(z), tout = N.tout.get(z), notes = [tout > tin + 1 ? tin + " … " + (tout - 1) : String(tin)];
        if (N.suc.has(z)) { notes.push(N.pre.get(z) + " before " + N.suc.get(z), "valid: " + rangeOf(N, z)); }
        return { key: z, label: z, notes: notes, kind: "token" };
      }),
      edges: N.order.filter(function (z) { return N.suc.has(z); }).map(function (z) {
        return { tail: N.suc.get(z), head: z, label: String(N.prio.get(z)) };
      }),
      links: []
    }, get("bpe-forest"), "The successor forest");
    bpePlayer.reset(bpe.places.length);
  }

  function bpeShow(place) {
    var N = bpe.N, at = place ? bpe.places[place - 1] : null, step = at ? bpe.steps[at[0]] : null;
    var test = step && step.tests.length ? step.tests[at[1]] : null;
    var settled = !at ? 0 : at[1] + 1 >= step.tests.length ? at[0] + 1 : at[0];        // prefixes whose θ is known
    var table = get("bpe-tests"), rows = [["t", "s[t]", "z", "range", "tin(w)", "is it θ?"]];
    bpe.places.slice(0, place).forEach(function (each) {
      var s = bpe.steps[each[0]], t = s.tests[each[1]], first = each[1] === 0;
      rows.push(t ? [first ? s.t : "", first ? s.symbol : "", t.token, rangeOf(N, t.token), t.w === null ? "" : N.tin.get(t.w), WHY[t.why](N, t)] :
        [s.t, s.symbol, "", "", "", "the symbol is no token: θ is the symbol itself"]);
    });
    table.replaceChildren.apply(table, rows.map(function (cells, k) {
      var row = element("tr");
      cells.forEach(function (cell, column) { row.appendChild(element(k ? "td" : "th", String(cell), column && column < 5 ? "token" : "")); });
      return row;
    }));
    table.lastChild.scrollIntoView({ block: "nearest", inline: "nearest" });
    get("bpe-said").textContent = !at ? "Before the first symbol. " + bpe.places.length + " tests." :
      "After " + step.t + " symbols: " + (test ? "is " + test.token + " the last token? " + WHY[test.why](N, test) :
        "the symbol is no token: θ is the symbol itself");
    bpe.groups.forEach(function (group, z) {
      group.classList.toggle("here", !!test && z === test.token);
      group.classList.toggle("marked", !!test && z === test.w);
    });
    showPrefixes(N, settled);
    showEager(N, settled);
  }

  function showPrefixes(N, n) {
    var ends = new Set(IncBPE.ends(N, bpe.steps, n, "window")), count = IncBPE.released(N, bpe.steps, n, "window");
    var stem = new Set(), i = n;
    var tokens = IncBPE.tokensOf(bpe.steps, n), length = 0;
    tokens.slice(0, count).forEach(function (token) { length += IncBPE.length(token); stem.add(length); });
    var nodes = [{ key: 0, label: "ε", notes: [], kind: ends.has(0) ? "marked" : "" }], edges = [];
    for (i = 1; i <= n; i++) {
      var kind = (stem.has(i) ? "token " : "") + (ends.has(i) ? "marked" : "");
      nodes.push({ key: i, label: String(i), notes: [], kind: kind });
      edges.push({ tail: i - IncBPE.length(bpe.steps[i - 1].theta), head: i, label: bpe.steps[i - 1].theta });
    }
    Drawing.draw({ nodes: nodes, edges: edges, links: [] }, get("bpe-prefixes"), "The token prefix tree");
  }

  function showEager(N, n) {
    var tokens = IncBPE.tokensOf(bpe.steps, n), table = get("bpe-eager");
    table.replaceChildren.apply(table, ["window", "chain", "maximal"].map(function (criterion) {
      var row = element("tr"), cell = element("td"), count = IncBPE.released(N, bpe.steps, n, criterion);
      tokens.forEach(function (token, k) { cell.appendChild(element("span", token, k < count ? "final" : "open")); });
      row.append(element("th", criterion), cell, element("td", count + " of " + tokens.length));
      return row;
    }));
  }

  var bpePlayer = new Player("bpe", bpeShow);

  // ------------------------------------------------------------------------------------------------------- page

  function choose(which) {
    ["lin", "bpe"].forEach(function (name) {
      var chosen = name === which;
      get(name).hidden = !chosen;
      get("tab-" + name).setAttribute("aria-selected", String(chosen));
      get("tab-" + name).tabIndex = chosen ? 0 : -1;
      if (!chosen) { (name === "lin" ? linPlayer : bpePlayer).stop(); }
    });
  }

  function gallery(prefix, fields, reset) {
    var select = get(prefix + "-gallery"), examples = GALLERY[prefix];
    examples.forEach(function (example, k) { select.appendChild(new Option(example.name, String(k))); });
    select.onchange = function () {
      fields.forEach(function (field) { get(prefix + "-" + field).value = examples[select.value][field]; });
      reset();
    };
    fields.forEach(function (field) { get(prefix + "-" + field).oninput = reset; });
    select.onchange();
  }

  ["lin", "bpe"].forEach(function (name, k, names) {
    get("tab-" + name).onclick = function () { choose(name); };
    get("tab-" + name).onkeydown = function (event) {
      if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        choose(names[1 - k]);
        get("tab-" + names[1 - k]).focus();
        event.stopPropagation();
      }
    };
  });
  document.querySelectorAll("form").forEach(function (form) { form.onsubmit = function () { return false; }; });
  document.onkeydown = function (event) {
    var player = get("lin").hidden ? bpePlayer : linPlayer, typing = /^(INPUT|SELECT|BUTTON)$/.test(event.target.tagName);
    if (typing || event.altKey || event.ctrlKey || event.metaKey) { return; }
    var act = { ArrowRight: function () { player.go(player.place + 1); }, ArrowLeft: function () { player.go(player.place - 1); },
                Home: function () { player.go(0); }, End: function () { player.go(player.last); },
                " ": function () { player.toggle(); } }[event.key];
    if (act) {
      act();
      event.preventDefault();
    }
  };
  gallery("lin", LIN_FIELDS, linReset);
  gallery("bpe", BPE_FIELDS, bpeReset);
}());
