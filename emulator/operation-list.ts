import { notImplemented } from "./model/not-implemented.ts";
import type { OperationName } from "./model/operation.ts";
import { resourceKinds } from "./resource-kinds.ts";

/** Operation of the contract; `built` is true when the emulator implements it, as part of the resource kind `kind`. */
export type ListedOperation = OperationName & { readonly built: boolean; readonly kind?: string };

const sectionOrder = (section: string) => section.split(".").map(Number);

function bySection(a: ListedOperation, b: ListedOperation): number {
  const [majorA = 0, minorA = 0] = sectionOrder(a.section);
  const [majorB = 0, minorB = 0] = sectionOrder(b.section);
  return majorA - majorB || minorA - minorB;
}

/** Lists every operation of the contract by section; those that are not implemented return 501. */
export function listOperations(): ListedOperation[] {
  const implemented = resourceKinds.flatMap((kind) =>
    kind.operations.map(({ name, method, path, section, source, select }) => ({
      name,
      method,
      path,
      ...(select && { select }),
      section,
      source,
      kind: kind.name,
      built: true,
    })),
  );
  return [...implemented, ...notImplemented.map((operation) => ({ ...operation, built: false }))].sort(
    bySection,
  );
}

/** Formats the request of an operation: method, path and the query that selects it. */
export const requestOf = ({ method, path, select }: ListedOperation): string =>
  `${method} ${path}${select ? `?${new URLSearchParams(select)}` : ""}`;

/** Formats the operations as a text table, one per line. */
export function formatOperations(): string {
  const rows = listOperations().map((operation) => [
    operation.section,
    operation.name,
    operation.built ? "built" : "501",
    operation.source,
    requestOf(operation),
  ]);
  const table = [["section", "operation", "state", "source", "request"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => (row[column] ?? "").length)));
  return table.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ")).join("\n");
}
