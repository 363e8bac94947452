import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Examples of `examples/`, which tests run. */

const folder = join(import.meta.dirname, "../../examples");

/** Returns the text of an example; undefined if there is none. */
export function example(path: string): string | undefined {
  const file = join(folder, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Returns the text of an example. Throws if there is none. */
export function requiredExample(path: string): string {
  const text = example(path);
  if (text === undefined) throw new Error(`there is no examples/${path}`);
  return text;
}

const configurations = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((file) => /\.(tf|tfquery\.hcl)$/.test(file))
  .toSorted();

/** Returns the first block of the examples with this header, such as `data "kcloud_vpc"`, with the comments above it. */
export function exampleBlock(header: string): string | undefined {
  const pattern = new RegExp(`^(?:#.*\\n)*${header} [^\\n]*(?:\\{\\}|\\{$[^]*?^\\})$`, "m");
  for (const file of configurations) {
    const found = pattern.exec(requiredExample(file));
    if (found !== null) return found[0];
  }
  return undefined;
}

/** Returns the name of the first block of an example with this header. */
export const exampleName = (text: string, header: string): string | undefined =>
  new RegExp(`^${header} "(\\w+)"`, "m").exec(text)?.[1];
