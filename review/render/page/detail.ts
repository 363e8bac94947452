import { uncomparedNote } from "../note.ts";
import type { PageChange, Place } from "./data.ts";
import { diagram } from "./diagram.ts";
import { element } from "./element.ts";
import { hrefOf } from "./fragment.ts";
import { actionOf, needsOf, objectAt, relatedTo, usersOf } from "./reference.ts";
import { findingsOf, placeOf, report } from "./report.ts";
import { innerElements, valueElements } from "./value.ts";

/** Details of one change. Each part returns no element if it has no content. */

/** Returns the details of the change with this number. */
export function detailOf(change: PageChange, index: number): HTMLElement {
  const body = element("div", undefined, "body");
  const permalink = element("a", "Link to this change");
  permalink.href = hrefOf(change);
  const last = element("p");
  last.append(permalink);
  body.append(
    ...consequences(change),
    ...findingList(change),
    ...differenceTable(change),
    propertyList(change, index),
    ...surroundings(change, index),
    last,
  );
  return body;
}

function consequences(change: PageChange): HTMLElement[] {
  const texts = [...change.reasons];
  if (change.order) texts.push(`Order: ${change.order}.`);
  if (change.action === "replace" || change.action === "delete") texts.push(change.reversal);
  const { direct, total, names } = change.dependents;
  if (total > 0)
    texts.push(
      `${direct}${direct === 1 ? " dependent, " : " dependents, "}${total} in all: ${names.join(", ")}`,
    );
  const list = element("ul", undefined, "warning");
  list.append(...texts.map((text) => element("li", text)));
  return texts.length > 0 ? [list] : [];
}

function findingList(change: PageChange): HTMLElement[] {
  const list = element("ul", undefined, "list");
  for (const { rule, severity, text, waived } of findingsOf(change)) {
    const item = element("li");
    item.append(element("span", severity, `badge ${severity}`), ` ${rule} ${report.rules[rule]}: ${text}`);
    if (waived) item.append(element("span", " (waived)", "soft"));
    list.append(item);
  }
  return list.childElementCount > 0 ? [list] : [];
}

function differenceTable(change: PageChange): HTMLElement[] {
  if (change.differences.length === 0) return [];
  const table = element("table", undefined, "differences");
  const rows = element("tbody");
  for (const { name, before, after, inner, forcesReplacement, isUncompared } of change.differences) {
    const row = element("tr");
    const title = cell("", element("code", name));
    if (forcesReplacement) title.append(element("span", "forces the replacement", "forces"));
    if (isUncompared) title.append(element("span", ` ${uncomparedNote}`, "soft"));
    row.append(title);
    if (inner) {
      if (inner.formats.length > 0) title.append(element("span", ` ${inner.formats.join(", ")}`, "soft"));
      const parts = cell("parts", ...innerElements(inner));
      parts.colSpan = 2;
      row.append(parts);
    } else {
      const [left, right] = valueElements(before, after);
      row.append(cell("before", left), cell("after", right));
    }
    rows.append(row);
  }
  table.append(heading("Attribute", "Before", "After"), rows);
  return [table];
}

function heading(...titles: readonly string[]): HTMLElement {
  const head = element("thead");
  const row = element("tr");
  for (const title of titles) {
    const column = element("th", title);
    column.scope = "col";
    row.append(column);
  }
  head.append(row);
  return head;
}

function cell(kind: string, ...parts: readonly Node[]): HTMLTableCellElement {
  const column = element("td", undefined, kind);
  column.append(...parts);
  return column;
}

function propertyList(change: PageChange, index: number): HTMLElement {
  const list = element("dl", undefined, "properties");
  const add = (title: string, ...values: readonly Node[]): void => {
    const content = element("dd");
    content.append(...values);
    list.append(element("dt", title), content);
  };
  const addObjects = (title: string, objects: readonly number[]): void => {
    if (objects.length === 0) return;
    const shown: HTMLElement[] = objects.slice(0, 10).map((other) => {
      const object = objectAt(other);
      return actionOf(object) ? link(object) : element("code", placeOf(object));
    });
    if (objects.length > 10) shown.push(element("span", `and ${objects.length - 10} more`, "soft"));
    add(title, ...shown);
  };
  add("Kind", element("span", change.kind));
  if (change.name) add("Name", element("span", change.name));
  if (change.id) add("Id", element("code", change.id));
  add("Plan", element("span", change.plan));
  if (change.parents.length > 0) add("Part of", element("code", change.parents.join(" › ")));
  if (change.previousAddress) add("Moved from", element("code", change.previousAddress));
  if (change.importedId) add("Imported from", element("code", change.importedId));
  if (change.source) add("Source", element("code", `${change.source.file}:${change.source.line}`));
  addObjects("Refers to", needsOf(index));
  addObjects("Referred to by", usersOf(index));
  return list;
}

function link(object: Place): HTMLElement {
  const anchor = element("a", placeOf(object), "code");
  anchor.href = hrefOf(object);
  return anchor;
}

function surroundings(change: PageChange, index: number): HTMLElement[] {
  const members = relatedTo(index);
  if (members.length === 1) return [];
  const near = new Set([...needsOf(index), ...usersOf(index)]);
  const hidden = [...near].filter((other) => !members.includes(other)).length;
  const note = `An object refers to objects on its left. Objects with a dashed border do not change.${hidden > 0 ? ` ${hidden} more are not shown.` : ""}`;
  return [
    diagram(`Diagram of the references of ${change.address}`, members, {
      highlighted: index,
      isHidden: true,
    }),
    element("p", note, "soft"),
  ];
}
