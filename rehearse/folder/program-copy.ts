import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { provider } from "../../provider/core/name.ts";
import { type Copy, makeCopy } from "./copy.ts";
import type { Refusal } from "./entry.ts";
import type { Configuration, Program } from "./program.ts";
import { type Access, replacementOf } from "./stack.ts";
import { entriesIn, isMapping, nestedTextOf, textOf } from "./yaml.ts";

/** Copy of a Pulumi program: its backend is a folder of the copy, and its plugin is that of this package. */

export interface ProgramCopyOptions {
  /** Folder that is copied, and the program inside of it. */
  readonly root: string;
  readonly folder: string;
  readonly program: Program;
  readonly configuration: Configuration;
  readonly stack: string;
  /** Salt of the secrets in the configuration. */
  readonly salt: string;
  /** Checkpoint with which the copy begins. */
  readonly checkpoint: string;
  /** Checkpoints of other stacks by their paths, such as `net/prod`. */
  readonly others?: Readonly<Record<string, string>>;
  readonly plugin: string;
  readonly access: Access;
}

/** Folders of Pulumi in the temporary folder of the copy. */
export const folders = {
  home: "home",
  pulumiHome: "pulumi",
  backend: "backend",
  temporary: "temporary",
} as const;

const leftOut = /(^|\/)(\.git|\.pulumi|__pycache__)$/;

/** Copies a program. Installed packages are linked, not copied. */
export const copyProgram = (options: ProgramCopyOptions): Copy =>
  makeCopy((temporary) => {
    const { folder, program, configuration, plugin } = options;
    for (const name of Object.values(folders)) mkdirSync(join(temporary, name));
    const { copy, links } = copyFiles(temporary, options);
    const path = join(copy, folder);
    const plugins = join(temporary, "plugin");
    mkdirSync(plugins);
    symlinkSync(plugin, join(plugins, `pulumi-resource-${provider}`));
    rmSync(join(path, program.file));
    writeFileSync(join(path, program.file), projectOf(options, plugins), { mode: 0o600 });
    writeIn(join(path, configuration.file), configurationOf(options));
    return { path, links, ...writeBackend(temporary, options) };
  });

/**
 * Copies the files of the program, with links to the packages in its folder and in those above. Returns the path of the copy, and the
 * paths to which it links.
 */
function copyFiles(
  temporary: string,
  options: ProgramCopyOptions,
): { readonly copy: string; readonly links: readonly string[] } {
  const links: string[] = [];
  const { root, folder, program } = options;
  const parents = parentsWithPackages(root);
  const copy = join(temporary, ...parents.map((_, index) => `parent-${index}`), "root", basename(root));
  mkdirSync(dirname(copy), { recursive: true });
  for (const [index, parent] of parents.entries()) {
    const place = join(temporary, ...parents.slice(0, index + 1).map((_, depth) => `parent-${depth}`));
    links.push(...linkPackages(join(parent, packages), join(place, packages)));
  }
  const linked = linkedFolders(program);
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => {
      const inner = relative(root, path);
      if (leftOut.test(inner)) return false;
      const place = relative(join(root, folder), path);
      if (basename(path) === packages) links.push(...linkPackages(path, join(copy, inner)));
      else if (linked.includes(place)) {
        symlinkSync(realpathSync(path), join(copy, inner));
        links.push(path);
      } else return !isStackConfiguration(place, options);
      return false;
    },
  });
  return { copy, links };
}

/** Writes the backend with the checkpoint of the stack and those of others. */
function writeBackend(
  temporary: string,
  { program, stack, checkpoint, others = {} }: ProgramCopyOptions,
): Pick<Copy, "state" | "reset"> {
  const backend = join(temporary, folders.backend, ".pulumi");
  const state = join(backend, "stacks", program.name, `${stack}.json`);
  writeIn(join(backend, "meta.yaml"), "version: 1\n");
  for (const [name, text] of Object.entries(others)) writeIn(join(backend, "stacks", `${name}.json`), text);
  const reset = () => {
    // An interrupted command leaves its lock.
    rmSync(join(backend, "locks"), { recursive: true, force: true });
    writeIn(state, checkpoint);
  };
  reset();
  return { state, reset };
}

/** Writes a file that only the user can read, and the folders above it. */
function writeIn(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
}

const packages = "node_modules";

/**
 * Links each installed package. The folder itself is one of the copy, as programs write caches into it; entries with a dot are such
 * caches, or files of a package manager. Returns the path of the original folder, and those of packages that are links themselves,
 * each with the links in it: where they lead is for the isolation to judge.
 */
function linkPackages(source: string, target: string): string[] {
  mkdirSync(target, { recursive: true });
  const real = realpathSync(source);
  return [
    source,
    ...readdirSync(source, { withFileTypes: true }).flatMap((entry) => {
      const { name } = entry;
      if (name.startsWith("@")) return linkPackages(join(source, name), join(target, name));
      if (name.startsWith(".") && name !== ".bin") return [];
      symlinkSync(join(real, name), join(target, name));
      return entry.isSymbolicLink() ? [join(source, name)] : [];
    }),
  ];
}

/** Returns the folders above a folder that have packages which its programs can load, the outermost first. */
function parentsWithPackages(root: string): string[] {
  const parents: string[] = [];
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, packages))) parents.unshift(folder);
  return parents;
}

/** Folders of installed packages, relative to the program. */
export const linkedFolders = ({ options }: Program): string[] => {
  const environment = options.get("virtualenv");
  return environment === undefined ? [] : [join(environment)];
};

/** Returns true for the configurations of stacks, of which the copy has one in another form. */
const isStackConfiguration = (path: string, { program }: ProgramCopyOptions): boolean =>
  dirname(path) === join(program.configurationFolder, ".") &&
  basename(path) !== program.file &&
  /^Pulumi\./.test(basename(path)) &&
  extname(path) === extname(program.file);

function projectOf({ program, access }: ProgramCopyOptions, plugins: string): string {
  const entries = program.entries.map((entry) =>
    entry.key === "config" && isMapping(entry)
      ? {
          ...entry,
          text: nestedTextOf(entriesIn(entry.text, entry.line), (key) => replacementOf(key, access)),
        }
      : entry,
  );
  const used = { providers: [{ name: provider, path: plugins }] };
  return `${textOf(entries)}plugins: ${JSON.stringify(used)}\n`;
}

function configurationOf({ configuration, salt, access }: ProgramCopyOptions): string {
  const { settings } = configuration;
  const config = nestedTextOf(settings, (key) => replacementOf(key, access));
  return `encryptionsalt: ${salt}\n${settings.length === 0 ? "" : `config:${config}`}`;
}

/** Returns a refusal for each package of this name that the program can load and that is another version. */
export function otherVersionsIn(root: string, folder: string): Refusal[] {
  const candidates: string[] = [];
  for (let path = join(root, folder); ; path = dirname(path)) {
    candidates.push(join(path, packages, manifest.name, "package.json"));
    if (path === dirname(path)) break;
  }
  return candidates.filter(existsSync).flatMap((file) => {
    const version = versionIn(file);
    return version === manifest.version
      ? []
      : [
          {
            place: relative(root, dirname(file)),
            reason: `is ${version === undefined ? "no package with a version" : `version ${version}`}, and this command is of version ${manifest.version}: run the command of the program, as npx kcloud does`,
          },
        ];
  });
}

/** Returns the version of a package; undefined for a file without one, which may be any file, since packages may be links. */
function versionIn(file: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version?: unknown };
    return typeof version === "string" && /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}
