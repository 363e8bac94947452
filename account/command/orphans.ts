import { parseArguments } from "../../command/argument.ts";
import { cleaned } from "../../provider/client/client.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import { pulumiToken, term, terraformType, underscored } from "../../provider/core/name.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { resources } from "../../resources/index.ts";
import { withExitCode } from "../../review/command/main.ts";
import { parseInputs } from "../../review/command/option.ts";
import { UnreadableError } from "../../review/read/read.ts";
import { identifier } from "../export/name.ts";
import { shellArgument } from "../export/shell.ts";
import { everything } from "../filter.ts";
import { InventoryError, type InventoryOptions } from "../inventory.ts";
import type { Gap } from "../object.ts";
import { ForeignStateError, type Orphan, type Orphans, readOrphans } from "../orphans.ts";
import { inReadSession } from "../session.ts";
import type { StateFile } from "../state/recorded.ts";
import { readState } from "../state/state.ts";
import { requireKinds } from "./export.ts";
import { orphansCommand } from "./option.ts";
import { countsText, interruptible } from "./progress.ts";
import { gapLine } from "./summary.ts";

/** Exit codes: a code of `kcloud review` with the same meaning has the same number. */
const exitCodes = { none: 0, found: 3, incomplete: 4 } as const;

/** Runs `kcloud orphans`. Returns the exit code. */
export const orphansMain = (args: readonly string[]): Promise<number> =>
  withExitCode("orphans", async () => {
    const { values, positionals } = parseArguments(orphansCommand.options, args);
    const inputs = parseInputs("--state", [...(values.state ?? []), ...positionals]);
    const { kind = [], exclude = [] } = values;
    requireKinds(kind);
    const states = inputs.map(({ path }) => readState(path));
    const filter = { ...everything, kinds: kind, excluded: exclude };
    return interruptible(
      () => "kcloud orphans: interrupted",
      async ({ stop, show }) => {
        const report = await orphanReport(states, {
          resources,
          filter,
          stop,
          report: (progress) => show(countsText(progress)),
        });
        show(undefined);
        const text = values.json ? jsonOf(report) : textOf(report);
        process.stdout.write(cleanedLines(text, report.redact));
        if (report.gaps.length > 0) return exitCodes.incomplete;
        return report.found.orphans.length > 0 ? exitCodes.found : exitCodes.none;
      },
    );
  });

/** Reads the account of the settings in the environment. Throws `UnreadableError`. */
async function orphanReport(states: readonly StateFile[], options: InventoryOptions): Promise<OrphanReport> {
  const given = gatherSettings({}, process.env);
  try {
    return await inReadSession({ given, ports: realPorts, command: "orphans" }, async (session) => {
      const found = await readOrphans(session, options, states);
      const { gaps } = found.selection;
      return {
        found,
        gaps: [...states.flatMap((state) => state.gaps), ...incompleteIn(gaps)],
        others: gaps.filter(({ isIncomplete }) => !isIncomplete),
        engine: states[0]?.engine ?? "terraform",
        now: session.serverClock.known(),
        redact: session.redact,
      };
    });
  } catch (error) {
    if (error instanceof ForeignStateError || error instanceof InventoryError)
      throw new UnreadableError(error.message);
    throw error;
  }
}

/** Result of the comparison, for the output. */
interface OrphanReport {
  readonly found: Orphans;
  /** Parts of the account or of a state that could not be read, as clauses. */
  readonly gaps: readonly string[];
  /** Kinds that cannot be listed. */
  readonly others: readonly Gap[];
  /** Engine of the import commands. */
  readonly engine: StateFile["engine"];
  /** Time of the API in ms since 1970; undefined if no response had a date. */
  readonly now: number | undefined;
  /** Removes secrets of the settings from a text. */
  redact(text: string): string;
}

const incompleteIn = (gaps: readonly Gap[]): string[] =>
  gaps.filter(({ isIncomplete }) => isIncomplete).map(clauseOf);

const clauseOf = (gap: Gap): string => gapLine(gap, "terraform");

/** Maximum length of a line, in characters. */
const longest = 1_000;

const cleanedLines = (text: string, redact: (text: string) => string): string =>
  text
    .split("\n")
    .map((line) => `${/^ */.exec(line)?.[0] ?? ""}${cleaned(line, redact, longest)}`)
    .join("\n");

/** Returns the command that imports an object. */
function importCommand({ object, importId }: Orphan, engine: StateFile["engine"]): string {
  const { resource, name } = object;
  const address = identifier(name === object.id ? "" : name, underscored(resource.name));
  const argument = shellArgument(importId);
  return engine === "pulumi"
    ? `pulumi import ${pulumiToken(resource.name)} ${address} ${argument}`
    : `terraform import ${terraformType(resource.name)}.${address} ${argument}`;
}

function jsonOf({ found, gaps, others, engine, now }: OrphanReport): string {
  const rows = found.orphans.map((orphan) => {
    const { object, referrers, importId } = orphan;
    const { createdAt } = object;
    const age = ageIn(createdAt, now);
    return {
      kind: object.resource.name,
      id: object.id,
      name: object.name,
      ...(object.region ? { region: object.region } : {}),
      ...(createdAt === undefined ? {} : { createdAt: new Date(createdAt).toISOString() }),
      ...(age === undefined ? {} : { ageSeconds: age }),
      referrers: referrers.map(({ resource, id, name }) => ({ kind: resource.name, id, name })),
      importId,
      command: importCommand(orphan, engine),
    };
  });
  const notListed = others.map(clauseOf);
  return `${JSON.stringify({ orphans: rows, young: found.young.length, incomplete: gaps, notListed }, undefined, 2)}\n`;
}

/** Returns an age in seconds; undefined if one of the times is not known. */
const ageIn = (createdAt: number | undefined, now: number | undefined): number | undefined =>
  createdAt === undefined || now === undefined
    ? undefined
    : Math.max(0, Math.round((now - createdAt) / 1000));

function textOf({ found, gaps, others, engine, now }: OrphanReport): string {
  const { orphans, young } = found;
  return [
    orphans.length === 0
      ? `No object of the listed kinds ${gaps.length > 0 ? "that could be read " : ""}is outside of the states.`
      : `${orphans.length} ${orphans.length === 1 ? "object is" : "objects are"} in none of the states:`,
    ...orphans.flatMap((orphan) => [
      "",
      `${term(orphan.object.resource.name)} ${JSON.stringify(orphan.object.name)} (${orphan.object.id})`,
      `  ${ageText(orphan.object.createdAt, now)}; ${referrerText(orphan)}`,
      `  ${importCommand(orphan, engine)}`,
    ]),
    ...(young.length === 0 ? [] : ["", `Not reported: ${young.length} created within settle_seconds.`]),
    ...section("Not read: orphans may be missing", gaps),
    ...section("Not listed", others.map(clauseOf)),
    "",
  ].join("\n");
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`)];

function ageText(createdAt: number | undefined, now: number | undefined): string {
  const seconds = ageIn(createdAt, now);
  if (seconds === undefined) return "age unknown";
  const units = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ] as const;
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ["second", 1];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"} old`;
}

/** Maximum number of objects that refer to an orphan in the text. */
const mostReferrers = 5;

function referrerText({ referrers }: Orphan): string {
  if (referrers.length === 0) return "nothing refers to it";
  const shown = referrers
    .slice(0, mostReferrers)
    .map(({ resource, name }) => `${term(resource.name)} ${JSON.stringify(name)}`);
  const more = referrers.length - shown.length;
  return `used by ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
