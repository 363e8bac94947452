import { chmod, copyFile, cp, readFile } from "node:fs/promises";
import { basename, join } from "node:path";

import { type CommandOptions, runCommand } from "./command.ts";
import type { Job } from "./job.ts";
import type { GoBuild, Recipe } from "./recipe.ts";

/** Returns the environment for Go. Go writes outside the cache only where the user's own variables require it. */
export function goEnvironment({ cache, scratch }: Pick<Job, "cache" | "scratch">): NodeJS.ProcessEnv {
  const { env } = process;
  return {
    ...env,
    GOPATH: env.GOPATH || join(cache, "go", "path"),
    GOMODCACHE: env.GOMODCACHE || join(cache, "go", "mod"),
    GOCACHE: env.GOCACHE || join(cache, "go", "build"),
    GOTMPDIR: scratch,
    // The only way to keep Go's usage counters out of the home folder.
    TEST_TELEMETRY_DIR: join(scratch, "telemetry"),
    GOTOOLCHAIN: "local",
    GOWORK: "off",
    CGO_ENABLED: "0",
  };
}

/** Returns the lowest version of Go that all modules of the recipe accept, according to their go.mod files. */
export async function requiredGo(recipe: Recipe): Promise<string> {
  const versions = await Promise.all(
    recipe.builds.map(async ({ module }) => {
      const text = await readFile(join(module, "go.mod"), "utf8");
      return /^go (\S+)$/m.exec(text)?.[1] ?? "1.0";
    }),
  );
  return versions.reduce((highest, version) => (isAtLeast(version, highest) ? version : highest), "1.0");
}

/** Returns the reason why Go on this machine cannot build the recipe; undefined if it can. */
export async function missingGo(recipe: Recipe, job: Job): Promise<string | undefined> {
  const options = { ...job, cwd: job.scratch, env: goEnvironment(job) };
  const { status, output } = await runCommand("go", ["env", "GOVERSION"], options);
  if (status === undefined) return "there is no `go` on PATH";
  const version = output[0]?.replace(/^go/, "") ?? "";
  const required = await requiredGo(recipe);
  if (isAtLeast(version, required)) return undefined;
  return `the \`go\` on PATH is ${version || "broken"}; ${required} or later is required`;
}

/** Runs one build, with its output in `bin`. Returns the failure; undefined after a success. */
export async function goBuild(build: GoBuild, job: Job): Promise<string | undefined> {
  const cwd = join(job.scratch, basename(build.module));
  await cp(build.module, cwd, { recursive: true });
  for (const to of build.copies?.to ?? []) {
    await cp(join(cwd, build.copies?.from ?? ""), join(cwd, to), { recursive: true });
  }
  const options = { ...job, cwd, env: goEnvironment(job) };
  const command = build.isTest ? ["test", "-c"] : ["build"];
  const failure = await go([...command, ...buildFlags(build, job), build.package], options);
  return failure ?? (await copyScripts(build, job, options));
}

function buildFlags(build: GoBuild, job: Job): string[] {
  const variables = Object.entries(build.variables ?? {}).map(([name, value]) => `-X ${name}=${value}`);
  return [
    ...["-v", "-mod=readonly", "-modcacherw", "-buildvcs=false", "-trimpath"],
    ...["-tags", build.tags ?? ""],
    ...["-ldflags", ["-s", "-w", ...variables].join(" ")],
    ...["-o", join(job.bin, build.output)],
  ];
}

async function copyScripts(build: GoBuild, job: Job, options: CommandOptions) {
  if (build.scripts === undefined) return undefined;
  const list = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", build.scripts.module];
  const { status, output } = await runCommand("go", list, options);
  const source = output.at(-1);
  if (status !== 0 || source === undefined) return describe(list, status, output);
  for (const file of build.scripts.files) {
    const target = join(job.bin, basename(file));
    await copyFile(join(source, file), target);
    await chmod(target, 0o755);
  }
  return undefined;
}

async function go(args: readonly string[], options: CommandOptions): Promise<string | undefined> {
  const { status, output } = await runCommand("go", args, options);
  return status === 0 ? undefined : describe(args, status, output);
}

function describe(args: readonly string[], status: number | null | undefined, output: readonly string[]) {
  const ending = status === null ? "was killed" : `ended with status ${status}`;
  return [
    `\`go ${args[0]}\` ${ending}; the end of its output:`,
    ...output.slice(-8).map((line) => `      ${line}`),
  ].join("\n");
}

function isAtLeast(version: string, floor: string): boolean {
  const [left, right] = [version, floor].map((text) =>
    text.split(".").map((part) => Number.parseInt(part, 10)),
  );
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return left?.[0] !== undefined && !Number.isNaN(left[0]);
}
