import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { type Block, type Configuration, readHcl, readJson } from "../../review/read/hcl.ts";
import { isWithin, type Refusal, refusedEntries } from "./entry.ts";

/**
 * Parts of a configuration that a rehearsal does not run: what they do cannot be confined to the emulator. Everything that cannot be
 * read counts as one.
 */

export interface CheckOptions {
  /** True to run `local-exec` and `external`. */
  readonly allowsCommands: boolean;
  /** Names of the data sources `terraform_remote_state` whose states are given. */
  readonly remoteStates: ReadonlySet<string>;
}

/** Data source that reads the outputs of another state. */
export interface RemoteState {
  readonly name: string;
  /** Path of the folder of its configuration. */
  readonly folder: string;
}

export interface Checked {
  readonly refusals: readonly Refusal[];
  /** Data sources whose states are given. */
  readonly remoteStates: readonly RemoteState[];
}

/** Checks all configurations in a folder and its modules. */
export function checkFolder(root: string, folder: string, options: CheckOptions): Checked {
  const remoteStates: RemoteState[] = [];
  const visited = new Set<string>();
  const start = resolve(root, folder);
  const refusals: Refusal[] = refusedEntries(root);
  // A problem of a file that is a link would quote one outside of the folder.
  if (refusals.length > 0) return { refusals, remoteStates };
  if (configurationsIn(start).length === 0)
    refusals.push({ place: relative(root, start) || ".", reason: "has no configuration, such as main.tf" });
  // The copy has no module outside of the folder.
  const queue = [start, ...installedModules(start, refusals).filter((path) => isWithin(resolve(root), path))];
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
      const isGiven = (block: Block | undefined) =>
        isRemoteState(block) && options.remoteStates.has(block?.labels[1] ?? "");
      for (const { labels } of configuration.blocks.filter(isGiven))
        remoteStates.push({ name: labels[1] ?? "", folder: path });
      for (const { text, line, block } of configuration.texts) {
        // The backend of a given state is not used.
        if (isGiven(block)) continue;
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
  return { refusals, remoteStates };
}

/** Returns the folders of the modules that `init` installed from elsewhere. */
function installedModules(folder: string, refusals: Refusal[]): string[] {
  const list = join(folder, ".terraform/modules/modules.json");
  if (!existsSync(list)) return [];
  try {
    const { Modules: modules } = JSON.parse(readFileSync(list, "utf8")) as { Modules: { Dir: string }[] };
    return modules.map(({ Dir: path }) => resolve(folder, path));
  } catch (error) {
    refusals.push({
      place: ".terraform/modules/modules.json:1",
      reason: `cannot be read (${(error as Error).message})`,
    });
    return [];
  }
}

const isRemoteState = (block: Block | undefined): boolean =>
  block?.type === "data" && block.labels[0] === "terraform_remote_state";

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

/** Returns true for a path that leads out of the copied folder, or that may. A path that is computed is not recognized. */
function isOutside(root: string, folder: string, written: string): boolean {
  const text = written
    .replaceAll(/\\u([\da-fA-F]{4})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/^\$\{\s*path\.(module|root|cwd)\s*\}\//, "./");
  if (/^~/.test(text)) return true;
  // Separators, as in split("/", …), and parts of a path, as in replace(…, "../").
  if (/^[./]*$/.test(text) || !/^(\/|\.{1,2}\/)/.test(text)) return false;
  const path = resolve(folder, text);
  try {
    return !isWithin(realpathSync(root), realpathSync(path));
  } catch {
    // A text that is no path of an existing file, such as the path of a route.
    return !isAbsolute(text) && !isWithin(root, path);
  }
}

const commands = new Set(["local-exec"]);

function refusedBlocks(
  { blocks }: Configuration,
  { allowsCommands, remoteStates }: CheckOptions,
): { readonly line: number; readonly reason: string }[] {
  return blocks.flatMap((block) => {
    const { type, labels, line } = block;
    const [label = "", name = ""] = labels;
    if (type === "provisioner" && !(allowsCommands && commands.has(label))) {
      const hint = commands.has(label) ? "; --allow-commands runs it" : "";
      return [{ line, reason: `provisioner ${JSON.stringify(label)} runs outside of the emulator${hint}` }];
    }
    if (isRemoteState(block) && !remoteStates.has(name))
      return [
        {
          line,
          reason: `data.terraform_remote_state.${name} reads a state elsewhere; --remote-state ${name}=FILE gives it`,
        },
      ];
    if (type === "encryption")
      return [{ line, reason: "an encrypted state needs its keys, which may be elsewhere" }];
    if (type === "data" && label === "external" && !allowsCommands)
      return [{ line, reason: `data.external.${name} runs a program; --allow-commands runs it` }];
    return [];
  });
}
