import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { provider } from "../../provider/core/name.ts";
import { CommandError } from "../run.ts";

/** Programs of the package, as engines start them. */

/** Program of a plugin and the files that must be next to it. */
export interface Program {
  readonly file: string;
  readonly others: readonly string[];
  /** Platform on which the program runs; undefined for the script of the npm package, which runs on several. */
  readonly platform: string | undefined;
}

/** Name of the plugin's program, and of its code cache, by the engine. */
const plugins = {
  terraform: { name: `terraform-provider-${provider}`, cache: `${provider}-terraform.cache` },
  pulumi: { name: `pulumi-resource-${provider}`, cache: `${provider}-pulumi.cache` },
} as const;

/**
 * Returns the plugin of this package for an engine: the single executable itself, else the script in the folder of `kcloud` or in
 * the `dist` folder next to its sources. Throws `CommandError` if the script is missing.
 */
export function programOf(
  engine: keyof typeof plugins,
  kcloud: string,
  executable: string | undefined,
  platform: string,
): Program {
  if (executable !== undefined) return { file: executable, others: [], platform };
  const { name, cache } = plugins[engine];
  const folders = [dirname(kcloud), join(dirname(kcloud), "dist")];
  const folder = folders.find((one) => existsSync(join(one, name)));
  if (folder === undefined)
    throw new CommandError(`${join(dirname(kcloud), name)} is missing: install the package again`);
  // `package.json` makes Node read the script as CommonJS regardless of one in a parent folder.
  const others = [cache, "package.json"].map((file) => join(folder, file)).filter((file) => existsSync(file));
  return { file: join(folder, name), others, platform: undefined };
}

/** Copies a program to a folder under a name. Replaces files atomically, because engines may read them at the same time. */
export function copyProgram({ file, others }: Program, folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  for (const other of others) replaceFile(other, join(folder, basename(other)), 0o644);
  replaceFile(file, join(folder, name), 0o755);
}

function replaceFile(source: string, target: string, mode: number): void {
  const draft = `${target}.${process.pid}`;
  copyFileSync(source, draft);
  chmodSync(draft, mode);
  renameSync(draft, target);
}
