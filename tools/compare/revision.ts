import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cacheFolder } from "../engines/cache.ts";

/** Root folder of the checkout that contains this script. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** Sources of a revision and the results of its `npm run build`. */
export interface Revision {
  /** Name on the command line, or `working tree`. */
  readonly name: string;
  /** Id of its git tree. */
  readonly tree: string;
  /** Folder with the sources, `dist/` and a separate `node_modules/`. */
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

/**
 * Checks out and builds a revision, or the working tree if `name` is undefined. Reuses an earlier build of the same
 * tree.
 */
export async function buildRevision(name: string | undefined): Promise<Revision> {
  const temporary = await mkdtemp(join(tmpdir(), "kcloud-compare-"));
  try {
    const { tree, environment } =
      name === undefined
        ? await workingTree(temporary)
        : { tree: await git(["rev-parse", "--verify", `${name}^{tree}`]), environment: {} };
    const root = join(cacheFolder(), "compare", "build", tree);
    if (!(await exists(join(root, "dist")))) {
      const temporaryRoot = `${root}-${process.pid}`;
      await rm(temporaryRoot, { recursive: true, force: true });
      await mkdir(temporaryRoot, { recursive: true });
      const archive = join(temporary, "tree.tar");
      await git(["archive", "--format=tar", "--output", archive, tree], environment);
      await run("tar", ["-xf", archive, "-C", temporaryRoot]);
      await linkModules(temporaryRoot);
      await build(temporaryRoot);
      await rm(root, { recursive: true, force: true });
      await rename(temporaryRoot, root);
    }
    // The checkout that built the revision may no longer exist.
    await linkModules(root);
    return { name: name ?? "working tree", tree, root };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * Writes the working tree, including untracked files, as a tree object into a temporary object store. Returns the id of
 * the tree and the environment in which git finds it.
 */
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

const packageScope = "@kcloud";

/**
 * Links the dependencies of this checkout into a revision. A link to the whole `node_modules` would resolve
 * `@kcloud/iac` to the checkout, so every package is linked separately and `@kcloud/*` points into the revision.
 */
async function linkModules(root: string): Promise<void> {
  const source = join(checkout, "node_modules");
  const target = join(root, "node_modules");
  await rm(target, { recursive: true, force: true });
  await mkdir(join(target, packageScope), { recursive: true });
  const packages = (await readdir(source)).filter(
    (name) => name !== packageScope && name !== ".package-lock.json",
  );
  await Promise.all(packages.map((name) => symlink(join(source, name), join(target, name))));
  await symlink("../..", join(target, packageScope, "iac"));
  await symlink("../../tools/node", join(target, packageScope, "node"));
}

/**
 * Builds a revision with its `tools/build.ts` and the Node that runs this script. Throws the output if the build fails.
 */
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
