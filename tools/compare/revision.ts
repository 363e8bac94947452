import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cacheFolder } from "../engines/cache.ts";

/** Root of the checkout that this script runs in. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** A revision's sources and what `npm run build` makes of them. */
export interface Revision {
  /** As the command line names it. */
  readonly name: string;
  /** Object id of its tree. */
  readonly tree: string;
  /** Folder with the sources, `dist/` and a `node_modules/` of its own. */
  readonly root: string;
}

const run = promisify(execFile);

async function git(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...process.env, ...environment };
  return (await run("git", [...args], { cwd: checkout, env })).stdout.trim();
}

/** Checks out and builds a revision, or the working tree where `name` is undefined. Reuses an earlier build of the same tree. */
export async function buildRevision(name: string | undefined): Promise<Revision> {
  const temporary = await mkdtemp(join(tmpdir(), "kcloud-compare-"));
  try {
    const { tree, environment } =
      name === undefined
        ? await workingTree(temporary)
        : { tree: await git(["rev-parse", "--verify", `${name}^{tree}`]), environment: {} };
    const root = join(cacheFolder(), "compare", "build", tree);
    if (!(await exists(join(root, "dist")))) {
      const made = `${root}-${process.pid}`;
      await rm(made, { recursive: true, force: true });
      await mkdir(made, { recursive: true });
      const archive = join(temporary, "tree.tar");
      await git(["archive", "--format=tar", "--output", archive, tree], environment);
      await run("tar", ["-xf", archive, "-C", made]);
      await linkModules(made);
      await build(made);
      await rm(root, { recursive: true, force: true });
      await rename(made, root);
    }
    return { name: name ?? "working tree", tree, root };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Writes the working tree, untracked files included, as a tree object into a temporary object store. */
async function workingTree(temporary: string) {
  const objects = await git(["rev-parse", "--path-format=absolute", "--git-path", "objects"]);
  const environment = {
    GIT_INDEX_FILE: join(temporary, "index"),
    GIT_OBJECT_DIRECTORY: temporary,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
  };
  await git(["read-tree", "HEAD"], environment);
  await git(["add", "--all"], environment);
  return { tree: await git(["write-tree"], environment), environment };
}

const own = "@kcloud";

/**
 * Gives a revision the dependencies of this checkout. A link to the whole `node_modules` would resolve `@kcloud/iac` to
 * the checkout, so every package gets a link of its own and `@kcloud/*` points into the revision.
 */
async function linkModules(root: string): Promise<void> {
  const source = join(checkout, "node_modules");
  const target = join(root, "node_modules");
  await mkdir(join(target, own), { recursive: true });
  const packages = (await readdir(source)).filter((name) => name !== own && name !== ".package-lock.json");
  await Promise.all(packages.map((name) => symlink(join(source, name), join(target, name))));
  await symlink("../..", join(target, own, "iac"));
  await symlink("../../tools/node", join(target, own, "node"));
}

/** `npm run build` of a revision, by the Node that runs this script. */
async function build(root: string): Promise<void> {
  const env = { ...process.env, PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter) };
  const script = join(root, "tools/build.ts");
  try {
    await run(process.execPath, [script], { cwd: root, env });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`cannot build ${root}:\n${stdout}${stderr}`);
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return false;
    },
  );
