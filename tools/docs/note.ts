import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { snakeCase } from "../../provider/core/name.ts";
import { inWordsOf, mapText, wording } from "../../provider/core/wording.ts";
import type { Fields } from "../../provider/definition/field.ts";
import { isLocal } from "../../provider/definition/field.ts";
import type { Action } from "../../provider/definition/function.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { coveringOf } from "../operation-coverage.ts";
import { bullets, section, table } from "./markdown.ts";
import { type ListedOperation, requestOf } from "./operation.ts";

/** Writes the notes on the API: those of the folder `note`, and those that follow from the options of a definition. */

/** Returns the hand-written notes of a resource, if any. Text services have common notes, and so have document jobs. */
function writtenNotes(name: string): string | undefined {
  const family = name.replace(/^(text|document)-.*/, "$1");
  const file = join(import.meta.dirname, "note", `${family}.md`);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

/** Returns the paths of the fields that the API never returns, with their Terraform names. */
const unreadableIn = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    if (isLocal(field) || field.kind === "computed") return [];
    if (field.options.unreadable) return [snakeCase(name)];
    return field.kind === "group"
      ? unreadableIn(field.fields).map((path) => `${snakeCase(name)}.${path}`)
      : [];
  });

const listed = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(", ");

/** Returns the notes that follow from the options of the definition, in Markdown. */
function derivedNotes(resource: Resource): string[] {
  const { lifecycle, holdsData, replaceReason, verbs } = resource;
  const unreadable = unreadableIn(resource.fields).toSorted();
  const loss =
    typeof holdsData === "object"
      ? `${holdsData.text.replace(/\.$/, "")}, unless ${holdsData.unless}.`
      : holdsData;
  const statuses = lifecycle && [
    `Ready: ${listed(lifecycle.ready)}`,
    ...(lifecycle.pending.length > 0 ? [`in progress: ${listed(lifecycle.pending)}`] : []),
    ...(lifecycle.failed.length > 0 ? [`failed: ${listed(lifecycle.failed)}`] : []),
  ];
  return [
    loss && `Deletion and replacement: ${lowerFirst(loss)} \`deletion_protection\` prevents both.`,
    resource.otpDelete &&
      "A delete requires a one-time password: see [One-time passwords](../guides/one-time-passwords.md).",
    replaceReason && wording`Replacement: ${mapText(replaceReason, lowerFirst)}`,
    resource.exclusive &&
      "A replacement deletes the old object first, as both cannot exist at the same time.",
    typeof verbs.delete === "object" ? verbs.delete.undeletable : undefined,
    resource.billed && `${resource.billed} The plan shows a warning.`,
    resource.visibility?.unreadable &&
      "The API documents no request that reads the object. Drift cannot be detected, and one warning per run says so.",
    statuses &&
      `Statuses in \`${snakeCase(lifecycle?.field ?? "")}\` (case is ignored). ${statuses.join("; ")}. A create or update waits for a ready status; an unknown status is tolerated for a short time.`,
    unreadable.length > 0 &&
      `The API never returns ${listed(unreadable)}: the state keeps the configured values, and drift of these attributes cannot be detected. The first plan after an import can show one update in place, which records the configuration and sends nothing.`,
  ]
    .flatMap((note) => note || [])
    .map((note) => inWordsOf("terraform", note));
}

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Returns the table of the documented operations that a definition sends; undefined if it sends none of them. */
function operationTable(definition: string, operations: readonly ListedOperation[]): string | undefined {
  const sent = operations.filter(
    (operation) =>
      operation.source === "seed" && coveringOf(operation).some((covering) => covering === definition),
  );
  if (sent.length === 0) return undefined;
  const rows = sent.map((operation) => [`\`${operation.name}\``, `\`${requestOf(operation)}\``]);
  return table([["operation", "request"], ...rows]);
}

/** Returns the section about the API of a resource. */
export const resourceNotes = (
  resource: Resource,
  operations: readonly ListedOperation[],
): string | undefined =>
  section(
    "## Notes",
    writtenNotes(resource.name),
    bullets(derivedNotes(resource)),
    operationTable(`resource ${resource.name}`, operations),
  );

/** Returns the section about the API of a definition without a state, such as `action instance-stop`. */
export const definitionNotes = (
  definition: string,
  operations: readonly ListedOperation[],
): string | undefined => section("## Notes", operationTable(definition, operations));

/** Returns the section about the API of an action. */
export const actionNotes = (action: Action, operations: readonly ListedOperation[]): string | undefined =>
  section("## Notes", repetition(action), operationTable(`action ${action.name}`, operations));

/** Describes when the request of an action is sent, and when it is sent again. */
function repetition({ lasting, once }: Action): string {
  if (once)
    return "The request is never sent twice. After an ambiguous response the error says what to check.";
  return lasting
    ? "The action is not sent to an object that has the status already. After an ambiguous response it is sent again only while the object shows no effect of it."
    : "The action is never sent again after an ambiguous response, since nothing proves that it was not executed.";
}
