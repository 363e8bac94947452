import {
  type Explanation,
  explain,
  InputError,
  isDefect,
  type Problem,
  pathOf,
  titleOf,
} from "../../core/error.ts";
import { snakeCase } from "../../core/name.ts";
import type { Path } from "../../core/value.ts";
import { type ExplainedWarning, explainWarning } from "../../core/warning.ts";
import { inWordsOf, type Text, wording } from "../../core/wording.ts";
import type { Shape } from "../../definition/shape.ts";
import {
  type AttributePath,
  type AttributePath_Step,
  type Diagnostic,
  Diagnostic_Severity,
} from "../tfplugin6/tfplugin6.ts";
import { emptyShape } from "./schema.ts";

/** Errors and warnings as protocol diagnostics, each with the path of its attribute. */

/** Converts a path to protocol steps. The steps end where the shape ends, and before an element of a set. */
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

/** Returns a path as an attribute path of the protocol. */
export const attributePath = (path: Path, shape: Shape): AttributePath => ({
  steps: pathSteps(path, shape),
});

/** Formats a path as in a configuration: `primary_subnet.cidr`. A path outside the shape is that of a provider setting. */
export function dottedPath(path: Path, shape: Shape): string {
  const steps = pathSteps(path, shape).map(
    (step) => step.attributeName ?? step.elementKeyString ?? step.elementKeyInt,
  );
  const shown = steps.length > 0 ? steps : path.map((step) => snakeCase(String(step)));
  return shown.join(".");
}

const diagnostic = (
  severity: Diagnostic_Severity,
  { summary, detail }: Explanation,
  path: Path,
  shape: Shape,
): Diagnostic => {
  const steps = shownSteps(pathSteps(path, shape));
  return {
    severity,
    summary: inWordsOf("terraform", summary),
    detail: inWordsOf("terraform", detail),
    ...(steps.length > 0 ? { attribute: { steps } } : {}),
  };
};

/** Blocks of a configuration; all other objects are values of attributes. */
const blocks: ReadonlySet<string | undefined> = new Set(["config", "timeouts"]);

/**
 * Returns the steps up to the first attribute or an element of its list: engines show the lines of these, and only the
 * whole resource for a step inside the value of an attribute.
 */
function shownSteps(steps: AttributePath_Step[]): AttributePath_Step[] {
  const attribute = steps.findIndex(({ attributeName }) => !blocks.has(attributeName));
  const element = steps[attribute + 1];
  return steps.slice(0, attribute + (element !== undefined && element.attributeName === undefined ? 2 : 1));
}

const problemText = ({ path, problem }: Problem, shape: Shape): Text =>
  path.length === 0 ? problem : wording`${dottedPath(path, shape)}: ${problem}`;

/** Error of the Terraform adapter itself, with the summary and detail of its diagnostic. */
export class DiagnosticError extends Error {
  override readonly name = "DiagnosticError";
  readonly summary: string;
  constructor(summary: string, detail: string) {
    super(detail);
    this.summary = summary;
  }
}

/** Returns the error for a type that the provider does not have. `kind` is the term for the type, such as "resource". */
export const unknownTypeError = (kind: string, type: string): DiagnosticError =>
  new DiagnosticError(`No such ${kind}`, `This provider has no ${kind} ${type}.`);

/** Converts an error to diagnostics: one per problem of an `InputError`, one for any other error. */
export function errorDiagnostics(error: unknown, shape: Shape): Diagnostic[] {
  if (error instanceof DiagnosticError)
    return [
      {
        severity: Diagnostic_Severity.ERROR,
        summary: error.summary,
        detail: error.message,
      },
    ];
  const { summary, detail } = explain(error, "terraform");
  if (!(error instanceof InputError))
    return [diagnostic(Diagnostic_Severity.ERROR, { summary, detail }, pathOf(error) ?? [], shape)];
  return error.problems.map((problem) =>
    diagnostic(
      Diagnostic_Severity.ERROR,
      { summary: titleOf(problem), detail: problemText(problem, shape) },
      problem.path,
      shape,
    ),
  );
}

/** Converts inconsistencies between a plan and the result of its apply to errors at their attributes. */
export const inconsistencyDiagnostics = (
  problems: readonly Problem[],
  id: string,
  shape: Shape,
): Diagnostic[] =>
  problems.map((problem) =>
    diagnostic(
      Diagnostic_Severity.ERROR,
      {
        summary: "The result differs from the plan",
        detail: wording`${problemText(problem, shape)}. The object exists as ${id} and is in the state as the API shows it; run terraform plan (or tofu plan) again.`,
      },
      problem.path,
      shape,
    ),
  );

/** Returns a warning at the attribute with this path. */
export const warningDiagnostic = (
  { summary, detail }: ExplainedWarning,
  path: Path,
  shape: Shape,
): Diagnostic => diagnostic(Diagnostic_Severity.WARNING, { summary, detail }, path, shape);

/** Converts a problem of an object that does not block the run to a warning. */
export function problemWarning(object: string, { path, problem }: Problem, shape: Shape): Diagnostic {
  const attribute = dottedPath(path, shape);
  return warningDiagnostic(
    explainWarning({ code: "unknown-value", path: attribute, problem }, object),
    path,
    shape,
  );
}

/** Returns a callback that appends warnings of the engine to the diagnostics of a response. */
export const collectWarnings =
  (diagnostics: Diagnostic[]) =>
  (warning: ExplainedWarning): void => {
    diagnostics.push(warningDiagnostic(warning, [], emptyShape));
  };

/**
 * Runs a handler and adds its diagnostics to the response, followed by those of a thrown error. `onError` receives an error
 * that is a defect of the provider, whose diagnostic has no details.
 */
export async function withDiagnostics<A extends object>(
  shape: Shape,
  run: (diagnostics: Diagnostic[]) => Promise<A> | A,
  onError?: (error: unknown) => void,
): Promise<A | { diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  try {
    return { ...(await run(diagnostics)), diagnostics };
  } catch (error) {
    if (isDefect(error) && !(error instanceof DiagnosticError)) onError?.(error);
    return { diagnostics: [...diagnostics, ...errorDiagnostics(error, shape)] };
  }
}
