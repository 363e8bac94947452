import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { type Configuration, readHcl, readJson } from "./hcl.ts";

/**
 * Parts of a configuration that a rehearsal does not run: what they do cannot be confined to the emulator. Everything that cannot be
 * read counts as one.
 */

export interface Refusal {
  /** File and line. */
  readonly place: string;
  readonly reason: string;
}

export interface CheckOptions {
  /** True to run `local-exec` and `external`. */
  readonly allowsCommands: boolean;
}

/** Returns the refused parts of all configurations in a folder and its modules. */
export function refusalsIn(root: string, folder: string, options: CheckOptions): Refusal[] {
  const visited = new Set<string>();
  const queue = [resolve(root, folder)];
  const refusals: Refusal[] = [];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (visited.has(path)) continue;
    visited.add(path);
    for (const name of configurationsIn(path)) {
      const file = join(path, name);
      const place = (line: number) => `${relative(root, file)}:${line}`;
      const configuration = readConfiguration(file);
      if ("problem" in configuration) {
        refusals.push({ place: place(1), reason: configuration.problem });
        continue;
      }
      for (const { line, reason } of refusedBlocks(configuration, options))
        refusals.push({ place: place(line), reason });
      for (const { text, line } of configuration.texts) {
        const module = /^\.{1,2}\//.test(text) ? resolve(path, text) : undefined;
        if (isOutside(root, path, text))
          refusals.push({
            place: place(line),
            reason: `names ${JSON.stringify(text)}, which is outside of the copied folder`,
          });
        else if (module !== undefined && configurationsIn(module).length > 0) queue.push(module);
      }
    }
  }
  return refusals;
}

const isConfiguration = (name: string): boolean => /\.(tf|tofu)(\.json)?$/.test(name);

/** Returns the configuration files in a folder; none if it is no folder. The copy of a folder that cannot be read fails later. */
function configurationsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isConfiguration).toSorted();
  } catch {
    return [];
  }
}

function readConfiguration(file: string): Configuration | { readonly problem: string } {
  try {
    const text = readFileSync(file, "utf8");
    return file.endsWith(".json") ? readJson(text) : readHcl(text);
  } catch (error) {
    return { problem: `cannot be read (${(error as Error).message})` };
  }
}

/** Returns true for a path that leads out of the copied folder, or that may. */
function isOutside(root: string, folder: string, text: string): boolean {
  if (/^~/.test(text)) return true;
  if (!isAbsolute(text) && !/^\.\.\//.test(text)) return false;
  const path = resolve(folder, text);
  try {
    return !isWithin(root, realpathSync(path));
  } catch {
    // A text that is no path of an existing file, such as the path of a route.
    return /^\.\.\//.test(text) && !isWithin(root, path);
  }
}

const isWithin = (root: string, path: string): boolean => {
  const inner = relative(root, path);
  return inner === "" || (!inner.startsWith("..") && !isAbsolute(inner));
};

const commands = new Set(["local-exec"]);

function refusedBlocks(
  { blocks }: Configuration,
  { allowsCommands }: CheckOptions,
): { readonly line: number; readonly reason: string }[] {
  return blocks.flatMap(({ type, labels: [label = "", name = ""], line }) => {
    if (type === "provisioner" && !(allowsCommands && commands.has(label))) {
      const hint = commands.has(label) ? "; --allow-commands runs it" : "";
      return [{ line, reason: `provisioner ${JSON.stringify(label)} runs outside of the emulator${hint}` }];
    }
    if (type === "data" && label === "terraform_remote_state")
      return [{ line, reason: `data.terraform_remote_state.${name} reads a state elsewhere` }];
    if (type === "encryption")
      return [{ line, reason: "an encrypted state needs its keys, which may be elsewhere" }];
    if (type === "data" && label === "external" && !allowsCommands)
      return [{ line, reason: `data.external.${name} runs a program; --allow-commands runs it` }];
    return [];
  });
}
