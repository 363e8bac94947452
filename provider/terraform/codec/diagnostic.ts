import { explain, InputError, type Problem } from "../../core/error.ts";
import { snakeCase } from "../../core/name.ts";
import type { Path } from "../../core/value.ts";
import type { Shape } from "../../definition/shape.ts";
import {
  type AttributePath,
  type AttributePath_Step,
  type Diagnostic,
  Diagnostic_Severity,
} from "../tfplugin6/tfplugin6.ts";

/** Failures of the core as diagnostics, each at the attribute it is about. */

/** A path as the engine counts it. It ends where the shape does, and before an element of a set. */
function pathSteps(path: Path, shape: Shape): AttributePath_Step[] {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  if (shape.kind === "object") {
    const field = shape.fields[step];
    return field === undefined
      ? []
      : [{ attributeName: snakeCase(String(step)) }, ...pathSteps(rest, field.shape)];
  }
  if (shape.kind === "map") return [{ elementKeyString: String(step) }, ...pathSteps(rest, shape.of)];
  if (shape.kind === "list") return [{ elementKeyInt: Number(step) }, ...pathSteps(rest, shape.of)];
  return [];
}

export const attributePath = (path: Path, shape: Shape): AttributePath => ({
  steps: pathSteps(path, shape),
});

/** `primary_subnet.cidr`, as a user writes it. */
const dotted = (path: Path, shape: Shape): string =>
  [
    ...pathSteps(path, shape).map(
      (step) => step.attributeName ?? step.elementKeyString ?? step.elementKeyInt,
    ),
  ].join(".") || path.join(".");

const diagnostic = (
  severity: Diagnostic_Severity,
  summary: string,
  detail: string,
  path: Path,
  shape: Shape,
): Diagnostic => {
  const attribute = attributePath(path, shape);
  return { severity, summary, detail, ...(attribute.steps?.length ? { attribute } : {}) };
};

const stated = ({ path, problem }: Problem, shape: Shape): string =>
  path.length === 0 ? problem : `${dotted(path, shape)}: ${problem}`;

/** What this face refuses by itself, in words of its own. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  readonly summary: string;
  constructor(summary: string, detail: string) {
    super(detail);
    this.summary = summary;
  }
}

export const noSuch = (kind: string, type: string): RefusalError =>
  new RefusalError(`No such ${kind}`, `This provider has no ${kind} ${type}.`);

/** What is wrong, one diagnostic for each problem; for any other error the text that the core makes of it. */
export function errorDiagnostics(error: unknown, shape: Shape): Diagnostic[] {
  if (error instanceof RefusalError)
    return [{ severity: Diagnostic_Severity.ERROR, summary: error.summary, detail: error.message }];
  const { summary, detail } = explain(error);
  if (!(error instanceof InputError)) return [{ severity: Diagnostic_Severity.ERROR, summary, detail }];
  return error.problems.map((problem) =>
    diagnostic(Diagnostic_Severity.ERROR, summary, stated(problem, shape), problem.path, shape),
  );
}

/** Promises of a plan that its apply does not keep: each an error at its place. */
export const brokenPromises = (problems: readonly Problem[], id: string, shape: Shape): Diagnostic[] =>
  problems.map((problem) =>
    diagnostic(
      Diagnostic_Severity.ERROR,
      "The cloud shows it otherwise than planned",
      `${stated(problem, shape)}. The object exists as ${id} and is recorded as the cloud shows it; plan again.`,
      problem.path,
      shape,
    ),
  );

export const warning = (summary: string, detail: string, path: Path, shape: Shape): Diagnostic =>
  diagnostic(Diagnostic_Severity.WARNING, summary, detail, path, shape);

/** Values that may be wrong but are taken. */
export const problemWarnings = (problems: readonly Problem[], shape: Shape): Diagnostic[] =>
  problems.map((problem) =>
    warning("This value may not be taken", stated(problem, shape), problem.path, shape),
  );

/** Runs one call: whatever it throws becomes its diagnostics, after those it gave itself. */
export async function diagnosed<A extends object>(
  shape: Shape,
  run: (diagnostics: Diagnostic[]) => Promise<A> | A,
): Promise<A | { diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  try {
    return { ...(await run(diagnostics)), diagnostics };
  } catch (error) {
    return { diagnostics: [...diagnostics, ...errorDiagnostics(error, shape)] };
  }
}
