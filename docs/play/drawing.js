/* Forests from left to right with notes under the nodes and dashed links across, as subwordio.drawing lays them out.

   graph = {nodes: [{key, label, notes, kind}], edges: [{tail, head, label}], links: [{tail, head}]} */
"use strict";

var Drawing = (function () {
  var CHARACTER = 7.3, LINE = 15, PAD = 7, GAP = 26, BETWEEN = 10, MARGIN = 12, SVG = "http://www.w3.org/2000/svg";

  function width(text) {
    return CHARACTER * Array.from(text).reduce(function (sum, c) {
      return sum + (/\p{M}/u.test(c) ? 0 : /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/.test(c) ? 2 : 1);
    }, 0);
  }

  function element(name, attributes, text) {
    var made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    if (text !== undefined) { made.textContent = text; }
    return made;
  }

  function layout(graph) {
    var at = { nodes: new Map(), into: new Map(), below: new Map(), depth: new Map(), y: new Map(), x: [], bottom: MARGIN };
    graph.nodes.forEach(function (node) { at.nodes.set(node.key, node); at.below.set(node.key, []); });
    graph.edges.forEach(function (edge) { at.into.set(edge.head, edge); at.below.get(edge.tail).push(edge.head); });
    at.box = function (key) { return width(at.nodes.get(key).label) + 2 * PAD; };
    at.height = function (key) { return LINE + 2 * PAD + LINE * at.nodes.get(key).notes.length; };
    var roots = graph.nodes.map(function (node) { return node.key; }).filter(function (key) { return !at.into.has(key); });
    (function deepen(keys, d) {
      keys.forEach(function (key) { at.depth.set(key, d); deepen(at.below.get(key), d + 1); });
    }(roots, 0));
    var wide = [], lead = [];
    at.depth.forEach(function (d, key) {
      wide[d] = Math.max(wide[d] || 0, at.box(key), Math.max.apply(null, at.nodes.get(key).notes.map(width).concat(0)));
      lead[d] = Math.max(lead[d] || 0, at.into.has(key) ? width(at.into.get(key).label) + GAP : 0);
    });
    at.right = MARGIN;
    wide.forEach(function (w, d) { at.x[d] = at.right + lead[d]; at.right = at.x[d] + w; });
    roots.forEach(function place(key) {
      var children = at.below.get(key);
      if (!children.length) {
        at.y.set(key, at.bottom);
        at.bottom += at.height(key) + BETWEEN;
        return;
      }
      children.forEach(place);
      at.y.set(key, (at.y.get(children[0]) + at.y.get(children[children.length - 1])) / 2);
      at.bottom = Math.max(at.bottom, at.y.get(key) + at.height(key) + BETWEEN);
    });
    at.left = function (key) { return [at.x[at.depth.get(key)], at.y.get(key) + LINE / 2 + PAD]; };
    return at;
  }

  function curve(numbers) {
    return numbers.map(function (part) { return typeof part === "string" ? part : part.toFixed(1); }).join(" ");
  }

  function drawnLink(at, link, svg) {
    var from = at.left(link.tail), to = at.left(link.head), down = to[1] > from[1], half = LINE / 2 + PAD;
    var x0 = from[0] + at.box(link.tail) / 2, x1 = to[0] + at.box(link.head) / 2;
    var y0 = from[1] + (down ? half : -half), y1 = to[1] + (down ? -half : half);
    var bend = Math.max(24, Math.abs(y1 - y0) / 3) * (down ? 1 : -1), tip = down ? 5 : -5;
    svg.appendChild(element("path", { "class": "link", "data-link": link.tail,
                                      d: curve(["M", x0, y0, "C", x0, y0 + bend, x1, y1 - bend, x1, y1 - tip]) }));
    svg.appendChild(element("path", { "class": "head", d: curve(["M", x1, y1, "l", -3.5, -1.6 * tip, "h", 7, "z"]) }));
  }

  /* Draw into `place`; returns the group of each node by its key. */
  function draw(graph, place, title) {
    var at = layout(graph), w = at.right + 2 * MARGIN, h = at.bottom + MARGIN, groups = new Map();
    var svg = element("svg", { viewBox: curve([0, 0, w, h]), width: w.toFixed(0), height: h.toFixed(0), role: "img",
                               "aria-label": title, "class": "structure" });
    graph.links.forEach(function (link) { drawnLink(at, link, svg); });
    graph.edges.forEach(function (edge) {
      var from = at.left(edge.tail), to = at.left(edge.head), x = from[0] + at.box(edge.tail);
      var turn = to[0] - width(edge.label) - GAP / 2;
      svg.appendChild(element("path", { "data-edge": edge.head, d: curve(
        ["M", x, from[1], "C", turn, from[1], x, to[1], turn, to[1], "H", to[0]]) }));
      svg.appendChild(element("text", { "class": "edge", x: turn + 2, y: to[1] - 3 }, edge.label));
    });
    graph.nodes.forEach(function (node) {
      var xy = at.left(node.key), x = xy[0], y = xy[1] - LINE / 2 - PAD;
      var group = element("g", { "class": "node " + (node.kind || ""), "data-node": node.key });
      group.appendChild(element("rect", { x: x, y: y, rx: 6, width: at.box(node.key), height: LINE + 2 * PAD }));
      group.appendChild(element("text", { x: x + PAD, y: y + PAD + LINE - 4 }, node.label));
      node.notes.forEach(function (note, k) {
        group.appendChild(element("text", { "class": "note", x: x + 1, y: y + 2 * PAD + LINE * (k + 2) - 4 }, note));
      });
      svg.appendChild(group);
      groups.set(node.key, group);
    });
    place.replaceChildren(svg);
    return groups;
  }

  return { draw: draw, width: width };
}());
