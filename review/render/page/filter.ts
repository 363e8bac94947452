import type { Shown } from "../../report/report.ts";
import { showChanges } from "./change-list.ts";
import { byId, element } from "./element.ts";
import { setFragment } from "./fragment.ts";
import { findingsOf, report } from "./report.ts";

/** Filter of the changes. */

/** Names of the controls of the filter. */
export const filterFields = ["search", "action", "finding", "kind", "plan"] as const;

type Field = (typeof filterFields)[number];

export const form = byId<HTMLFormElement>("filter");

/** Returns the control of a field. */
export const controlOf = (name: Field): HTMLInputElement | HTMLSelectElement =>
  form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;

let texts: readonly string[] | undefined;

/** Returns the text in which the search looks for a change. */
function searchText(index: number): string {
  texts ??= report.changes.map(({ address, kind, name, id, plan, differences }) =>
    [
      ...[address, kind, name, id, plan],
      ...differences.flatMap(({ name: attribute, before, after, inner }) => [
        attribute,
        ...[before, after, ...(inner?.parts ?? []).flatMap((part) => [part.before, part.after])].map(textIn),
      ]),
    ]
      .join(" ")
      .toLowerCase(),
  );
  return texts[index] ?? "";
}

const textIn = (value: Shown | undefined): string | undefined =>
  value?.kind === "value" ? value.text : undefined;

/** Shows the changes that match the controls. */
export function applyFilter(): void {
  const [search, action, finding, kind, plan] = filterFields.map((name) => controlOf(name).value);
  const words = (search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const places: number[] = [];
  report.changes.forEach((change, index) => {
    if (action && change.action !== action) return;
    if (kind && change.kind !== kind) return;
    if (plan && change.plan !== plan) return;
    if (finding && !findingsOf(change).some(({ severity, rule }) => severity === finding || rule === finding))
      return;
    if (words.length > 0 && !words.every((word) => searchText(index).includes(word))) return;
    places.push(index);
  });
  showChanges(places);
}

/** Sets the controls; a value that is no option of its control counts as none. */
export function setFilter(wanted: URLSearchParams): void {
  for (const name of filterFields) {
    const control = controlOf(name);
    control.value = wanted.get(name) ?? "";
    if (control instanceof HTMLSelectElement && control.selectedIndex === -1) control.value = "";
  }
}

function changed(): void {
  performance.mark("filter");
  const wanted = new URLSearchParams();
  for (const name of filterFields) {
    const { value } = controlOf(name);
    if (value) wanted.set(name, value);
  }
  setFragment(wanted);
  applyFilter();
  requestAnimationFrame(() => setTimeout(() => performance.measure("filter to paint", "filter")));
}

/** Connects the controls. */
export function connectFilter(): void {
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(changed));
  form.addEventListener("input", changed);
}

/** Adds the options of the controls. */
export function addChoices(): void {
  const add = (name: Field, values: readonly string[]) => controlOf(name).append(...values.map(option));
  const sorted = (values: readonly string[]) => [...new Set(values)].sort();
  add("action", sorted(report.changes.map(({ action }) => action)));
  add("kind", sorted(report.changes.map(({ kind }) => kind)));
  add("plan", sorted(report.changes.map(({ plan }) => plan)));
  add("finding", ["critical", "high", "medium", "low"]);
  add("finding", sorted(report.findings.map(({ rule }) => rule)));
}

function option(text: string): HTMLOptionElement {
  const choice = element("option", text);
  choice.value = text;
  return choice;
}
