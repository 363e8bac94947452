import { relative, sep } from "node:path";
import { withoutIndices } from "../model/address.ts";
import type { Change, Source } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import { isObject, type Json, objectOf, stringOf, stringsOf } from "./json.ts";
import { UnreadableError } from "./not-reviewable.ts";

/** Reads the constructs and source lines of a CDKTF or CDKTN program from the configuration that it writes (`cdk.tf.json`). */

/** Place of a resource in the program. */
interface Construct {
  /** Constructs that the resource belongs to, outermost first; the first is the stack. */
  readonly parents: readonly string[];
  /** Line that creates it, if the program records stack traces. */
  readonly source?: Source;
}

/**
 * Returns the plan with the constructs and source lines of its objects. Throws `UnreadableError` if the text is not such a
 * configuration.
 */
export function withConstructs(plan: Plan, text: string, folder = process.cwd()): Plan {
  const constructs = constructsIn(text, folder);
  const placed = (change: Change): Change => {
    const found = constructs.get(withoutIndices(change.address));
    return found === undefined ? change : { ...change, ...found };
  };
  return { ...plan, changes: plan.changes.map(placed), drift: plan.drift.map(placed) };
}

/** Returns the places of resources by address. */
function constructsIn(text: string, folder: string): ReadonlyMap<string, Construct> {
  const json = configurationOfApp(text);
  return new Map(
    Object.entries(objectOf(json.resource)).flatMap(([type, resources]) =>
      Object.entries(objectOf(resources)).flatMap(([name, resource]): [string, Construct][] => {
        const metadata = metadataOf(resource);
        const path = stringOf(metadata.path)?.split("/") ?? [];
        const source = stringsOf(metadata.stackTrace)
          .map((line) => sourceIn(line, folder))
          .find((one) => one !== undefined);
        return [
          [`${type}.${name}`, { parents: path.slice(0, -1), ...(source === undefined ? {} : { source }) }],
        ];
      }),
    ),
  );
}

const metadataOf = (block: unknown): Json => objectOf(objectOf(objectOf(block)["//"]).metadata);

function configurationOfApp(text: string): Json {
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json) && stringOf(metadataOf(json).stackName) !== undefined) return json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UnreadableError("is not a configuration of CDKTF or CDKTN (cdk.tf.json)");
}

/** Parses `at new Shop (/program/main.ts:12:5)`; undefined for a file of a library or outside of the folder. */
function sourceIn(line: string, folder: string): Source | undefined {
  const [, path, lineNumber] = /\(?([^()\s]+):(\d+):\d+\)?$/.exec(line) ?? [];
  if (path === undefined) return undefined;
  const file = relative(folder, path).split(sep).join("/");
  return file.startsWith("..") || /(^|\/)node_modules\//.test(file)
    ? undefined
    : { file, line: Number(lineNumber) };
}
