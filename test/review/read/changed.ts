import { readFileSync } from "node:fs";
import { readPlan } from "../../../review/read/read.ts";

// biome-ignore lint/suspicious/noExplicitAny: the previews are changed in ways that no type allows.
export type Any = any;

/** Returns the text of a recorded preview. */
export const text = (name: string): string =>
  readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

/** Reads the recorded preview after a change of its JSON. */
export const changed = (change: (json: Any) => void) => {
  const json = JSON.parse(text("pulumi.json"));
  change(json);
  return readPlan("shop", JSON.stringify(json));
};
