import { graph } from "./graph.ts";

/**
 * Script of the HTML report. Reads the report from the page, sends nothing, and builds elements from texts only, so that no
 * name or value becomes markup. Renders the changes after the first paint, and the details of a change when it is opened.
 *
 * The fragment of the URL contains the filter or names a change: `#action=delete&search=data`,
 * `#plan=shop&change=kcloud_volume.data`.
 */
export const script = `
"use strict";
const report = JSON.parse(document.getElementById("report").textContent);
const [list, more, all, status, form, said] = ["changes", "more", "all", "status", "filter", "said"].map((id) =>
  document.getElementById(id));
const element = (name, text, kind) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
};
const markOf = (action) => ({ create: "+", update: "~", replace: "±", delete: "−", forget: "." })[action] || "·";
/** The address of an object, prefixed with its plan if there are several. */
const placeOf = ({ plan, address }) => (report.hasSeveralPlans ? plan + ": " + address : address);
const hrefOf = ({ plan, address }) => "#" + new URLSearchParams({ plan, change: address });
const keyOf = ({ plan, address }) => plan + " " + address;
${graph}
const severities = ["critical", "high", "medium", "low"];
const findingsOf = new Map();
for (const finding of report.findings) join(findingsOf, keyOf(finding), finding);
const findingsAt = (change) => findingsOf.get(keyOf(change)) || [];
// Findings are sorted, most severe first.
const severityOf = (change) => (findingsAt(change)[0] || {}).severity || "";

const valueText = (value) => {
  if (value.kind === "none") return "(none)";
  if (value.kind === "unknown") return "(known after apply)";
  if (value.kind === "sensitive") return value.mark ? "(sensitive " + value.mark + ")" : "(sensitive)";
  return value.cut ? value.text + "… (" + value.cut + " characters)" : value.text;
};
/** Shows a value; \`marked\` are the numbers of letters at the start and the end that are not highlighted. */
const valueOf = (value, marked) => {
  const made = element("code", undefined, value.kind === "value" ? "" : "absent");
  const letters = [...valueText(value)];
  const [start, end] = marked || [letters.length, 0];
  const part = (from, to) => letters.slice(from, to).join("");
  made.append(part(0, start));
  if (start < letters.length - end) made.append(element("mark", part(start, letters.length - end)));
  if (marked) made.append(part(letters.length - end));
  return made;
};
/** Counts the letters that two values have in common at the start and at the end. */
const common = (before, after) => {
  if (before.kind !== "value" || after.kind !== "value") return undefined;
  const [left, right] = [[...valueText(before)], [...valueText(after)]];
  const most = Math.min(left.length, right.length);
  let [start, end] = [0, 0];
  while (start < most && left[start] === right[start]) start++;
  while (end < most - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  return start + end > 0 ? [start, end] : undefined;
};

/** Copies a command to the clipboard; if that fails, selects it. */
const copy = async (code) => {
  try {
    await navigator.clipboard.writeText(code.textContent);
    said.textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(code);
    said.textContent = "Selected: copy it with the keyboard.";
  }
  setTimeout(() => (said.textContent = ""), 2000);
};
const withCopy = (place) => {
  const button = element("button", "Copy");
  button.type = "button";
  button.addEventListener("click", () => copy(place.firstElementChild));
  place.append(button);
  return place;
};
const command = (text) => {
  const made = element("div", undefined, "command");
  made.append(element("code", text));
  return withCopy(made);
};
/** Quotes a text for a shell. */
const quoted = (text) => (/^[\\w./:@-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\\\''") + "'");

const link = (object) => {
  const made = element("a", placeOf(object), "code");
  made.href = hrefOf(object);
  return made;
};
const property = (made, title, ...values) => {
  const content = element("dd");
  content.append(...values);
  made.append(element("dt", title), content);
};
const named = (places, title, made) => {
  if (places.length === 0) return;
  const shown = places.slice(0, 10).map((at) =>
    objects[at].action ? link(objects[at]) : element("code", placeOf(objects[at])));
  if (places.length > 10) shown.push(element("span", "and " + (places.length - 10) + " more", "soft"));
  property(made, title, ...shown);
};
const properties = (change, at) => {
  const made = element("dl", undefined, "properties");
  property(made, "Kind", element("span", change.kind));
  if (change.name) property(made, "Name", element("span", change.name));
  if (change.id) property(made, "Id", element("code", change.id));
  property(made, "Plan", element("span", change.plan));
  if (change.parents.length > 0) property(made, "Part of", element("code", change.parents.join(" › ")));
  if (change.previousAddress) property(made, "Moved from", element("code", change.previousAddress));
  if (change.importedId) property(made, "Imported from", element("code", change.importedId));
  if (change.source) property(made, "Source", element("code", change.source.file + ":" + change.source.line));
  named(needsOf(at), "Refers to", made);
  named(usersOf(at), "Referred to by", made);
  return made;
};
const consequences = (change) => {
  const texts = [...change.reasons];
  if (change.order) texts.push("Order: " + change.order + ".");
  if (change.action === "replace" || change.action === "delete") texts.push(change.reversal);
  const { direct, total, names } = change.dependents;
  if (total > 0)
    texts.push(direct + (direct === 1 ? " dependent, " : " dependents, ") + total + " in all: " + names.join(", "));
  const made = element("ul", undefined, "warning");
  made.append(...texts.map((text) => element("li", text)));
  return texts.length > 0 ? [made] : [];
};
const findingList = (change) => {
  const made = element("ul", undefined, "list");
  for (const { rule, severity, text, waived } of findingsAt(change)) {
    const item = element("li");
    item.append(element("span", severity, "badge " + severity), " ", rule, " ", report.rules[rule], ": ", text);
    if (waived) item.append(element("span", " (waived)", "soft"));
    made.append(item);
  }
  return made.childElementCount > 0 ? [made] : [];
};
const heading = (...titles) => {
  const made = element("thead");
  const row = element("tr");
  for (const title of titles) {
    const cell = element("th", title);
    cell.scope = "col";
    row.append(cell);
  }
  made.append(row);
  return made;
};
const cell = (kind, ...parts) => {
  const made = element("td", undefined, kind);
  made.append(...parts);
  return made;
};
const items = (values, sign) => values.flatMap((value) => [element("code", sign + " " + valueText(value)), element("br")]);
const differences = (change) => {
  if (change.differences.length === 0) return [];
  const made = element("table", undefined, "differences");
  const rows = element("tbody");
  for (const one of change.differences) {
    const row = element("tr");
    const name = cell("", element("code", one.name));
    if (one.forcesReplacement) name.append(element("span", "forces the replacement", "forces"));
    row.append(name);
    if (one.removed) {
      row.append(cell("before", ...items(one.removed, "−")), cell("after", ...items(one.added, "+")));
    } else {
      const shared = common(one.before, one.after);
      row.append(cell("before", valueOf(one.before, shared)), cell("after", valueOf(one.after, shared)));
    }
    rows.append(row);
  }
  made.append(heading("Attribute", "Before", "After"), rows);
  return [made];
};
const surroundings = (change, at) => {
  const members = around(at);
  if (members.length === 1) return [];
  const near = new Set([...needsOf(at), ...usersOf(at)]);
  const hidden = [...near].filter((other) => !members.includes(other)).length;
  const note = "An object refers to objects on its left. Objects with a dashed border do not change." + (hidden > 0 ? " " + hidden + " more are not shown." : "");
  return [scroller("Diagram of the references of " + change.address, picture(members, at, true)), element("p", note, "soft")];
};
const body = (change, at) => {
  const made = element("div", undefined, "body");
  const permalink = element("a", "Link to this change");
  permalink.href = hrefOf(change);
  const last = element("p");
  last.append(permalink);
  made.append(...consequences(change), ...findingList(change), ...differences(change), properties(change, at),
    ...surroundings(change, at), last);
  return made;
};

const rows = new Map();
const item = (at) => {
  const change = report.changes[at];
  const made = element("details", undefined, "change");
  const title = element("summary");
  const action = element("span", undefined, "action " + change.action);
  const mark = element("span", markOf(change.action), "mark");
  mark.setAttribute("aria-hidden", "true");
  action.append(mark, change.action === "none" ? "no change" : change.action);
  const what = element("span", undefined, "what");
  const names = change.differences.map(({ name }) => name);
  const gist = change.action === "update" || change.action === "replace"
    ? names.slice(0, 3).join(", ") + (names.length > 3 ? " and " + (names.length - 3) + " more" : "")
    : change.name && !change.address.includes(change.name) ? change.name : "";
  what.append(element("code", placeOf(change)));
  if (gist) what.append(" ", element("span", gist, "soft"));
  const severity = severityOf(change);
  title.append(action, " ", what, " ", severity ? element("span", severity, "badge " + severity) : element("span"));
  made.append(title);
  made.addEventListener("toggle", () => fill(at));
  rows.set(at, made);
  return made;
};
const fill = (at) => {
  const row = rows.get(at);
  if (row.open && row.childElementCount === 1) row.append(body(report.changes[at], at));
};

const page = 200;
let found = [];
let shown = 0;
const extend = (count) => {
  const part = document.createDocumentFragment();
  for (const at of found.slice(shown, shown + count)) part.append(item(at));
  list.append(part);
  shown = Math.min(found.length, shown + count);
  more.hidden = shown >= found.length;
  all.hidden = found.length === 0;
  const total = report.changes.length;
  status.textContent = (found.length === total ? "" : found.length + " of ") + total + (total === 1 ? " change" : " changes") +
    (shown < found.length ? ", the first " + shown + " are shown" : "");
};
const show = (places) => {
  found = places;
  shown = 0;
  rows.clear();
  list.replaceChildren();
  extend(page);
};
let texts;
const textOf = (at) => {
  texts ||= report.changes.map((change) =>
    [change.address, change.kind, change.name, change.id, change.plan, ...change.differences.flatMap(({ name, before, after }) =>
      [name, before.text, after.text])].join(" ").toLowerCase());
  return texts[at];
};
const fields = ["search", "action", "finding", "kind", "plan"];
const filter = () => {
  const { search, action, finding, kind, plan } = Object.fromEntries(fields.map((name) => [name, form.elements[name].value]));
  const words = search.toLowerCase().split(/\\s+/).filter(Boolean);
  const places = [];
  report.changes.forEach((change, at) => {
    if (action && change.action !== action) return;
    if (kind && change.kind !== kind) return;
    if (plan && change.plan !== plan) return;
    if (finding && !findingsAt(change).some((one) => one.severity === finding || one.rule === finding)) return;
    if (words.length > 0 && !words.every((word) => textOf(at).includes(word))) return;
    places.push(at);
  });
  show(places);
};
const setFilter = (wanted) => {
  for (const name of fields) {
    const control = form.elements[name];
    control.value = wanted.get(name) || "";
    // The value is not an option.
    if (control.selectedIndex === -1) control.value = "";
  }
};
const open = (section) => {
  for (let at = section; at; at = at.parentElement?.closest("details")) at.open = true;
};
const reveal = (plan, address) => {
  const at = report.changes.findIndex((change) => change.address === address && change.plan === plan);
  if (at < 0) return;
  if (!rows.has(at)) {
    setFilter(new URLSearchParams());
    if (at < page) filter();
    else show([at]);
  }
  const row = rows.get(at);
  open(row);
  fill(at);
  row.scrollIntoView();
  row.firstElementChild.focus({ preventScroll: true });
};
/** Shows the target of the URL fragment: a change, a filter, or a section. */
const follow = () => {
  const fragment = location.hash.slice(1);
  const wanted = new URLSearchParams(fragment);
  if (wanted.has("change")) return reveal(wanted.get("plan"), wanted.get("change"));
  if (fields.some((name) => wanted.has(name))) {
    setFilter(wanted);
    filter();
    open(form.closest("details"));
    form.closest("details").scrollIntoView();
    return form.elements.search.focus({ preventScroll: true });
  }
  const section = document.getElementById(fragment);
  if (section && section.tagName === "DETAILS") {
    open(section);
    section.scrollIntoView();
  }
};

const option = (text) => {
  const made = element("option", text);
  made.value = text;
  return made;
};
const choices = (name, values) => form.elements[name].append(...[...new Set(values)].sort().map(option));
const start = () => {
  choices("action", report.changes.map(({ action }) => action));
  choices("kind", report.changes.map(({ kind }) => kind));
  choices("plan", report.changes.map(({ plan }) => plan));
  form.elements.finding.append(...severities.map(option));
  choices("finding", report.findings.map(({ rule }) => rule));
  filter();
  for (const place of document.querySelectorAll(".command")) withCopy(place);
  for (const place of document.querySelectorAll(".fold")) place.addEventListener("toggle", () => waivers(place), { once: true });
  const map = document.getElementById("map");
  if (map) {
    const members = objects.flatMap((_, at) => (needsOf(at).length + usersOf(at).length > 0 ? [at] : []));
    const draw = () => map.childElementCount > 0 || map.append(scroller("Diagram of all references", picture(members)));
    if (map.closest("details").open) draw();
    map.closest("details").addEventListener("toggle", draw);
  }
  follow();
  requestAnimationFrame(() => setTimeout(() => performance.measure("changes to paint", { start: 0 })));
};
/** Adds the commands that waive the findings of a rule. */
const waivers = (place) => {
  const own = report.findings.filter(({ rule, address, waived }) => rule === place.dataset.rule && address && !waived);
  const made = own.slice(0, 20).map(({ rule, address, plan }) =>
    command("kcloud review waive " + rule + " --address " + quoted(address) + (report.hasSeveralPlans ? " --plan " + quoted(plan) : "") +
      " --owner NAME --reason TEXT --until DATE --policy DIR"));
  if (made.length > 0) place.append(element("p", "To waive, in the base revision:", "soft"), ...made);
  if (own.length > 20) place.append(element("p", "and " + (own.length - 20) + " more objects", "soft"));
};

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(changed));
const changed = () => {
  performance.mark("filter");
  const wanted = new URLSearchParams();
  for (const name of fields) if (form.elements[name].value) wanted.set(name, form.elements[name].value);
  history.replaceState(undefined, "", "#" + wanted);
  filter();
  requestAnimationFrame(() => setTimeout(() => performance.measure("filter to paint", "filter")));
};
form.addEventListener("input", changed);
more.addEventListener("click", () => {
  const next = shown;
  extend(page);
  rows.get(found[next]).firstElementChild.focus();
});
all.addEventListener("click", () => {
  const rowsShown = [...list.children];
  const target = !rowsShown.every((row) => row.open);
  for (const row of rowsShown) row.open = target;
});
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => {
  extend(found.length);
  for (const [at, row] of rows) {
    row.open = true;
    fill(at);
  }
});
// Paints the verdict before it builds the changes.
requestAnimationFrame(() => setTimeout(start));
`;
