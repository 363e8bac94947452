/** Style and script of the HTML report. The script reads the report from the page and sends nothing. */

export const style = `
:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--soft:#57606a;--line:#d0d7de;--panel:#f6f8fa;--accent:#0550ae;
--critical:#a40e26;--high:#a40e26;--medium:#7a4b00;--low:#0550ae;--add:#116329;--remove:#a40e26}
@media (prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e6edf3;--soft:#9ea7b3;--line:#30363d;--panel:#161b22;
--accent:#79c0ff;--critical:#ff9492;--high:#ff9492;--medium:#f0b72f;--low:#79c0ff;--add:#7ee787;--remove:#ff9492}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main,header,footer{max-width:70rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.5rem}
h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}
code,pre,.mono{font:13px/1.45 ui-monospace,monospace;overflow-wrap:anywhere}
.verdict{border-left:.4rem solid var(--add);padding:.5rem 1rem;background:var(--panel)}
.verdict.blocked{border-color:var(--critical)}.verdict.unreviewable{border-color:var(--medium)}
.soft{color:var(--soft)}
ul{padding-left:1.25rem}
.finding{border:1px solid var(--line);border-radius:.4rem;padding:.5rem .75rem;margin:.5rem 0;list-style:none}
.findings{padding:0}
.badge{display:inline-block;border:1px solid currentColor;border-radius:.8rem;padding:0 .5rem;font-size:.8rem;font-weight:600}
.critical{color:var(--critical)}.high{color:var(--high)}.medium{color:var(--medium)}.low{color:var(--low)}
form{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;padding:.75rem;background:var(--panel);border:1px solid var(--line);border-radius:.4rem}
label{display:flex;flex-direction:column;font-size:.85rem}
input,select,button{font:inherit;color:inherit;background:var(--back);border:1px solid var(--line);border-radius:.3rem;padding:.3rem .5rem}
button{cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
details{border:1px solid var(--line);border-radius:.4rem;margin:.35rem 0}
summary{padding:.4rem .75rem;cursor:pointer;overflow-wrap:anywhere}
details>div{padding:0 .75rem .75rem}
table{border-collapse:collapse;width:100%;table-layout:fixed}
th,td{text-align:left;vertical-align:top;padding:.25rem .5rem;border-top:1px solid var(--line);overflow-wrap:anywhere}
.scroll{overflow-x:auto}
.added{color:var(--add)}.removed{color:var(--remove)}
@media (max-width:40rem){th:nth-child(1),td:nth-child(1){width:35%}}
@media print{form,button{display:none}details{break-inside:avoid}}
`;

export const script = `
"use strict";
const report = JSON.parse(document.getElementById("report").textContent);
const list = document.getElementById("changes");
const more = document.getElementById("more");
const status = document.getElementById("status");
const form = document.getElementById("filter");
const page = 200;
const worst = new Map();
const order = ["critical", "high", "medium", "low"];
for (const { plan, address, severity } of report.findings) {
  const key = plan + " " + address;
  const known = worst.get(key);
  if (known === undefined || order.indexOf(severity) < order.indexOf(known)) worst.set(key, severity);
}
const severityOf = (change) => worst.get(change.plan + " " + change.address) || "";
const texts = report.changes.map((change) =>
  [change.address, change.kind, change.name, change.id, change.plan, ...change.differences.map((one) => one.name)]
    .join(" ").toLowerCase());
const element = (name, text, kind) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
};
const valueText = (value) => {
  if (value.kind === "none") return "(none)";
  if (value.kind === "unknown") return "(known after apply)";
  if (value.kind === "sensitive") return value.mark ? "(sensitive " + value.mark + ")" : "(sensitive)";
  return value.cut ? value.text + "… (" + value.cut + " characters)" : value.text;
};
const cell = (text, kind) => {
  const made = element("td");
  made.append(element("code", text, kind));
  return made;
};
const body = (change) => {
  const made = element("div");
  const facts = element("ul");
  for (const text of change.reasons) facts.append(element("li", text));
  if (change.order) facts.append(element("li", "Order: " + change.order + "."));
  if (change.action === "replace" || change.action === "delete") facts.append(element("li", change.reversal));
  if (change.dependents.total > 0)
    facts.append(element("li", change.dependents.direct + " direct dependents, " + change.dependents.total + " in all: " +
      change.dependents.names.join(", ")));
  if (change.id) facts.append(element("li", "Id: " + change.id));
  if (change.source) facts.append(element("li", "Source: " + change.source.file + ":" + change.source.line));
  if (facts.childElementCount > 0) made.append(facts);
  if (change.differences.length > 0) {
    const table = element("table");
    const head = element("tr");
    for (const title of ["Attribute", "Before", "After"]) {
      const heading = element("th", title);
      heading.scope = "col";
      head.append(heading);
    }
    const first = element("thead");
    first.append(head);
    const rows = element("tbody");
    for (const one of change.differences) {
      const row = element("tr");
      row.append(cell(one.name + (one.forcesReplacement ? " (forces the replacement)" : "")));
      if (one.removed) {
        row.append(cell(one.removed.map((item) => "− " + valueText(item)).join("\\n"), "removed"));
        row.append(cell(one.added.map((item) => "+ " + valueText(item)).join("\\n"), "added"));
      } else {
        row.append(cell(valueText(one.before), "removed"), cell(valueText(one.after), "added"));
      }
      rows.append(row);
    }
    table.append(first, rows);
    made.append(table);
  }
  return made;
};
const item = (change) => {
  const made = element("details");
  const title = element("summary");
  title.append(element("strong", change.action), " ", element("code", change.address));
  if (change.name) title.append(" ", change.name);
  const severity = severityOf(change);
  if (severity) title.append(" ", element("span", severity, "badge " + severity));
  made.append(title);
  made.addEventListener("toggle", () => {
    if (made.open && made.childElementCount === 1) made.append(body(change));
  });
  return made;
};
let found = [];
let shown = 0;
const extend = (count) => {
  const part = document.createDocumentFragment();
  for (const at of found.slice(shown, shown + count)) part.append(item(report.changes[at]));
  list.append(part);
  shown = Math.min(found.length, shown + count);
  more.hidden = shown >= found.length;
  status.textContent = found.length + " of " + report.changes.length + " changes" +
    (shown < found.length ? ", the first " + shown + " are shown" : "");
};
const filter = () => {
  const search = form.elements.search.value.toLowerCase();
  const { value: action } = form.elements.action;
  const { value: severity } = form.elements.severity;
  const { value: kind } = form.elements.kind;
  const { value: plan } = form.elements.plan;
  found = [];
  report.changes.forEach((change, at) => {
    if (action && change.action !== action) return;
    if (kind && change.kind !== kind) return;
    if (plan && change.plan !== plan) return;
    if (severity && severityOf(change) !== severity) return;
    if (search && !texts[at].includes(search)) return;
    found.push(at);
  });
  list.replaceChildren();
  shown = 0;
  extend(page);
};
const options = (name, values) => {
  for (const value of [...new Set(values)].sort()) {
    const option = element("option", value);
    option.value = value;
    form.elements[name].append(option);
  }
};
options("action", report.changes.map(({ action }) => action));
options("kind", report.changes.map(({ kind }) => kind));
options("plan", report.changes.map(({ plan }) => plan));
for (const severity of order) {
  const option = element("option", severity);
  option.value = severity;
  form.elements.severity.append(option);
}
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => {
  performance.mark("filter");
  filter();
  requestAnimationFrame(() => setTimeout(() => performance.measure("filter to paint", "filter")));
});
more.addEventListener("click", () => extend(page));
addEventListener("beforeprint", () => {
  extend(found.length);
  for (const one of list.children) one.open = true;
});
filter();
`;
