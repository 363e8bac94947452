import { readFileSync } from "node:fs";
import { join } from "node:path";
import { capital, term } from "../../provider/core/name.ts";
import type { Values } from "../../provider/core/value.ts";
import { attribute, inWordsOf, wording } from "../../provider/core/wording.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { deletionProblems } from "../../provider/engine/plan.ts";
import { table } from "./markdown.ts";

/**
 * Lists errors with cause and remedy: those of golden files of tests, and those that follow from the options of a definition.
 */

interface Failure {
  /** Operation and object: `Creating the volume`. */
  readonly doing: string;
  readonly cause: string;
  readonly status: string | undefined;
  readonly existence: string;
  readonly remedy: string;
}

const goldens = ["explain", "service-refusal", "storage-refusal"].map((name) =>
  inWordsOf("terraform", readFileSync(join(import.meta.dirname, `../../test/golden/${name}.txt`), "utf8")),
);

/** Failures of the golden files: a title, then operation, cause, response, existence and remedy, one per line. */
const failures: readonly Failure[] = goldens.flatMap((text) =>
  text.split(/^# .*\n/m).flatMap((scenario): Failure[] => {
    const [summary = "", cause = "", ...more] = scenario.trim().split("\n");
    const [, doing] = /^(.+?)(?: "[^"]*")? failed$/.exec(summary) ?? [];
    const [existence = "", remedy = ""] = more.slice(-2);
    if (doing === undefined || more.length < 2) return [];
    const [, status] = /\(status (\d+)/.exec(more.slice(0, -2).join(" ")) ?? [];
    return [{ doing, cause, status, existence, remedy }];
  }),
);

/** Replaces ids of the emulator by the placeholders `KRN` and `ID`. */
export const withoutIds = (text: string): string =>
  text.replaceAll(/krn:[\w:-]+/g, "KRN").replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, "ID");

/** Returns a text as a table cell, without the last status, which depends on the test. */
const cell = (text: string): string =>
  withoutIds(text)
    .replace(/; last seen: [^.]*/, "")
    .replaceAll("|", "\\|");

/** Returns the rows of these failures: one per operation, cause and remedy, with all statuses. */
function rowsOf(found: readonly Failure[]): string[][] {
  const keyOf = ({ doing, cause, existence, remedy }: Failure) =>
    [doing, cause, existence, remedy].map(cell).join("\n");
  return [...Map.groupBy(found, keyOf)].map(([key, same]) => {
    const [doing = "", cause = "", existence = "", remedy = ""] = key.split("\n");
    const statuses = [...new Set(same.flatMap(({ status }) => status ?? []))].toSorted();
    const response = statuses.length === 0 ? "" : ` (status ${statuses.join(", ")})`;
    return [`${doing}: ${cause.replace(/\.$/, "")}${response}.`, existence, remedy];
  });
}

const head = ["error", "state", "remedy"];

const tableOf = (rows: readonly string[][]): string | undefined =>
  rows.length === 0 ? undefined : table([head, ...rows]);

/** Returns the table of the errors of a resource; undefined if no test raises one. */
export function errorTable(resource: Resource): string | undefined {
  const subject = new RegExp(
    `^(Creating|Reading|Changing|Deleting|Importing) the ${term(resource.name)}$`,
    "i",
  );
  return tableOf([...refusals(resource), ...rowsOf(failures.filter(({ doing }) => subject.test(doing)))]);
}

/** Returns the table of the errors of one kind of definition that has no state, by the operation that an error names. */
export const errorTableOf = (doing: string): string | undefined =>
  tableOf(rowsOf(failures.filter((failure) => failure.doing.toLowerCase() === doing.toLowerCase())));

/** Returns the rows of the errors with which a plan rejects a change or a delete. */
function refusals(resource: Resource): string[][] {
  const { fields, holdsData } = resource;
  const refused = Object.values(fields).flatMap((field) => {
    if (field.kind !== "field" || typeof field.options.change !== "function") return [];
    const effect = field.options.change(20 as never, 10 as never);
    return typeof effect === "object" ? [effect.refuse] : [];
  });
  const values: Values = { name: "NAME", deletionProtection: true };
  const protection =
    holdsData === undefined
      ? []
      : deletionProblems(resource, { id: "ID", task: undefined, values, unread: [] }).map(
          ({ path, problem }) => wording`${attribute(String(path[0]))} ${problem}`,
        );
  return [...refused, ...protection].map((text) => planned(inWordsOf("terraform", text)));
}

/** Splits the text of a plan at its last colon or semicolon, or after its first sentence, into problem and remedy. */
function planned(text: string): string[] {
  const last = Math.max(text.lastIndexOf(": "), text.lastIndexOf("; "));
  const separator = last < 0 ? text.indexOf(". ") : last;
  if (separator < 0) throw new Error(`the text has no problem and remedy: ${text}`);
  return [
    `Plan: ${text.slice(0, separator)}.`,
    "Nothing was changed.",
    `${capital(text.slice(separator + 2))}.`,
  ];
}
