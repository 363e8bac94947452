import { parseArguments } from "../../command/argument.ts";
import { cleaned } from "../../provider/client/client.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import { pulumiToken, term, terraformType, underscored } from "../../provider/core/name.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { resources } from "../../resources/index.ts";
import { withExitCode } from "../../review/command/main.ts";
import { parseInputs } from "../../review/command/option.ts";
import { UnreadableError } from "../../review/read/read.ts";
import { escaped, hidden } from "../export/code.ts";
import { uniqueIdentifiers } from "../export/name.ts";
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
        process.stdout.write(values.json ? jsonOf(report) : textOf(report));
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
      const shortened = (clause: string) => cleaned(clause, session.redact, longest);
      return {
        found,
        gaps: [...states.flatMap((state) => state.gaps), ...incompleteIn(gaps)].map(shortened),
        others: gaps
          .filter(({ isIncomplete }) => !isIncomplete)
          .map(clauseOf)
          .map(shortened),
        commands: importCommands(found.orphans, states),
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
  /** Kinds that cannot be listed, as clauses. */
  readonly others: readonly string[];
  /** Command that imports each orphan. */
  readonly commands: ReadonlyMap<Orphan, string>;
  /** Time of the API in ms since 1970; undefined if no response had a date. */
  readonly now: number | undefined;
  /** Removes secrets of the settings from a text. */
  redact(text: string): string;
}

const incompleteIn = (gaps: readonly Gap[]): string[] =>
  gaps.filter(({ isIncomplete }) => isIncomplete).map(clauseOf);

const clauseOf = (gap: Gap): string => gapLine(gap, "terraform");

/** Maximum length of a clause, in characters. */
const longest = 1_000;

/** Returns a line of the output. It is not truncated, since an import command that lacks its end imports another object, or none. */
const cleanedLine = (line: string, redact: (text: string) => string): string =>
  `${/^ */.exec(line)?.[0] ?? ""}${cleaned(line, redact, Number.POSITIVE_INFINITY)}`;

/** Returns the command that imports each orphan, to an address that no other one and no object of the states has. */
function importCommands(
  orphans: readonly Orphan[],
  states: readonly StateFile[],
): ReadonlyMap<Orphan, string> {
  const engine = states[0]?.engine ?? "terraform";
  const typeOf = engine === "pulumi" ? pulumiToken : terraformType;
  const separator = engine === "pulumi" ? " " : ".";
  const recorded = states.flatMap(({ objects }) => objects);
  return new Map(
    [...Map.groupBy(orphans, ({ object }) => object.resource)].flatMap(([resource, some]) => {
      const taken = recorded.flatMap((one) => (one.resource === resource ? nameIn(one.address) : []));
      const names = uniqueIdentifiers(
        some.map(({ object: { id, name } }) => (name === id ? "" : name)),
        underscored(resource.name),
        taken,
      );
      return some.map((orphan, index): [Orphan, string] => {
        const address = `${typeOf(resource.name)}${separator}${names[index]}`;
        return [orphan, `${engine} import ${address} ${shellArgument(orphan.importId)}`];
      });
    }),
  );
}

/** Returns the name in an address of Pulumi or Terraform; empty for an object of another module, which may have the same name. */
const nameIn = (address: string): string[] => {
  const [, name] = /^(?:kcloud_\w+\.|.*::)([\w-]+)/s.exec(address) ?? [];
  return name === undefined ? [] : [name];
};

function jsonOf({ found, gaps, others, commands, now, redact }: OrphanReport): string {
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
      command: commands.get(orphan),
    };
  });
  const report = {
    orphans: rows,
    young: found.young.length,
    defaultGroups: found.defaultGroups.length,
    incomplete: gaps,
    notListed: others,
  };
  const shown = (_: string, value: unknown) => (typeof value === "string" ? redact(value) : value);
  const text = JSON.stringify(report, shown, 2);
  return `${text.replace(hidden, (character) => (character === "\n" ? character : escaped(character)))}\n`;
}

/** Returns an age in seconds; undefined if one of the times is not known. */
const ageIn = (createdAt: number | undefined, now: number | undefined): number | undefined =>
  createdAt === undefined || now === undefined
    ? undefined
    : Math.max(0, Math.round((now - createdAt) / 1000));

function textOf({ found, gaps, others, commands, now, redact }: OrphanReport): string {
  const { orphans, young, defaultGroups } = found;
  const lines = [
    orphans.length === 0
      ? `No object of the listed kinds ${gaps.length > 0 ? "that could be read " : ""}is outside of the states.`
      : `${orphans.length} ${orphans.length === 1 ? "object is" : "objects are"} in none of the states:`,
    ...orphans.flatMap((orphan) => [
      "",
      `${term(orphan.object.resource.name)} ${JSON.stringify(orphan.object.name)} (${orphan.object.id})`,
      `  ${ageText(orphan.object.createdAt, now)}; ${referrerText(orphan)}`,
      `  ${commands.get(orphan)}`,
    ]),
    ...section("Not reported", [
      ...(young.length === 0 ? [] : [`${young.length} created within settle_seconds`]),
      ...(defaultGroups.length === 0
        ? []
        : [
            `${defaultGroups.length} security ${defaultGroups.length === 1 ? "group" : "groups"} "default", which the API may have made with a VPC`,
          ]),
    ]),
    ...section("Not read: orphans may be missing", gaps),
    ...section("Not listed", others),
    "",
  ];
  return lines.map((line) => cleanedLine(line, redact)).join("\n");
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
