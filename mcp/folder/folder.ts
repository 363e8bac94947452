import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { projectFileIn } from "../../rehearse/folder/program.ts";
import type { Call } from "../tool/tool.ts";
import { type Ended, type Run, run } from "./child.ts";

/**
 * Folder of the server. The commands on it run in processes of their own, in a copy and against an emulator, as `kcloud rehearse`
 * does: the engine has no network, and sees no file of the user and no process of the server. Somebody else may edit the folder, and
 * a configuration computes paths, so that without this isolation no step runs, unless the start of the server allows it.
 */

export interface FolderOptions {
  readonly path: string;
  /** Path of its state. Default: its `terraform.tfstate`, else an empty one. */
  readonly state: string | undefined;
  /** Stack of a Pulumi program. */
  readonly stack: string | undefined;
  readonly policy: string | undefined;
  readonly engine: string | undefined;
  /** True to run a step without isolation on a machine that has none. */
  readonly allowsUnconfined: boolean;
}

/** Option of `kcloud rehearse` with which it fails without isolation; its error begins with the option. */
const isolation = "--require-isolation";

/** Command of a folder that failed; the message is for the client. */
export class FolderError extends Error {}

/** Result of a step: the parsed content of its file, and the exit code. */
export interface Step {
  readonly code: number;
  readonly json: unknown;
  /** What programs have of the machine that isolation would keep from them, as a clause. */
  readonly unconfined?: string;
}

export interface Folder extends FolderOptions {
  /** True for a program of Pulumi. */
  readonly isProgram: boolean;
  validate(call: Call): Promise<Step>;
  /** Returns the outcome of a rehearsal. */
  rehearse(call: Call): Promise<Step>;
  /** Plans, and returns the report of the review of the plan. */
  review(call: Call): Promise<Step>;
}

/** Returns true if the folder of a program has the configuration of a stack. */
const hasStack = (path: string): boolean =>
  readdirSync(path).some((file) => /^Pulumi\..+\.ya?ml$/.test(file));

/** States without an object, by engine. */
const emptyStates = {
  terraform: {
    version: 4,
    terraform_version: "1.5.0",
    serial: 1,
    lineage: "empty",
    outputs: {},
    resources: [],
  },
  pulumi: {
    version: 3,
    deployment: { manifest: { time: "0001-01-01T00:00:00Z", magic: "", version: "" }, resources: [] },
  },
} as const;

/** Opens a folder. Returns a problem if the folder, the state or the policy does not exist. */
export function openFolder(
  options: FolderOptions,
  runChild: Run = run,
): Folder | { readonly problem: string } {
  const { path, state, stack, policy, engine, allowsUnconfined } = options;
  const isFolder = (name: string) => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder(path)) return { problem: `--folder ${path} is no folder` };
  if (policy !== undefined && !isFolder(policy)) return { problem: `--policy ${policy} is no folder` };
  if (stack !== undefined && projectFileIn(path) === undefined)
    return { problem: `--stack is for programs of Pulumi, and ${path} has no Pulumi.yaml` };
  if (state !== undefined && !existsSync(state)) return { problem: `--state ${state} does not exist` };
  const isProgram = projectFileIn(path) !== undefined;

  /** Returns the arguments of `kcloud rehearse` for the folder. The state is looked for at each call. */
  const rehearsal = (temporary: string): string[] => {
    const local = join(path, "terraform.tfstate");
    const empty = join(temporary, "empty.json");
    const known = state ?? (!isProgram && existsSync(local) ? local : undefined);
    if (known === undefined)
      writeFileSync(empty, JSON.stringify(emptyStates[isProgram ? "pulumi" : "terraform"]), { mode: 0o600 });
    // An empty export has no name of its stack.
    const named = stack ?? (isProgram && known === undefined && !hasStack(path) ? "dev" : undefined);
    return [
      "rehearse",
      path,
      ...["--state", known ?? empty],
      ...(named === undefined ? [] : ["--stack", named]),
      ...(engine === undefined ? [] : ["--engine", engine]),
    ];
  };

  /** Ends when no call runs. */
  let idle: Promise<unknown> = Promise.resolve();

  /** Runs work with a folder for its files, which is removed afterwards. One call runs at a time: an engine uses much memory. */
  async function inTemporary<T>(call: Call, work: (folder: string) => Promise<T>): Promise<T> {
    const before = idle;
    const { promise, resolve } = Promise.withResolvers<void>();
    idle = promise;
    try {
      await before;
      call.signal.throwIfAborted();
      const folder = await mkdtemp(join(tmpdir(), "kcloud-mcp-"));
      try {
        return await work(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    } finally {
      resolve();
    }
  }

  /** Runs a command that writes a file. Throws `FolderError` if it writes none. */
  async function step(args: readonly string[], file: string, call: Call, doing: string): Promise<Step> {
    const ended = await withProgress(call, doing, () => runChild(args, call.signal));
    if (!existsSync(file)) throw new FolderError(failureOf(ended));
    return { code: ended.code ?? 1, json: JSON.parse(readFileSync(file, "utf8")) };
  }

  /** Runs a step of a rehearsal that writes a file. Throws `FolderError` if it writes none. */
  async function rehearsed(args: readonly string[], file: string, call: Call, doing: string): Promise<Step> {
    const all = [...rehearsal(dirname(file)), ...args, "--out", file];
    try {
      return await step([...all, isolation], file, call, doing);
    } catch (error) {
      if (!(error instanceof FolderError) || !error.message.startsWith(`${isolation}: `)) throw error;
      const unconfined = error.message.slice(`${isolation}: `.length);
      if (!allowsUnconfined)
        throw new FolderError(
          `${unconfined}. No configuration runs without isolation, since it can read files of the user and credentials. The user can accept this when the server starts, with the option --allow-unconfined`,
        );
      return { ...(await step(all, file, call, doing)), unconfined };
    }
  }

  return {
    ...options,
    isProgram,
    validate: (call) =>
      inTemporary(call, (folder) => {
        const file = join(folder, "validity.json");
        return rehearsed(["--until", "validate"], file, call, "checking the configuration");
      }),
    rehearse: (call) =>
      inTemporary(call, (folder) => rehearsed([], join(folder, "rehearsal.json"), call, "rehearsing")),
    review: (call) =>
      inTemporary(call, async (folder) => {
        const [plan, report] = [join(folder, "plan.json"), join(folder, "report.json")];
        const { unconfined } = await rehearsed(["--until", "plan"], plan, call, "planning");
        const given = policy === undefined ? [] : ["--policy", policy];
        const args = ["review", "--in", `plan=${plan}`, ...given, "--out", `json:${report}`];
        const reviewed = await step(args, report, call, "reviewing");
        return { ...reviewed, ...(unconfined !== undefined && { unconfined }) };
      }),
  };
}

/** Maximum length of the text of a command that failed, in characters. */
const longest = 4_000;

/** Returns the text of a command that failed, without its own name. */
function failureOf({ code, stdout, stderr }: Ended): string {
  const text = (stderr.trim() || stdout.trim()).replace(/^kcloud \w+: /, "");
  return text === ""
    ? `The command ended with the exit code ${code}.`
    : text.slice(0, longest).toWellFormed();
}

/** Time in ms between two reports of the progress. */
const reportMs = 2_000;

/** Runs work, and reports every two seconds that it runs. */
async function withProgress<T>(call: Call, doing: string, work: () => Promise<T>): Promise<T> {
  const began = Date.now();
  const report = () => call.report(`${doing}, ${Math.round((Date.now() - began) / 1000)} s`);
  report();
  const timer = setInterval(report, reportMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
