import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type EngineName, ensureEngine } from "../../../tools/engines/engine.ts";
import { system } from "../../support/engine/terraform.ts";

/**
 * Runs the commands of a page in an empty folder, like a reader. A block of code that begins with a comment with a file name is
 * that file; a block of `sh` is commands, those with a comment `# fails: …` fail. `npm install` installs the packed npm
 * package.
 */

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");

/** Block of code of a page. */
interface Block {
  /** Heading of the section that contains it. */
  readonly heading: string;
  readonly language: string;
  readonly text: string;
  /** File with this content; undefined for other code. */
  readonly file: string | undefined;
}

const fileName = /^(?:#|\/\/) ([\w./-]+\.\w+)\n/;

/** Matches a heading, or a block of code with the `not run` comment above it. */
const part = /^(<!-- not run: .* -->\n\n)?```(\w+)\n([\s\S]*?)^```$|^#+ (.*)$/gm;

/** Returns the blocks of code of a page, except those below a `not run` comment. */
export async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(root, page), "utf8");
  let heading = "";
  return [...text.matchAll(part)].flatMap(([, unrun, language, code = "", title]) => {
    heading = title ?? heading;
    return language === undefined || unrun !== undefined
      ? []
      : [{ heading, language, text: code, file: fileName.exec(code)?.[1] }];
  });
}

/** Installed package that the folders of all pages use. */
export interface Installation {
  /** Runs the blocks in a new folder, in order. Returns the output; rejects with it if a command fails. */
  run(blocks: readonly Block[], environment?: Readonly<Record<string, string>>): Promise<Result>;
  remove(): Promise<void>;
}

interface Result {
  readonly folder: string;
  readonly output: string;
}

/**
 * Packs and installs the package, with the peer dependencies, Node types and TypeScript of the checkout. PATH begins with the folder
 * `commands`, if it is set.
 */
export async function openInstallation(
  engines: readonly EngineName[],
  commands?: string,
): Promise<Installation> {
  const place = await mkdtemp(join(tmpdir(), "kcloud-page-"));
  const environment = await engineEnvironment(engines, commands);
  const npm = (...args: string[]) => run("npm", args, { cwd: place, env: environment });
  const packed = await run("npm", ["pack", "--json", "--pack-destination", place], { cwd: root });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  await writeFile(join(place, "package.json"), JSON.stringify({ private: true }));
  await npm("install", `./${filename}`, "--prefer-offline", "--no-audit", "--no-fund");
  const installed = join(place, "node_modules");
  const { peerDependencies } = JSON.parse(
    await readFile(join(installed, "@kcloud/iac/package.json"), "utf8"),
  ) as { peerDependencies: Record<string, string> };
  for (const name of [...Object.keys(peerDependencies), "@types/node", "typescript", ".bin/tsc"]) {
    await mkdir(dirname(join(installed, name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(installed, name));
  }
  return {
    async run(blocks, more = {}) {
      const folder = await mkdtemp(join(place, "folder-"));
      const script = join(place, "script.sh");
      const lines: string[] = [];
      for (const { language, text, file } of blocks) {
        if (file !== undefined) lines.push(writing(file, text));
        else if (language === "sh")
          lines.push(
            text
              .replaceAll("linux_amd64", system)
              .replaceAll(/^npm install .*@kcloud\/iac.*$/gm, `ln -sfn ${installed} node_modules`)
              .replaceAll(/^(.*) # fails: .*$/gm, "if $1; then exit 1; fi"),
          );
      }
      await writeFile(script, lines.join("\n"));
      const home = await mkdtemp(join(place, "home-"));
      const env = { ...environment, HOME: home, PULUMI_HOME: join(home, ".pulumi"), ...more };
      const shell = run("sh", ["-eux", script], { cwd: folder, env, maxBuffer: 1e8 });
      const { stdout, stderr } = await shell.catch((failure: { stdout: string; stderr: string }) => {
        throw new Error(`${failure.stdout}\n${failure.stderr}`);
      });
      return { folder, output: stdout + stderr };
    },
    remove: () => rm(place, { recursive: true, force: true }),
  };
}

/** Returns shell commands that write a file. */
const writing = (file: string, text: string): string =>
  `mkdir -p "$(dirname '${file}')"\ncat > '${file}' <<'END_OF_FILE'\n${text}END_OF_FILE`;

/** Returns an environment without settings of the provider, whose PATH begins with the engines and without the checkout. */
async function engineEnvironment(
  names: readonly EngineName[],
  commands: string | undefined,
): Promise<NodeJS.ProcessEnv> {
  const engines = await Promise.all(names.map((name) => ensureEngine(name)));
  const own = Object.entries(process.env).filter(([name]) => !/^(SERVICE_|npm_|TF_|PULUMI_)/.test(name));
  const path = [
    ...(commands === undefined ? [] : [commands]),
    ...engines.map((engine) => dirname(engine.path)),
    dirname(process.execPath),
    ...engines
      .flatMap(({ env }) => (env.PATH ?? "").split(delimiter))
      .filter((folder) => !folder.includes("node_modules")),
  ];
  return {
    ...Object.fromEntries(own),
    ...Object.assign({}, ...engines.map(({ env }) => env)),
    CHECKPOINT_DISABLE: "1",
    PATH: [...new Set(path)].join(delimiter),
  };
}
