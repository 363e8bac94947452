import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { CommandError } from "../../command/run.ts";
import { isIn, reach } from "../isolation/path.ts";
import type { RemoteState } from "./check.ts";
import { copyProviders } from "./provider.ts";

/** Copy of a folder in which an engine rehearses; the folder itself is only read. */
export interface Copy {
  /** Folder of the configuration in the copy. */
  readonly path: string;
  /** Folder for the plugin, the providers and the settings of the engine, outside of the configuration. */
  readonly engineFolder: string;
  /** Path of the state. */
  readonly state: string;
  /** Paths outside of the copy to which it links. */
  readonly links: readonly string[];
  /**
   * Returns a path in the copy, which the engine and programs can write. Throws `CommandError` if one of them has replaced the file by
   * something else, such as a link that leads out of the copy. With isolation, none of them runs between two commands of the engine.
   */
  own(path: string): string;
  /** Writes the given state; the engine is initialized without one, as it would move the states of a backend. */
  reset(): void;
  remove(): void;
}

/**
 * Makes a copy in a new temporary folder, which is the folder of the engine. Removes the folder if that fails.
 */
export function makeCopy(make: (temporary: string) => Omit<Copy, "engineFolder" | "own" | "remove">): Copy {
  const temporary = mkdtempSync(join(tmpdir(), "kcloud-rehearsal-"));
  const remove = () => rmSync(temporary, { recursive: true, force: true });
  const own = (path: string) => {
    if (!isOwn(temporary, path))
      throw new CommandError(
        `a program of the rehearsal has replaced ${relative(temporary, path)} of its copy`,
      );
    return path;
  };
  try {
    const made = make(temporary);
    const reset = () => {
      own(made.state);
      made.reset();
    };
    return { ...made, engineFolder: temporary, own, reset, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Returns true for a file or folder in this folder, and for a path at which one can be made there. */
function isOwn(folder: string, path: string): boolean {
  const root = reach(folder).path ?? folder;
  const { path: real, links } = reach(path);
  if (real !== undefined) {
    const entry = lstatSync(real);
    return isIn(root, real) && (entry.isFile() || entry.isDirectory());
  }
  // A link to a file that does not exist is one at which a file would be made.
  const leadsOut = links.some(
    (link) => isIn(root, link.path) && !isIn(root, resolve(dirname(link.path), link.target)),
  );
  return !leadsOut && path !== folder && isOwn(folder, dirname(path));
}

/** Override file of Terraform and OpenTofu: it replaces parts of the configuration in its folder. */
const overrideName = "kcloud_rehearsal_override.tf";

/** Files that would lead the engine to the real state, or that no engine reads. */
const leftOut = (path: string): boolean =>
  /(^|\/)\.terraform\/(terraform\.tfstate|environment)$/.test(path) ||
  /(^|\/)(\.git|node_modules)$/.test(path) ||
  /(^|\/)terraform\.tfstate(\.d|\.backup)?$/.test(path) ||
  /\.tfstate(\.\d+)?\.backup$|\.tfstate\.lock\.info$/.test(path);

const isProviders = (path: string): boolean => /(^|\/)\.terraform\/providers$/.test(path);

/** The state is a file of the copy. */
const backendOverride = 'terraform {\n  backend "local" {}\n}\n';

/** Returns the override of a data source that reads a state: it reads this one. */
const remoteOverride = (name: string, state: string): string => `
data "terraform_remote_state" ${JSON.stringify(name)} {
  backend   = "local"
  workspace = null
  config    = { path = ${JSON.stringify(state)} }
}
`;

export interface CopyOptions {
  /** Folder that is copied, and the configuration inside of it. */
  readonly root: string;
  readonly folder: string;
  /** Text of the state. */
  readonly state: string;
  readonly workspace: string;
  /** Data sources that read a given state, each with the text of a state that has its outputs. */
  readonly remoteStates?: readonly (RemoteState & { readonly state: string })[];
}

/** Returns the selected workspace of a folder. */
export function workspaceOf(folder: string, { TF_WORKSPACE }: NodeJS.ProcessEnv): string {
  if (TF_WORKSPACE) return TF_WORKSPACE;
  const file = join(folder, ".terraform/environment");
  return (existsSync(file) && readFileSync(file, "utf8").trim()) || "default";
}

/** Copies a folder with its state. */
export const copyFolder = (options: CopyOptions): Copy =>
  makeCopy((temporary) => {
    const { root, folder, state, workspace, remoteStates = [] } = options;
    const copy = join(temporary, "root", basename(root));
    cpSync(root, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !leftOut(relative(root, path)) && !isProviders(relative(root, path)),
    });
    const providers = join(folder, ".terraform/providers");
    if (lstatSync(join(root, providers), { throwIfNoEntry: false })?.isDirectory())
      copyProviders(join(root, providers), join(copy, providers));
    const path = join(copy, folder);
    writeFileSync(join(path, overrideName), backendOverride, { mode: 0o600 });
    for (const { name, folder: place, state: outputs } of remoteStates) {
      const given = join(temporary, `${name}.tfstate`);
      writeFileSync(given, outputs, { mode: 0o600 });
      const override = join(copy, relative(root, place), overrideName);
      appendFileSync(override, remoteOverride(name, given), { mode: 0o600 });
    }
    const states = workspace === "default" ? path : join(path, "terraform.tfstate.d", workspace);
    const file = join(states, "terraform.tfstate");
    const reset = () => {
      mkdirSync(states, { recursive: true });
      writeFileSync(file, state, { mode: 0o600 });
    };
    return { path, state: file, links: [], reset };
  });
