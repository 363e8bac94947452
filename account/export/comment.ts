import { cleaned } from "../../provider/client/client.ts";
import { term } from "../../provider/core/name.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import type { Block } from "./project.ts";

/** Comments of a program, without the comment signs of its language. */

/** Reason why a resource ignores changes of fields. */
export const ignoredReason =
  "The API does not show these values, and a change of one would replace the object.";

/** Maximum length of the reasons of a comment, in characters. */
const longest = 1_000;

/** Returns the line with the reasons why a block is a comment, in the words of the engine. */
export function commentReason({ kind, problems }: Block, engine: "terraform" | "pulumi"): string {
  const reasons = cleaned(
    problems.map((problem) => inWordsOf(engine, problem)).join("; "),
    (text) => text,
    longest,
  );
  return `A comment, since the API does not return all values of the ${term(kind)}: ${reasons}.`;
}

/** Returns lines as comments with this sign. */
export const commented = (lines: readonly string[], sign: "#" | "//"): string[] =>
  lines.map((line) => (line === "" ? sign : `${sign} ${line}`));
