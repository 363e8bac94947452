import type { PageChange } from "./data.ts";
import { detailOf } from "./detail.ts";
import { byId, element, markOf } from "./element.ts";
import { placeOf, report, severityOf } from "./report.ts";

/** List of the changes that the filter finds. Shows a page of them at once, and the details of a change when it is opened. */

const [list, more, all, status] = [byId("changes"), byId("more"), byId("all"), byId("status")];

/** Number of changes that are added at once. */
export const pageSize = 200;

/** Numbers of the changes in the list; the first `shownCount` of them are shown. */
let found: readonly number[] = [];
let shownCount = 0;
/** Elements of the shown changes, by number. */
const rows = new Map<number, HTMLDetailsElement>();

export const isShown = (index: number): boolean => rows.has(index);

/** Replaces the list by the changes with these numbers. */
export function showChanges(places: readonly number[]): void {
  found = places;
  shownCount = 0;
  rows.clear();
  list.replaceChildren();
  extend(pageSize);
}

/** Shows more changes of the list. */
function extend(count: number): void {
  const part = document.createDocumentFragment();
  for (const index of found.slice(shownCount, shownCount + count)) part.append(rowOf(index));
  list.append(part);
  shownCount = Math.min(found.length, shownCount + count);
  more.hidden = shownCount >= found.length;
  all.hidden = found.length === 0;
  const total = report.changes.length;
  status.textContent = `${found.length === total ? "" : `${found.length} of `}${total}${total === 1 ? " change" : " changes"}${
    shownCount < found.length ? `, the first ${shownCount} are shown` : ""
  }`;
}

function rowOf(index: number): HTMLElement {
  const change = changeAt(index);
  const row = element("details", undefined, "change");
  const title = element("summary");
  const action = element("span", undefined, `action ${change.action}`);
  const mark = element("span", markOf(change.action), "mark");
  mark.setAttribute("aria-hidden", "true");
  action.append(mark, change.action === "none" ? "no change" : change.action);
  const what = element("span", undefined, "what");
  const gist = gistOf(change);
  what.append(element("code", placeOf(change)));
  if (gist) what.append(" ", element("span", gist, "soft"));
  const severity = severityOf(change);
  title.append(
    action,
    " ",
    what,
    " ",
    severity ? element("span", severity, `badge ${severity}`) : element("span"),
  );
  row.append(title);
  row.addEventListener("toggle", () => fill(index));
  rows.set(index, row);
  return row;
}

function changeAt(index: number): PageChange {
  const change = report.changes[index];
  if (change === undefined) throw new Error(`the report has no change ${index}`);
  return change;
}

/** Returns the changed attributes, or the name of the object if its address does not contain it. */
function gistOf({ action, differences, name, address }: PageChange): string {
  if (action !== "update" && action !== "replace") return name && !address.includes(name) ? name : "";
  const names = differences.map((difference) => difference.name);
  return `${names.slice(0, 3).join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`;
}

/** Adds the details to an open change. */
function fill(index: number): void {
  const row = rows.get(index);
  if (row?.open && row.childElementCount === 1) row.append(detailOf(changeAt(index), index));
}

/** Opens an element and the sections around it. */
export function openSection(section: Element | null): void {
  for (
    let ancestor = section?.closest("details");
    ancestor;
    ancestor = ancestor.parentElement?.closest("details")
  )
    ancestor.open = true;
}

/** Opens a shown change, scrolls to it and focuses it. */
export function openChange(index: number): void {
  const row = rows.get(index);
  if (row === undefined) return;
  openSection(row);
  fill(index);
  row.scrollIntoView();
  focusOn(row, { preventScroll: true });
}

const focusOn = (row: HTMLElement | undefined, options?: FocusOptions): void =>
  row?.querySelector("summary")?.focus(options);

/** Connects the buttons of the list, and opens all changes before the page is printed. */
export function connectList(): void {
  more.addEventListener("click", () => {
    const next = found[shownCount] ?? 0;
    extend(pageSize);
    focusOn(rows.get(next));
  });
  all.addEventListener("click", () => {
    const isOpening = ![...rows.values()].every((row) => row.open);
    for (const row of rows.values()) row.open = isOpening;
  });
  addEventListener("beforeprint", () => {
    extend(found.length);
    for (const [index, row] of rows) {
      row.open = true;
      fill(index);
    }
  });
}
