import { statSync } from "node:fs";
import { dirname } from "node:path";
import { isIn, type Link, noExecution, reach } from "./path.ts";

/**
 * Root folder of an engine (Linux): of the files of this machine, the engine and all that it starts see those of a list, and of the
 * processes their own. The list contains the visible places rather than the hidden ones, so that sockets, disks and credentials in any
 * other place are hidden, too.
 */
export interface Root {
  /** Absolute paths of files and folders, which are read-only. Those that do not exist are left out. */
  readonly visible: readonly string[];
  /** Absolute path of the folder that programs can write, if there is one. */
  readonly writable?: string | undefined;
  /** Folder whose content others may change while the engine runs. */
  readonly source?: Source | undefined;
}

/** Folder of a user, and the absolute paths of the folders in it that are visible, read-only; links resolved. */
export interface Source {
  readonly path: string;
  readonly visible: readonly string[];
}

/** Exit code of the command if the system refuses a step before the program starts; no engine has it. */
export const refusedCode = 125;

/** Folder at which the root is made. */
const base = "/sys";
/** Folders and file that the root has until the program starts: the machine, the source, and a table of mounts. */
const [machine, source, table] = ["/.kcloud-machine", "/.kcloud-source", "/.kcloud-table"];

/** Returns the command that runs a program, given with its arguments as the last ones, in a folder of the root. */
export function commandIn(root: Root, folder: string): readonly string[] {
  return [
    ...["unshare", "--mount", "--pid", "--ipc", "--fork", "--kill-child", "--"],
    ...["sh", "-c", scriptOf(root, folder), "sh"],
  ];
}

/**
 * Returns the script that makes the root in a file system in memory, leaves the machine, and runs the program without capabilities.
 * The shell is the first process of its namespace: when it ends, all others do.
 */
function scriptOf(root: Root, cwd: string): string {
  const { folders, files, links, mounts } = layoutOf(root);
  const { path: folder = "", visible = [] } = root.source ?? {};
  const isInOther = (path: string) => visible.some((outer) => outer !== path && isIn(outer, path));
  const shown = [...new Set(visible)].filter((path) => !isInOther(path));
  const readOnly = readOnlyOptions();
  const inner = shown.map((path) => lineOf(source + path.slice(folder.length), path, readOnly(path)));
  const directories = [...folders, ...foldersFor(shown), "/proc", "/tmp", "/dev/shm", machine, source];
  return [
    "set -e",
    `trap 'exit ${refusedCode}' EXIT`,
    // Users of some distributions have no folder with these commands on PATH.
    "path=$PATH PATH=$PATH:/usr/sbin:/sbin",
    `mount -t tmpfs -o mode=755,nosuid,nodev kcloud ${base}`,
    `cd ${base}`,
    `mkdir -p ${[...new Set(directories)].map(inBase).join(" ")}`,
    ...[...files, ...shown.filter((path) => !isFolder(path))].map((path) => `: > ${inBase(path)}`),
    ...links.map(({ path, target }) => `ln -s ${quoted(target)} ${inBase(path)}`),
    ...mounting(base + table, [
      ...mounts,
      ...(inner.length > 0 ? [lineOf(folder, base + source, "rbind")] : []),
      `proc ${base}/proc proc ro,nosuid,nodev,noexec 0 0`,
    ]),
    `pivot_root . .${machine}`,
    `umount -l ${machine}`,
    // A link that somebody made in the folder now leads to nothing that is not visible.
    ...(inner.length > 0 ? [...mounting(table, inner), `umount -l ${source}`] : []),
    // Fails if the machine is still there.
    `rm -d ${machine} ${source} ${table}`,
    `cd ${quoted(cwd)}`,
    "PATH=$path",
    "trap - EXIT",
    "set +e",
    'setpriv --bounding-set=-all --inh-caps=-all --no-new-privs -- "$@"',
    "exit $?",
  ].join("\n");
}

/** Devices of every root, and its links to the open files of a process. */
const devices = ["null", "zero", "full", "random", "urandom"].map((name) => `/dev/${name}`);
const standardLinks: readonly Link[] = [
  { path: "/dev/fd", target: "/proc/self/fd" },
  ...["stdin", "stdout", "stderr"].map((name, index) => ({
    ...{ path: `/dev/${name}`, target: `/proc/self/fd/${index}` },
  })),
];

interface Layout {
  /** Folders, empty files and links that the root has before anything is mounted. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly links: readonly Link[];
  /** Lines of the table of mounts, outer folders first. */
  readonly mounts: readonly string[];
}

function layoutOf({ visible, writable }: Root): Layout {
  const links = new Map(standardLinks.map(({ path, target }) => [path, target]));
  const options = new Map<string, string>();
  const add = (path: string, optionsOf: (path: string) => string) => {
    const reached = reach(path);
    for (const { path: name, target } of reached.links) links.set(name, target);
    if (reached.path !== undefined) options.set(reached.path, optionsOf(reached.path));
  };
  const readOnly = readOnlyOptions();
  for (const path of visible) add(path, readOnly);
  for (const path of devices) add(path, () => "rbind");
  if (writable !== undefined) add(writable, () => "rbind");
  const isWritable = (path: string) => options.get(path) === "rbind";
  const isCovered = (path: string) =>
    !isWritable(path) &&
    [...options.keys()].some((outer) => outer !== path && isIn(outer, path) && !isWritable(outer));
  const paths = [...options.keys()].filter((path) => !isCovered(path)).toSorted();
  return {
    folders: [...foldersFor(paths), ...[...links.keys()].map((path) => dirname(path))],
    files: paths.filter((path) => !isFolder(path)),
    links: [...links].map(([path, target]) => ({ path, target })).filter(({ path }) => !isCovered(path)),
    mounts: paths.map((path) => lineOf(path, base + path, options.get(path) ?? "")),
  };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Returns the folders that a root must have so that these files and folders can be mounted. */
const foldersFor = (paths: readonly string[]): string[] =>
  paths.map((path) => (isFolder(path) ? path : dirname(path)));

/** Returns the options of a place that is read-only. The system refuses to take back the option noexec that a place has. */
function readOnlyOptions(): (path: string) => string {
  const isNoExecution = noExecution();
  return (path) => `rbind,ro,nosuid,nodev${isNoExecution(path) ? ",noexec" : ""}`;
}

/** Returns a line of a table of mounts. */
const lineOf = (place: string, target: string, options: string): string =>
  `${escaped(place)} ${escaped(target)} none ${options} 0 0`;

const escaped = (path: string): string =>
  path.replaceAll(/[\s\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);

/** Returns the commands that mount all lines of a table, which they write to a file, by one process. */
const mounting = (file: string, lines: readonly string[]): string[] => [
  `printf '%s\\n' ${lines.map(quoted).join(" ")} > ${file}`,
  `mount -a -T ${file} > /dev/null`,
];

const inBase = (path: string): string => quoted(`.${path}`);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
