import type { EnginePart } from "../account.ts";
import { type Folder, FolderError, type FolderOptions, openFolder, type Step } from "../folder/folder.ts";
import type { Call, Outcome, Tool } from "./tool.ts";

/** Tools that plan and review the folder of the server. None has a parameter: folder, state and policy are those of its start. */

/** Report of a review, as far as the tools read it. */
interface Report {
  readonly verdict: { readonly code: number } & Readonly<Record<string, unknown>>;
  readonly changes: readonly unknown[];
  readonly findings: readonly unknown[];
  readonly [part: string]: unknown;
}

/** Maximum size of a list of a report in a result, in bytes. */
const mostBytes = 60_000;

/** Returns the first items of a list that fit into a result, and the number of all. */
function firstOf(items: readonly unknown[]): { readonly items: unknown[]; readonly count: number } {
  let size = 0;
  const first = items.findIndex((item) => {
    size += JSON.stringify(item)?.length ?? 0;
    return size > mostBytes;
  });
  return { items: items.slice(0, first < 0 ? undefined : Math.max(1, first)), count: items.length };
}

/** Returns a list with the number of its items that are left out. */
function listed(name: string, items: readonly unknown[]): Record<string, unknown> {
  const { items: shown, count } = firstOf(items);
  return { [name]: shown, [`${name}_count`]: count };
}

async function outcomeOf(
  work: () => Promise<object>,
  { structured, shownMessage }: EnginePart,
): Promise<Outcome> {
  try {
    return { data: structured(await work()) };
  } catch (error) {
    if (error instanceof FolderError) return { error: shownMessage(error.message) };
    throw error;
  }
}

const reportOf = ({ json }: Step): Report => json as Report;

/** Returns the part of every result that says what programs have of the machine, if they were not isolated. */
const withoutIsolation = ({ unconfined }: Step): { readonly unconfined?: string } =>
  unconfined === undefined ? {} : { unconfined };

/** Returns the tools of the folder with these options, or the problem of an option. */
export function toolsOfFolder(
  options: FolderOptions,
  engine: () => Promise<EnginePart>,
): readonly Tool[] | { readonly problem: string } {
  const folder = openFolder(options);
  return "problem" in folder ? folder : folderTools(folder, engine);
}

/** Returns the tools of a folder. */
export const folderTools = (folder: Folder, engine: () => Promise<EnginePart>): Tool[] => {
  const tool = (name: string, title: string, about: string, work: (call: Call) => Promise<object>): Tool => ({
    ...{ name, title, about, parameters: {}, isOpen: false },
    run: async (_, call) => outcomeOf(() => work(call), await engine()),
  });
  return [
    ...(folder.isProgram
      ? []
      : [
          tool(
            "validate",
            "Check the configuration",
            "Checks the configuration of the server's folder with the engine. Nothing is sent to the cloud.",
            async (call) => {
              const step = await folder.validate(call);
              return { ...(step.json as object), ...withoutIsolation(step) };
            },
          ),
        ]),
    tool(
      "plan",
      "Plan the folder",
      "Plans the server's folder in an emulator that begins with the objects of its state, and returns the changes. The cloud may differ from the state.",
      async (call) => {
        const step = await folder.review(call);
        const { changes, outputs = [], drift = [] } = reportOf(step);
        return { ...listed("changes", changes), outputs, drift, ...withoutIsolation(step) };
      },
    ),
    tool(
      "rehearse",
      "Rehearse the folder",
      "Plans, applies and plans again in an emulator that begins with the objects of the state: the order of the steps, errors, interrupted objects, and whether the second plan is empty.",
      async (call) => {
        const {
          steps = [],
          objects = [],
          ...others
        } = (await folder.rehearse(call)).json as {
          readonly steps?: readonly unknown[];
          readonly objects?: readonly unknown[];
        };
        return { ...others, ...listed("steps", steps), ...listed("objects", objects) };
      },
    ),
    tool(
      "review",
      "Review the plan of the folder",
      "Plans the server's folder as the tool plan does, and returns the findings of the review rules and the verdict of the policy.",
      async (call) => {
        const step = await folder.review(call);
        const { verdict, findings, changes } = reportOf(step);
        const counted = { ...listed("findings", findings), changes_count: changes.length };
        return { verdict, ...counted, ...withoutIsolation(step) };
      },
    ),
    tool(
      "verdict",
      "Verdict on the plan of the folder",
      "Plans the server's folder as the tool plan does, and returns only the verdict of the policy of the server: whether the plan may be applied.",
      async (call) => {
        const step = await folder.review(call);
        const { verdict, findings, changes } = reportOf(step);
        const counts = { findings_count: findings.length, changes_count: changes.length };
        return { verdict, ...counts, ...withoutIsolation(step) };
      },
    ),
  ];
};
