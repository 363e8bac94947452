import { cleaned } from "../../provider/client/client.ts";
import { plural, term } from "../../provider/core/name.ts";
import { inWordsOf, type Words } from "../../provider/core/wording.ts";
import type { ExportedAccount } from "../export/export.ts";
import type { Block, Project } from "../export/project.ts";
import { shellArgument } from "../export/shell.ts";
import type { AccountObject, Gap } from "../object.ts";
import { type FormatName, formats } from "./format.ts";

/** End of the output of `kcloud export`. */

/** Result of an export. */
export interface Exported {
  readonly project: Project;
  readonly gaps: readonly Gap[];
  readonly leftOut: ExportedAccount["leftOut"];
  readonly format: FormatName;
  /** Folder as the user named it. */
  readonly folder: string;
  readonly files: readonly string[];
}

/** Maximum number of comments or gaps of one kind that are listed one by one. */
const most = 20;

/** Maximum length of a reason, in characters. */
const longest = 300;

/** Returns the summary: counts, comments, gaps, and the next commands. `redact` removes secrets from texts of the API. */
export function summaryOf(exported: Exported, redact: (text: string) => string): string {
  const { project, gaps, leftOut, format, folder, files } = exported;
  const { words, commands } = formats[format];
  const inForce = project.blocks.filter(({ problems }) => problems.length === 0);
  const comments = project.blocks.filter(({ problems }) => problems.length > 0);
  const clean = (text: string) => cleaned(text, redact, longest);
  const incomplete = gaps.filter(({ isIncomplete }) => isIncomplete);
  const others = gaps.filter(({ isIncomplete }) => !isIncomplete);
  return [
    `${counted(inForce.length, "object")} in ${counted(files.length, "file")} of ${folder}`,
    ...countsOf(inForce),
    ...section(
      "Comments, since the API does not return all values of these objects",
      commentLines(comments, words),
      clean,
    ),
    ...section("Made with other objects, without a resource of their own", partLines(project.parts), clean),
    ...section(
      "Not read: the project lacks objects",
      incomplete.map((gap) => gapLine(gap, words)),
      clean,
    ),
    ...section("Left out", leftOutLines(leftOut), clean),
    ...section("Not listed", kindLines(others, words), clean),
    "",
    "Next:",
    `  cd ${shellArgument(folder)}`,
    ...commands.map((command) => `  ${command}`),
    "",
  ].join("\n");
}

const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : plural(noun)}`;

/** Returns a line for each kind with the number of its objects. */
const countsOf = (blocks: readonly Block[]): string[] =>
  [...Map.groupBy(blocks, ({ kind }) => kind)].map(
    ([kind, some]) =>
      `  ${String(some.length).padStart(6)}  ${term(some.length === 1 ? kind : plural(kind))}`,
  );

/** Returns a line for each kind of parts. */
const partLines = (parts: readonly AccountObject[]): string[] =>
  [...Map.groupBy(parts, ({ resource }) => resource.name)].map(
    ([kind, some]) =>
      `${counted(some.length, term(kind))}: ${some.map(({ name }) => JSON.stringify(name)).join(", ")}`,
  );

/** Returns a line for each number of objects that the project leaves out. */
const leftOutLines = ({ managed, young }: Exported["leftOut"]): string[] => [
  ...(managed === 0 ? [] : [`${counted(managed, "object")} of the states, or made with them`]),
  ...(young === 0 ? [] : [`${counted(young, "object")} created within settle_seconds`]),
];

/** Returns a line for each kind and reason of comments. */
function commentLines(blocks: readonly Block[], words: Words): string[] {
  const groups = Map.groupBy(blocks, ({ kind, problems }) =>
    JSON.stringify([kind, problems.map((problem) => inWordsOf(words, problem))]),
  );
  return [...groups].map(([key, some]) => {
    const [kind = "", problems = []] = JSON.parse(key) as [string, string[]];
    return `${counted(some.length, term(kind))}: ${problems.join("; ")}`;
  });
}

/** Returns a line for each reason of gaps, with the kinds or the objects. */
const kindLines = (gaps: readonly Gap[], words: Words): string[] =>
  [...Map.groupBy(gaps, ({ reason }) => inWordsOf(words, reason))].map(
    ([reason, some]) => `${some.map(subjectOf).join(", ")}: ${reason}`,
  );

const subjectOf = ({ kind, scope }: Gap): string =>
  `${term(kind)}${scope === undefined ? "" : ` ${JSON.stringify(scope)}`}`;

/** Returns a gap as a line: its kind, its scope and the reason. */
export const gapLine = (gap: Gap, words: Words): string =>
  `${subjectOf(gap)}: ${inWordsOf(words, gap.reason)}`;

function section(title: string, lines: readonly string[], clean: (text: string) => string): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > most ? [`  and ${lines.length - most} more`] : [];
  return ["", `${title}:`, ...lines.slice(0, most).map((line) => `  ${clean(line)}`), ...more];
}
