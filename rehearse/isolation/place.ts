import { existsSync, readdirSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { thisMachine } from "../../command/install/machine.ts";
import { findOnPath } from "../../review/custom-rule/node.ts";
import { isIn, reach } from "./path.ts";
import type { Root } from "./root.ts";

/** Files and folders of this machine that an engine needs. */

/** Programs, libraries and data of the system. */
const folders = [
  ...["bin", "sbin", "lib", "lib32", "lib64", "libx32"],
  ...["bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "share"].map((name) => `usr/${name}`),
  ...["bin", "sbin", "lib", "lib64", "libexec", "share"].map((name) => `usr/local/${name}`),
  ...["nix/store", "gnu/store", "run/current-system"],
];

/** Settings of the system that programs read; none has a credential. */
const settings = [
  ...["alternatives", "ca-certificates", "crypto-policies", "group", "hosts", "ld.so.cache", "ld.so.conf"],
  ...["ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "os-release", "passwd", "protocols"],
  ...["services", "timezone"],
  ...["ca-trust", "tls/cert.pem", "tls/certs", "tls/openssl.cnf"].map((name) => `pki/${name}`),
  ...["cert.pem", "certs", "openssl.cnf"].map((name) => `ssl/${name}`),
];

/** Parts of the system that every engine sees, as far as they exist. */
export const systemPlaces = [...folders, ...settings.map((name) => `etc/${name}`)].map((name) => `/${name}`);

/** Names of folders with programs, and of what these programs read in the folder above. */
const programFolders = new Set(["bin", "sbin", "shims"]);
const programParts = ["lib", "lib64", "libexec", "versions", "version", "opt", "Cellar"];

export interface Needs {
  /** Variables of the command, of which PATH and HOME count. */
  readonly environment: NodeJS.ProcessEnv;
  /** Absolute paths of programs. */
  readonly programs: readonly (string | undefined)[];
  /** Absolute paths of other files and folders. */
  readonly others: readonly string[];
  /** Absolute paths of virtual environments of Python in the source, or to which it links. */
  readonly environments?: readonly string[];
  /** Folder of the copy. */
  readonly copy: string;
  /** Folder that is copied, which somebody else may edit. */
  readonly source: string;
}

/** Returns the root of an engine with these needs, and with the programs on PATH. */
export function rootFor({ environment, programs, others, environments = [], copy, source }: Needs): Root {
  const folder = reach(source).path ?? source;
  const homes = [environment.HOME, thisMachine().accountHome].filter((home) => home !== undefined);
  const visible = new Set(systemPlaces);
  const inner = new Set<string>();
  /** Adds a place. A link in the source, which somebody else may have made, leads to installed packages only. */
  const add = (path: string): void => {
    const { path: real, links } = reach(path);
    if (real === undefined) return;
    const isFromSource = links.some((link) => isIn(folder, link.path));
    const place = isFromSource && !isIn(folder, real) ? packagesAt(real) : path;
    if (isIn(folder, real) && real !== folder) inner.add(real);
    else if (place !== undefined && !isAbove(reach(place).path ?? place, [folder, ...homes]))
      visible.add(place);
  };
  const interpreters = environments.flatMap((one) => interpretersOf(one, folder));
  const used = [...programs, ...interpreters, process.execPath, findOnPath("node")];
  for (const path of (environment.PATH ?? "").split(delimiter).filter(isAbsolute))
    placesOnPath(path, homes).forEach(add);
  for (const program of used) placesOf(program, homes).forEach(add);
  others.forEach(add);
  return { visible: [...visible], writable: copy, source: { path: folder, visible: [...inner] } };
}

/** Returns true for a folder that is one of these, or is above one. */
const isAbove = (folder: string, others: readonly string[]): boolean =>
  others.some((other) => isIn(folder, other) || isIn(folder, reach(other).path ?? other));

/** Returns the outermost folder of packages above a path. */
const packagesAbove = (path: string): string | undefined => /^(.*?\/node_modules)(?=\/|$)/.exec(path)?.[1];

/** Returns the folder of packages of a path: one of Node's above it, or itself if it is a virtual environment of Python. */
const packagesAt = (path: string): string | undefined =>
  packagesAbove(path) ?? (existsSync(join(path, "pyvenv.cfg")) ? path : undefined);

/** Returns a folder on PATH and what its programs read, if it is a folder for programs. */
function placesOnPath(path: string, homes: readonly string[]): string[] {
  const real = reach(path).path;
  if (real === undefined) return [];
  const packages = packagesAbove(real);
  if (packages !== undefined) return [path, packages];
  return programFolders.has(basename(real)) ? [path, ...partsBeside(real, homes)] : [];
}

/** Returns what the programs in a folder read in the folder above it, unless that is a home folder or the one of the system. */
const partsBeside = (folder: string, homes: readonly string[]): string[] =>
  isAbove(dirname(folder), ["/", ...homes]) ? [] : programParts.map((name) => join(dirname(folder), name));

/** Returns the paths of a program and of the files that it needs: its folder, or else the programs beside it whose names begin with its own. */
function placesOf(program: string | undefined, homes: readonly string[]): string[] {
  const real = program === undefined ? undefined : reach(program).path;
  if (program === undefined || real === undefined) return [];
  const packages = packagesAbove(real);
  if (packages !== undefined) return [program, packages];
  const folder = dirname(real);
  if (programFolders.has(basename(folder))) return [program, folder, ...partsBeside(folder, homes)];
  const others = namesIn(folder).filter((name) => name.startsWith(`${basename(real)}-`));
  return [program, ...others.map((name) => join(folder, name))];
}

/** Returns the files and folders that a program of this package needs, given its path. Scripts of the npm package need those beside their folder. */
export function packageParts(program: string): string[] {
  const folder = dirname(program);
  return thisMachine().executable === undefined
    ? [folder, ...["package.json", "node_modules"].map((name) => join(dirname(folder), name))]
    : [program];
}

const interpreter = /^python[\d.]*$/;

/** Returns the interpreters outside of the source to which a virtual environment of Python links, and no other files. */
function interpretersOf(environment: string, source: string): string[] {
  const folder = reach(join(environment, "bin")).path ?? environment;
  return namesIn(folder).flatMap((name) => {
    if (!interpreter.test(name)) return [];
    const { path = "", links } = reach(join(folder, name));
    const targets = links.map((link) => resolve(dirname(link.path), link.target));
    const outer = targets.find((target) => !isIn(source, target));
    const isInterpreter = interpreter.test(basename(path)) && basename(dirname(path)) === "bin";
    return isInterpreter && outer !== undefined ? [outer] : [];
  });
}

/** Returns the names in a folder; none if it cannot be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
