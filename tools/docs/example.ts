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

/** Example of a scenario, below the folder of a resource or in a folder of its own. */
export interface Scenario {
  /** Path below `examples/`. */
  readonly path: string;
  readonly title: string;
  /** Configuration without its title. */
  readonly hcl: string;
  /** Names and texts of the files that the configuration reads. */
  readonly files: readonly (readonly [name: string, text: string])[];
}

/** Examples of several resources that the page of a resource shows, too. */
const shared: Readonly<Record<string, readonly string[]>> = { bucket: ["storage"] };

/** Returns the paths of the scenarios of a resource below `examples/`: its folders, and shared examples. */
const scenarioPaths = (name: string): string[] => [
  ...readdirSync(join(folder, name), { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() && example(`${name}/${entry.name}/main.tf`) ? [`${name}/${entry.name}`] : [],
    )
    .toSorted(),
  ...(shared[name] ?? []),
];

/** Returns the scenarios of a resource. The first comment of a configuration is the title. */
export const scenariosOf = (name: string): Scenario[] =>
  scenarioPaths(name).map((path) => {
    const text = requiredExample(`${path}/main.tf`);
    const [start, title] = /^# (.*)\n\n/.exec(text) ?? [];
    if (start === undefined || title === undefined) throw new Error(`examples/${path}/main.tf has no title`);
    const files = readdirSync(join(folder, path)).filter((file) => file.endsWith(".tftpl"));
    return {
      path,
      title,
      hcl: text.slice(start.length),
      files: files.map((file) => [file, requiredExample(`${path}/${file}`)] as const),
    };
  });

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
