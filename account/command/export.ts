import { checkPositionals, parseArguments, UsageError } from "../../command/argument.ts";
import { CommandError, runCommand } from "../../command/run.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import { ConfigError } from "../../provider/core/error.ts";
import { didYouMean, nearest } from "../../provider/core/string.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { resources } from "../../resources/index.ts";
import { parseInputs } from "../../review/command/option.ts";
import { UnreadableError } from "../../review/read/read.ts";
import { exportAccount } from "../export/export.ts";
import type { FileBy } from "../export/hcl.ts";
import type { Filter } from "../filter.ts";
import { InventoryError } from "../inventory.ts";
import type { Journal } from "../journal.ts";
import { ForeignStateError } from "../orphans.ts";
import type { StateFile } from "../state/recorded.ts";
import { readState } from "../state/state.ts";
import { requireEmptyFolder, writeFolder } from "./folder.ts";
import { type FormatName, formats } from "./format.ts";
import { exportCommand } from "./option.ts";
import { countsText, interruptible } from "./progress.ts";
import { journalFor } from "./resume.ts";
import { summaryOf } from "./summary.ts";

/** Exit code if a part of the account could not be read. */
const incomplete = 4;

/** Options of a command line. */
interface Options {
  readonly out: string;
  readonly format: FormatName;
  readonly by: FileBy;
  readonly filter: Filter;
  /** Paths of the states whose objects are left out; undefined for all objects. */
  readonly states: readonly string[] | undefined;
}

/** Parses the command line. Throws `UsageError`. */
function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArguments(exportCommand.options, args);
  checkPositionals(positionals, 0);
  const {
    out,
    format = "terraform",
    by = "kind",
    vpc = [],
    kind = [],
    name = [],
    tag = [],
    exclude = [],
  } = values;
  if (out === undefined) throw new UsageError("--out is missing, as in kcloud export --out project");
  requireOneOf("--format", format, Object.keys(exportCommand.options.format.values));
  requireOneOf("--by", by, Object.keys(exportCommand.options.by.values));
  requireKinds(kind);
  if (format === "pulumi-yaml" && values.by !== undefined)
    throw new UsageError("--by is not for --format pulumi-yaml, whose program is one file");
  const { unmanaged = false, state = [] } = values;
  if (!unmanaged && state.length > 0)
    throw new UsageError("--state is for --unmanaged, which leaves out the objects of the states");
  return {
    out,
    states: unmanaged ? parseInputs("--state", state).map(({ path }) => path) : undefined,
    format: format as FormatName,
    by: by as FileBy,
    filter: { vpcs: vpc, kinds: kind, names: name, tags: tag, excluded: exclude },
  };
}

function requireOneOf(option: string, value: string, known: readonly string[]): void {
  if (!known.includes(value))
    throw new UsageError(`${option} must be one of ${known.join(", ")}, not ${JSON.stringify(value)}`);
}

/** Throws `UsageError` for a name that is no kind of object. */
export function requireKinds(kinds: readonly string[]): void {
  const known = resources.map(({ name }) => name);
  const unknown = kinds.find((kind) => !known.includes(kind));
  if (unknown !== undefined)
    throw new UsageError(
      `--kind ${JSON.stringify(unknown)} is no kind of object${didYouMean(nearest(unknown, known))}`,
    );
}

/** Reads the states. Throws `CommandError` for one that is not complete: each object that it may have would be managed twice. */
const completeStates = (paths: readonly string[]): StateFile[] =>
  paths.map((path) => {
    const state = readState(path);
    const [gap] = state.gaps;
    if (gap === undefined) return state;
    const more = state.gaps.length > 1 ? ` and ${state.gaps.length - 1} more` : "";
    throw new CommandError(
      `the state ${path} may have objects that cannot be read, and the project would manage them twice: ${gap}${more}`,
    );
  });

/** Runs work whose failures are reported as `CommandError`. */
export async function reportingErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isKnown =
      error instanceof InventoryError ||
      error instanceof ForeignStateError ||
      error instanceof UnreadableError;
    if (isKnown) throw new CommandError(error.message);
    if (!(error instanceof ConfigError)) throw error;
    throw new CommandError(`${inWordsOf("terraform", error.text)}\nkcloud doctor checks the settings.`);
  }
}

/** Runs `kcloud export`. Returns the exit code. */
export const exportMain = (args: readonly string[]): Promise<number> =>
  runCommand("export", async () => {
    const { out, format, by, filter, states } = parseOptions(args);
    const folder = requireEmptyFolder(out);
    let journal: Journal | undefined;
    return interruptible(
      () =>
        journal === undefined
          ? "kcloud export: interrupted: nothing was written"
          : "kcloud export: interrupted: nothing was written; within 15 minutes, the same command continues",
      async ({ stop, show }) => {
        const { project, gaps, leftOut, redact } = await reportingErrors(() =>
          exportAccount(gatherSettings({}, process.env), realPorts, {
            filter,
            states: states && completeStates(states),
            openJournal(session) {
              journal = journalFor(folder, session);
              return journal;
            },
            stop,
            report: (progress) => show(countsText(progress)),
          }),
        ).catch((error) => {
          // Such an error is the end of the export, and not an interruption.
          if (error instanceof CommandError) journal?.remove();
          throw error;
        });
        show(undefined);
        const files = formats[format].write(project, by);
        writeFolder(out, files);
        journal?.remove();
        const exported = { project, gaps, leftOut, format, folder: out, files: [...files.keys()] };
        process.stdout.write(summaryOf(exported, redact));
        return gaps.some(({ isIncomplete }) => isIncomplete) ? incomplete : 0;
      },
    );
  });
