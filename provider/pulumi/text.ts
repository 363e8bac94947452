import { explain, InputError, type Problem, pathOf } from "../core/error.ts";
import { type ExplainedWarning, explainWarning } from "../core/warning.ts";
import { inWordsOf, wording } from "../core/wording.ts";
import { propertyPath } from "./value.ts";

/** Returns the text of a problem, prefixed with the path of its property. */
export const problemText = ({ path, problem }: Problem): string =>
  inWordsOf("pulumi", path.length === 0 ? problem : wording`${propertyPath(path)}: ${problem}`);

/** Returns a warning: its title, then its text. */
export const warningText = ({ summary, detail }: ExplainedWarning): string =>
  inWordsOf("pulumi", wording`${summary}\n${detail}`);

/** Returns the warning of a value of an object that does not block the run. */
export const problemWarning = (object: string, { path, problem }: Problem): string =>
  warningText(explainWarning({ code: "unknown-value", path: propertyPath(path), problem }, object));

/** Returns the warning of an imported object on values that the program has to set. */
export const toSetWarning = (object: string, problems: readonly Problem[]): string => {
  // A problem of several properties, such as `content or source is required`, has no path.
  const missing = problems.map(({ path, problem }) =>
    path.length === 0 ? inWordsOf("pulumi", problem).replace(/ is required$/, "") : propertyPath(path),
  );
  return warningText(explainWarning({ code: "to-set", missing }, object));
};

/** Returns the text of an error: the failed operation, then the cause, the existence of the object and the remedies. */
export function errorText(error: unknown): string {
  const { summary, detail } = explain(error, "pulumi");
  const path = pathOf(error) ?? [];
  const lines =
    error instanceof InputError
      ? error.problems.map(problemText).join("\n")
      : problemText({ path, problem: detail });
  return lines === "" ? summary : `${summary}\n${lines}`;
}
