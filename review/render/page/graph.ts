/**
 * Part of the script of the HTML report that draws references as SVG. Uses `report`, `element`, `markOf` and `hrefOf` of
 * `script.ts`. An object is a number: its index in the changes followed by the unchanged objects.
 */
export const graph = `
const objects = [...report.changes, ...report.graph.unchanged];
const needs = new Map();
const users = new Map();
const join = (map, from, to) => {
  const known = map.get(from);
  if (known) known.push(to);
  else map.set(from, [to]);
};
for (const [from, to] of report.graph.edges) {
  join(needs, from, to);
  join(users, to, from);
}
const needsOf = (at) => needs.get(at) || [];
const usersOf = (at) => users.get(at) || [];
/** The name, or the last part of the address. */
const labelOf = ({ name, address }) => name || (/[\\w-]+(\\[[^\\]]*\\])?$/.exec(address) || [address])[0];
const cut = (text, most) => {
  const letters = [...text];
  return letters.length <= most ? text : letters.slice(0, most - 1).join("") + "…";
};
const shape = (name, attributes, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

/**
 * Columns of objects: each object is to the right of the objects that it refers to. References that close a cycle are ignored.
 */
const columnsOf = (members) => {
  const inside = new Set(members);
  const depth = new Map();
  const visit = (at) => {
    if (depth.has(at)) return depth.get(at);
    depth.set(at, -1);
    let own = 0;
    for (const to of needsOf(at)) if (inside.has(to)) own = Math.max(own, visit(to) + 1);
    depth.set(at, own);
    return own;
  };
  for (const at of members) visit(at);
  // Moves objects close to their referrers, so that few references cross others.
  for (const at of [...members].sort((a, b) => depth.get(b) - depth.get(a))) {
    const next = Math.min(...usersOf(at).filter((user) => inside.has(user)).map((user) => depth.get(user)));
    if (next < Infinity && next - 1 > depth.get(at)) depth.set(at, next - 1);
  }
  const places = [];
  for (const at of members) (places[depth.get(at)] ||= []).push(at);
  const columns = places.filter(Boolean);
  const rows = new Map();
  const number = (column) => column.forEach((at, row) => rows.set(at, row - column.length / 2));
  columns.forEach(number);
  const middle = (at, near) => {
    const known = near(at).filter((other) => inside.has(other));
    return known.length === 0 ? rows.get(at) : known.reduce((sum, other) => sum + rows.get(other), 0) / known.length;
  };
  for (let round = 0; round < 4; round++)
    for (const column of round % 2 === 0 ? columns : columns.toReversed()) {
      const near = round % 2 === 0 ? needsOf : usersOf;
      const aims = new Map(column.map((at) => [at, middle(at, near)]));
      column.sort((a, b) => aims.get(a) - aims.get(b));
      number(column);
    }
  return columns;
};

/** Groups of objects that are connected within the picture. */
const groupsOf = (members) => {
  const inside = new Set(members);
  const seen = new Set();
  return members.flatMap((first) => {
    const group = seen.has(first) ? [] : [first];
    seen.add(first);
    for (const at of group)
      for (const other of [...needsOf(at), ...usersOf(at)])
        if (inside.has(other) && !seen.has(other)) {
          seen.add(other);
          group.push(other);
        }
    return group.length > 0 ? [group] : [];
  });
};

/** References without those that follow from others in the picture. */
const drawnOf = (at, inside) => {
  const own = needsOf(at).filter((to) => inside.has(to));
  const further = new Set();
  const queue = [...own];
  for (const next of queue)
    for (const to of needsOf(next))
      if (inside.has(to) && to !== at && !further.has(to)) {
        further.add(to);
        queue.push(to);
      }
  const reduced = own.filter((to) => !further.has(to));
  return reduced.length > 0 ? reduced : own;
};

const size = { width: 208, height: 44, across: 64, down: 12, border: 16 };

/** Draws these objects and the references between them; highlights \`own\`. */
const picture = (members, own, isHidden) => {
  const inside = new Set(members);
  const spots = new Map();
  let bottom = size.border;
  let most = 0;
  for (const group of groupsOf(members)) {
    const columns = columnsOf(group);
    const step = size.height + size.down;
    const height = Math.max(...columns.map((column) => column.length)) * step;
    columns.forEach((column, across) =>
      column.forEach((at, down) =>
        spots.set(at, {
          x: size.border + across * (size.width + size.across),
          y: bottom + (height - column.length * step) / 2 + down * step,
        })));
    bottom += height + size.down;
    most = Math.max(most, columns.length);
  }
  const edges = [];
  const nodes = [];
  for (const [at, { x, y }] of spots) {
    for (const to of drawnOf(at, inside)) {
      const from = spots.get(to);
      const [x1, y1, x2, y2] = [from.x + size.width, from.y + size.height / 2, x, y + size.height / 2];
      const bend = size.across / 2;
      edges.push(shape("path", { class: "edge", d: ["M", x1, y1, "C", x1 + bend, y1, x2 - bend, y2, x2, y2].join(" ") }));
    }
    const object = objects[at];
    const action = object.action || "none";
    const parts = [
      shape("title", {}, (object.action || "unchanged") + " " + object.address),
      shape("rect", { x, y, width: size.width, height: size.height, rx: 6 }),
      shape("text", { class: "mark", "aria-hidden": "true", x: x + 10, y: y + 19 }, markOf(action)),
      shape("text", { x: x + 26, y: y + 19 }, cut(labelOf(object), 23)),
      shape("text", { class: "kind", x: x + 26, y: y + 35 }, cut(action === "none" ? object.kind : action + " " + object.kind, 28)),
    ];
    const kind = "node " + action + (at === own ? " own" : "");
    nodes.push(
      at === own || !object.action
        ? shape("g", { class: kind }, ...parts)
        : shape("a", {
            class: kind,
            href: hrefOf(object),
            ...(isHidden ? { tabindex: -1 } : {}),
          }, ...parts),
    );
  }
  const width = most * (size.width + size.across) - size.across + 2 * size.border;
  const total = bottom - 2 * size.down + size.border;
  const view = { width, height: total, viewBox: "0 0 " + width + " " + total };
  return shape("svg", isHidden ? { ...view, "aria-hidden": "true" } : { ...view, role: "group" }, ...edges, ...nodes);
};

/** Related objects of one object, nearest first, limited to a legible number. */
const around = (start) => {
  const found = new Set([start]);
  for (const near of [needsOf, usersOf]) {
    let edge = [start];
    for (let steps = 0; steps < 3; steps++) {
      edge = [...new Set(edge.flatMap((at) => near(at).slice(0, 12)))].filter((at) => !found.has(at)).slice(0, 12);
      for (const at of edge) found.add(at);
    }
  }
  return [...found];
};

const scroller = (title, inside) => {
  const made = element("div", undefined, "picture");
  made.tabIndex = 0;
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", title);
  made.append(inside);
  return made;
};
`;
