import { dirname, posix, resolve } from "node:path";
import { digestOf } from "../model/canonical.ts";
import type { Change, Source } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import { isBinaryPlan, readPlanFile, showPlanFile } from "../read/binary-plan.ts";
import { withConstructs } from "../read/construct.ts";
import { readText, textOf, withInput } from "../read/file.ts";
import { withPlaces } from "../read/place.ts";
import { NotReviewableError, readPlan, UnreadableError } from "../read/read.ts";
import { type Report, reportSchema } from "../report/report.ts";
import { visible } from "../report/value.ts";
import type { Input, ReviewOptions } from "./option.ts";

/** Inputs of the command. */

/** Content of an input: a plan, or the report of an earlier review. */
export type Content = { readonly plan: Plan } | { readonly report: Report };

/** Reads the inputs of a command line. Throws `UnreadableError`. */
export const readContents = (options: ReviewOptions): Content[] =>
  options.inputs.map((input) => {
    const content = readContent(input, options);
    const root = options.roots.find(({ name }) => name === undefined || name === input.name);
    return "plan" in content && root !== undefined
      ? { plan: below(root.path, withPlaces(content.plan, root.path)) }
      : content;
  });

/** Returns the plan with the paths of its sources below a folder of the repository. */
function below(root: string, plan: Plan): Plan {
  // Instances of a resource share one place, by which the JSON report recognizes equal changes.
  const places = new Map<Source, Source>();
  const moved = (change: Change): Change => {
    const { source } = change;
    if (source === undefined) return change;
    const place = places.get(source) ?? { ...source, file: posix.join(root, source.file) };
    places.set(source, place);
    return { ...change, source: place };
  };
  return { ...plan, root, changes: plan.changes.map(moved), drift: plan.drift.map(moved) };
}

/**
 * Reads an input. An input that cannot be reviewed becomes a plan without changes whose only gap is the reason. Throws
 * `UnreadableError` for invalid JSON.
 */
function readContent(input: Input, { folder, synthesized }: ReviewOptions): Content {
  const content = contentOf(input, folder);
  const path = synthesized.get(input.name);
  if (path === undefined || !("plan" in content)) return content;
  try {
    return { plan: withConstructs(content.plan, readText(path)) };
  } catch (error) {
    if (error instanceof NotReviewableError) throw new UnreadableError(`${path} ${error.message}`);
    throw withInputName(error, path);
  }
}

function contentOf({ name: label, path }: Input, folder: string | undefined): Content {
  const name = visible(label);
  try {
    return withInput(path, ({ head, source, content }) => {
      if (isBinaryPlan(head)) return { plan: binaryPlan(name, path, content(), folder) };
      // A report begins with its schema version.
      if (/^\uFEFF?\s*\{\s*"schemaVersion"\s*:/.test(textOf(head)))
        return { report: parseReport(textOf(content())) };
      return { plan: readPlan(name, source) };
    });
  } catch (error) {
    if (error instanceof NotReviewableError) return { plan: unreviewable(name, error.message) };
    throw withInputName(error, name);
  }
}

function binaryPlan(name: string, path: string, content: Buffer, folder: string | undefined): Plan {
  if (path === "-")
    throw new NotReviewableError(
      "is a plan file on standard input: pass its path, or the output of show -json",
    );
  const file = readPlanFile(content);
  const full = resolve(path);
  const plan = readPlan(name, showPlanFile(full, file, resolve(folder ?? dirname(full))));
  const { serial, lineage, configuration } = file;
  return {
    ...plan,
    configuration,
    prior: {
      ...plan.prior,
      ...(serial === undefined ? {} : { serial }),
      ...(lineage === undefined ? {} : { lineage }),
    },
  };
}

const unreviewable = (name: string, reason: string): Plan => ({
  name,
  engine: "unknown",
  purpose: "change",
  changes: [],
  unlisted: 0,
  drift: [],
  outputs: [],
  invocations: [],
  providers: [],
  sensitive: [],
  messages: [],
  gaps: [reason],
  unknownParts: [],
  prior: { digest: digestOf([]) },
});

/** Reads a JSON report. Throws `UnreadableError`. */
export function readReport(path: string): Report {
  try {
    return parseReport(readText(path));
  } catch (error) {
    if (error instanceof NotReviewableError) throw new UnreadableError(`${path} ${error.message}`);
    throw withInputName(error, path);
  }
}

/**
 * Parses a JSON report and escapes its texts again (`visible`), because a job that runs code of a pull request may have written
 * it.
 */
function parseReport(text: string): Report {
  const parsed = reportSchema.safeParse(jsonIn(text));
  if (!parsed.success) throw new UnreadableError("is not a JSON report of this version");
  return allVisible(parsed.data) as Report;
}

function allVisible(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(allVisible);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, allVisible(part)]));
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UnreadableError("is not JSON, or is truncated");
  }
}

/** Adds the name of the input to an error about it. */
function withInputName(error: unknown, name: string): unknown {
  if (isTooDeep(error)) return new UnreadableError(`${name} is nested too deeply`);
  return error instanceof UnreadableError ? new UnreadableError(`${name} ${error.message}`) : error;
}

/** Returns true for the stack overflow that deeply nested values cause. */
export const isTooDeep = (error: unknown): boolean =>
  error instanceof RangeError && /call stack/.test(error.message);
