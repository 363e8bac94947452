import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix, resolve, sep } from "node:path";
import { withoutIndices } from "../model/address.ts";
import type { Change, Source } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import { type Configuration, readHcl } from "./hcl.ts";

/**
 * Finds the lines of the blocks in HCL that declare the objects of a plan, which a plan of Terraform or OpenTofu does not have. What
 * is not certain has no place: a block in several files, a module from elsewhere, a configuration in JSON.
 */

/** Maximum number of files of a folder, and size of a file in bytes. */
const [mostFiles, largestFile] = [1_000, 2_000_000];

/** Folder of a module: its files, by name. */
type Module = ReadonlyMap<string, Configuration>;

/**
 * Returns the plan with the source lines of its objects, relative to the folder of its program. Reads only folders in the current
 * one.
 */
export function withPlaces(plan: Plan, root: string): Plan {
  if (plan.engine !== "terraform" && plan.engine !== "opentofu") return plan;
  const modules = new Map<string, Module>();
  const moduleAt = (folder: string): Module => {
    const known = modules.get(folder) ?? readModule(resolve(root, folder));
    modules.set(folder, known);
    return known;
  };
  const places = new Map<string, Source | undefined>();
  const placed = (change: Change): Change => {
    if (change.source !== undefined) return change;
    const address = withoutIndices(change.address);
    if (!places.has(address)) places.set(address, placeOf(address.split("."), moduleAt));
    const source = places.get(address);
    return source === undefined ? change : { ...change, source };
  };
  return { ...plan, changes: plan.changes.map(placed), drift: plan.drift.map(placed) };
}

/** Returns the line of the block with this address. */
function placeOf(address: readonly string[], moduleAt: (folder: string) => Module): Source | undefined {
  let folder = ".";
  let parts = address;
  while (parts[0] === "module") {
    const source = sourceOfModule(moduleAt(folder), parts[1] ?? "");
    if (source === undefined) return undefined;
    folder = posix.join(folder, source);
    parts = parts.slice(2);
  }
  const [type, ...labels] = parts[0] === "data" ? parts : ["resource", ...parts];
  const [found, ...others] = [...moduleAt(folder)].flatMap(([name, { blocks }]) =>
    blocks
      .filter((block) => block.type === type && labels.length === 2 && `${block.labels}` === `${labels}`)
      .map(({ line }) => ({ file: posix.join(folder, name), line })),
  );
  return others.length === 0 ? found : undefined;
}

/** Returns the folder of a called module, relative to that of the caller; undefined for a module from elsewhere. */
function sourceOfModule(module: Module, name: string): string | undefined {
  const sources = [...module.values()].flatMap(({ texts }) =>
    texts
      .filter(
        ({ text, block }) => block?.type === "module" && block.labels[0] === name && /^\.\.?\//.test(text),
      )
      .map(({ text }) => text),
  );
  return sources.length === 1 ? sources[0] : undefined;
}

/** Reads the files of a folder; none if it is outside of the current folder, or cannot be read. */
function readModule(folder: string): Module {
  const none: Module = new Map();
  const current = process.cwd();
  if (folder !== current && !folder.startsWith(`${current}${current.endsWith(sep) ? "" : sep}`)) return none;
  try {
    // An override changes a block that another file declares.
    const names = readdirSync(folder).filter(
      (name) => name.endsWith(".tf") && !/(^|_)override\.tf$/.test(name),
    );
    if (names.length > mostFiles) return none;
    const files = names.toSorted().map((name): [string, Configuration] => {
      const path = join(folder, name);
      const { size } = statSync(path);
      if (!statSync(path).isFile() || size > largestFile) throw new RangeError(`${path} is not read`);
      return [name, readHcl(readFileSync(path, "utf8"))];
    });
    return new Map(files);
  } catch {
    // Without all of the files, a block could be in two of them.
    return none;
  }
}
