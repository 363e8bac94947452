import { randomInt } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { relative, resolve } from "node:path";
import { checkPositionals, parseArguments, UsageError } from "../../command/argument.ts";
import { findOnPath } from "../../review/custom-rule/node.ts";
import { projectFileIn } from "../folder/program.ts";
import { rehearseCommand } from "./option.ts";

/** Command line of `kcloud rehearse`. */

/** Returns the log of which the durations are recorded, and the file of the table. */
export function logToRecord(
  args: readonly string[],
): { readonly log: string; readonly out: string } | undefined {
  const { values, positionals } = parseArguments(rehearseCommand.options, args);
  const { "record-times": log, out, ...others } = values;
  if (log === undefined) return undefined;
  checkPositionals(positionals, 0);
  const [other] = Object.keys(others);
  if (other !== undefined) throw new UsageError(`--record-times and --${other} exclude each other`);
  if (out === undefined) throw new UsageError("--record-times needs --out FILE");
  requireNewOutput(out, [log]);
  return { log, out };
}

export type Options = ReturnType<typeof parseOptions>;

/** Parses the command line. Throws `UsageError`. */
export function parseOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments(rehearseCommand.options, args);
  const [folder] = positionals;
  if (folder === undefined)
    throw new UsageError("the folder is missing, as in kcloud rehearse . --state terraform.tfstate");
  checkPositionals(positionals, 1);
  const remote = (values["remote-state"] ?? []).map(namedFile);
  const { state = [], root = folder, "time-limit": limit = "600", seed } = values;
  if (state.length === 0)
    throw new UsageError(
      "--state is missing: terraform state pull > state.json, or pulumi stack export > state.json, writes it to a file",
    );
  if (state.includes("-")) throw new UsageError("--state must be a file, which is read more than once");
  if (!/^[1-9]\d{0,5}$/.test(limit))
    throw new UsageError(`--time-limit must be a number of seconds, not ${limit}`);
  if (seed !== undefined && !/^\d{1,9}$/.test(seed))
    throw new UsageError(`--seed must be a number of at most 9 digits, not ${seed}`);
  if (seed !== undefined && values["fault-drill"] !== true)
    throw new UsageError("--seed is for --fault-drill");
  if (!isFolder(folder)) throw new UsageError(`${folder} is no folder`);
  if (!isFolder(root)) throw new UsageError(`--root ${root} is no folder`);
  requireNewOutput(values.out, [
    values.plan,
    values.inventory,
    values.times,
    ...state,
    ...remote.map(([, path]) => path),
  ]);
  const inner = relative(resolve(root), resolve(folder));
  if (inner.startsWith("..")) throw new UsageError(`--root must contain ${folder}`);
  if (contains(root, tmpdir()))
    throw new UsageError(
      `the copy would be inside of the copied folder: set TMPDIR to a folder outside of ${root}`,
    );
  const { until, "fault-drill": drills, times } = values;
  if (until !== undefined && !isStep(until))
    throw new UsageError(`--until must be ${steps.join(" or ")}, not ${JSON.stringify(until)}`);
  if (until !== undefined && (drills === true || times !== undefined))
    throw new UsageError("--until ends before the apply, which --fault-drill and --times are about");
  const file = projectFileIn(folder);
  if (until === "validate" && file !== undefined)
    throw new UsageError(
      "--until validate is for Terraform and OpenTofu: Pulumi checks a program in --until plan",
    );
  if (file === undefined && values.stack !== undefined)
    throw new UsageError(`--stack is for programs of Pulumi, and ${folder} has no Pulumi.yaml`);
  if (file !== undefined && values["remote-state"] !== undefined)
    throw new UsageError(
      "--remote-state is for Terraform and OpenTofu: give the export of another stack as --state",
    );
  if (file !== undefined && values["allow-commands"] === true)
    throw new UsageError(`--allow-commands is not for programs of Pulumi, and ${folder} has a ${file}`);
  const terraform = findOnPath("terraform") === undefined ? "tofu" : "terraform";
  return {
    ...{ states: state, root: resolve(root), folder: inner, limit: Number(limit) * 1000 },
    ...{ inventory: values.inventory, plan: values.plan, out: values.out, times: values.times },
    drillSeed: values["fault-drill"] === true ? Number(seed ?? randomInt(1e9)) : undefined,
    remoteStates: remote,
    until,
    /** Name of the project file of a Pulumi program. */
    file,
    stack: values.stack,
    engine: values.engine ?? (file === undefined ? terraform : "pulumi"),
    allowsCommands: values["allow-commands"] === true,
    requiresIsolation: values["require-isolation"] === true,
  };
}

const steps = ["validate", "plan"] as const;

const isStep = (text: string): text is (typeof steps)[number] => steps.some((step) => step === text);

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Returns true if a folder is the other one or is above it, links resolved. */
const contains = (folder: string, other: string): boolean =>
  !/^\.\.(?:[\\/]|$)/.test(relative(realpathSync(folder), realpathSync(other)));

/** Throws `UsageError` for an output that would overwrite a file that is read. */
function requireNewOutput(out: string | undefined, inputs: readonly (string | undefined)[]): void {
  if (out === undefined || !existsSync(out)) return;
  const real = realpathSync(out);
  if (inputs.some((path) => path !== undefined && existsSync(path) && realpathSync(path) === real))
    throw new UsageError(`--out ${out} is a file that the rehearsal reads`);
}

/** Splits NAME=FILE. Throws `UsageError`. */
function namedFile(text: string): readonly [name: string, path: string] {
  const [, name = "", path = ""] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === "") throw new UsageError(`--remote-state must be NAME=FILE, not ${text}`);
  return [name, path];
}
