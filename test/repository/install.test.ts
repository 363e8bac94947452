import { execFile, spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";

import { cacheFolder } from "../../tools/engines/cache.ts";
import { install } from "../../tools/engines/install.ts";
import { type Progress, streamProgress } from "../../tools/engines/progress.ts";
import type { Recipe } from "../../tools/engines/recipe.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const environment = { ...process.env };

let folder: string;
let cache: string;
/** Engine of a few lines, in a separate Go module. */
let tiny: Recipe;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-install-"));
  cache = join(folder, "cache");
  // The cache of compiled Go packages is shared with the real engines.
  process.env.GOCACHE ||= join(cacheFolder(), "go", "build");
  const module = join(folder, "module");
  await mkdir(module);
  await writeFile(join(module, "go.mod"), "module tiny\n\ngo 1.21\n");
  await writeFile(join(module, "main.go"), source("Tiny"));
  tiny = {
    name: "tiny",
    title: "Tiny",
    version: "1.2.3",
    command: "tiny",
    versionArguments: ["version"],
    builds: [{ module, package: "tiny", output: "tiny", variables: { "main.version": "1.2.3" } }],
  };
});

afterEach(async () => {
  process.env = { ...environment };
  await rm(folder, { recursive: true });
});

function source(title: string): string {
  return [
    "package main",
    'import "os"',
    "var version string",
    `func main() { os.Stdout.WriteString("${title} v" + version + "\\n") }`,
  ].join("\n");
}

/** Records the permanent progress lines, with placeholders for the cache folder and the seconds. */
function recorder(): Progress & { lines: string[] } {
  const lines: string[] = [];
  const step = (line: string) =>
    void lines.push(line.replaceAll(cache, "CACHE").replace(/after \d+ s$/, "after N s"));
  return { lines, step, status: () => {} };
}

const building = "tiny 1.2.3: building tiny from its Go module, which takes minutes";
const ready = "tiny 1.2.3: ready in CACHE/tiny/versions/1.2.3 after N s";

test("an engine is built once, and a second call finds it in the cache", async () => {
  const first = recorder();
  const bin = await install(tiny, { cache, progress: first });
  expect(first.lines).toEqual([building, ready]);
  expect((await run(join(bin, "tiny"))).stdout).toBe("Tiny v1.2.3\n");
  const second = recorder();
  expect(await install(tiny, { cache, progress: second })).toBe(bin);
  expect(second.lines).toEqual([]);
  expect(await readdir(join(cache, "tmp"))).toEqual([]);
});

test("an engine whose module changed is built again", async () => {
  await install(tiny, { cache, progress: recorder() });
  await writeFile(join(folder, "module", "main.go"), source("Newer"));
  const progress = recorder();
  const bin = await install(tiny, { cache, progress });
  expect(progress.lines).toEqual([building, ready]);
  expect((await run(join(bin, "tiny"))).stdout).toBe("Newer v1.2.3\n");
});

test("of two concurrent calls, one builds and the other reports that it waits", async () => {
  const both = [recorder(), recorder()];
  await Promise.all(both.map((progress) => install(tiny, { cache, progress })));
  const waiting = `tiny 1.2.3: waiting for process ${process.pid}, which is installing it`;
  expect(both.map(({ lines }) => lines).sort()).toEqual([[building, ready], [waiting]]);
});

test("an aborted build leaves no files", async () => {
  await script(
    join(folder, "go"),
    '[ "$1" = build ] || exec echo go1.26.8; echo compiling; exec tail -f /dev/null',
  );
  process.env.PATH = `${folder}:${process.env.PATH}`;
  const controller = new AbortController();
  const status = (line: string | undefined) => line?.includes("compiling") && controller.abort("aborted");
  const options = { cache, progress: { ...recorder(), status }, signal: controller.signal };
  await expect(install(tiny, options)).rejects.toBe("aborted");
  expect(await readdir(cache)).toEqual(["tmp"]);
  expect(await readdir(join(cache, "tmp"))).toEqual([]);
});

test("the files of a killed build are removed by the next one", async () => {
  const script = `
    import { install } from ${JSON.stringify(join(root, "tools/engines/install.ts"))};
    const progress = { step: () => process.kill(process.pid, "SIGKILL"), status: () => {} };
    await install(${JSON.stringify(tiny)}, { cache: ${JSON.stringify(cache)}, progress });`;
  expect(spawnSync(process.execPath, ["--input-type=module", "-e", script]).signal).toBe("SIGKILL");
  expect((await readdir(join(cache, "tmp"))).length).toBe(2);
  const progress = recorder();
  await install(tiny, { cache, progress });
  expect(progress.lines).toEqual([building, ready]);
  expect(await readdir(join(cache, "tmp"))).toEqual([]);
});

test("a module that does not compile shows the output of Go, and leaves no files", async () => {
  await writeFile(join(folder, "module", "main.go"), "package main\nfunc main() { missing() }\n");
  await expect(install(tiny, { cache, progress: recorder() })).rejects.toThrow(
    `Tiny 1.2.3 is not in the cache and cannot be installed:
  - \`go build\` ended with status 1; the end of its output:
      tiny
      # tiny
      ./main.go:2:15: undefined: missing
Do one of these, then run \`npm run engines -- tiny\` again:
  - put Go 1.21 or newer on PATH, with a network or a GOPROXY that it can reach
  - put the official release (tiny) into ${cache}/tiny/versions/1.2.3/bin`,
  );
  expect(await readdir(join(cache, "tmp"))).toEqual([]);
});

test("with neither network nor Go, the command prints the remedy", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "tools/engines.ts"), "opentofu", "terraform"],
    { env: { KCLOUD_CACHE: cache, PATH: folder }, encoding: "utf8" },
  );
  expect(stderr).toBe(`OpenTofu 1.12.6 is not in the cache and cannot be installed:
  - there is no \`go\` on PATH
Do one of these, then run \`npm run engines -- opentofu\` again:
  - put Go 1.26.6 or newer on PATH, with a network or a GOPROXY that it can reach
  - put the official release (tofu) into ${cache}/opentofu/versions/1.12.6/bin
`);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
});

test("the error about a Go that is too old names the required version", async () => {
  await script(join(folder, "go"), "echo go1.20.14");
  process.env.PATH = folder;
  await expect(install(tiny, { cache, progress: recorder() })).rejects.toThrow(
    "\n  - the `go` on PATH is 1.20.14; 1.21 or later is required\n",
  );
});

test("an engine with a launcher is downloaded with it, and built only if the download fails", async () => {
  const launcher = { script: join(folder, "launcher.js"), arguments: [], folder: "versions/1.2.3" };
  await writeFile(launcher.script, 'console.error("Downloading\\nfetch failed"); process.exit(1);');
  const progress = recorder();
  const recipe = { ...tiny, launcher };
  process.env.PATH = folder;
  await expect(install(recipe, { cache, progress })).rejects.toThrow(
    `Tiny 1.2.3 is not in the cache and cannot be installed:
  - the official launcher could not download it: fetch failed
  - there is no \`go\` on PATH
`,
  );
  expect(progress.lines).toEqual([
    "tiny 1.2.3: downloading with the official launcher",
    "tiny 1.2.3: the official launcher could not download it: fetch failed",
  ]);
  await writeFile(
    launcher.script,
    `const fs = require("node:fs");
    const bin = process.env.PULUMI_HOME + "/versions/" + process.env.PULUMI_VERSION + "/bin";
    fs.mkdirSync(bin, { recursive: true });
    fs.writeFileSync(bin + "/tiny", "#!/bin/sh\\necho official v1.2.3\\n", { mode: 0o755 });`,
  );
  const bin = await install(recipe, { cache, progress: recorder() });
  expect((await run(join(bin, "tiny"))).stdout).toBe("official v1.2.3\n");
  expect(await readFile(join(bin, "..", "stamp"), "utf8")).toBe("official\n");
});

test("an official release that was installed by hand is used, even if the recipe changes", async () => {
  await script(join(cache, "tiny/versions/1.2.3/bin/tiny"), "echo by hand v1.2.3");
  const progress = recorder();
  const bin = await install(tiny, { cache, progress });
  await writeFile(join(folder, "module", "main.go"), source("Newer"));
  await install(tiny, { cache, progress });
  expect((await run(join(bin, "tiny"))).stdout).toBe("by hand v1.2.3\n");
  expect(progress.lines).toEqual([]);
});

test("another version that was installed by hand is rejected", async () => {
  await script(join(cache, "tiny/versions/1.2.3/bin/tiny"), "echo Tiny v1.2.2");
  await expect(install(tiny, { cache, progress: recorder() })).rejects.toThrow(
    `${cache}/tiny/versions/1.2.3/bin does not contain Tiny 1.2.3: tiny reports Tiny v1.2.2.
Put the official release there, or remove the folder, and run \`npm run engines -- tiny\` again.`,
  );
});

test("an unknown engine is an error that lists the known ones", () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "tools/engines.ts"), "tofu"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr:
      "There is no engine tofu. There are: terraform, pulumi, opentofu, pulumi-yaml, pulumi-languages, pulumi-codegen, tfplugindocs, acceptance, all.\n",
  });
});

test("in a log a step shows its status every ten seconds, not more often", () => {
  jest.useFakeTimers({ now: 0 });
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  const progress = streamProgress(stream);
  progress.step("building");
  for (let second = 1; second <= 20; second += 1) {
    jest.setSystemTime(second * 1000);
    progress.status(`${second} s`);
  }
  expect(written).toEqual(["building\n", "9 s\n", "18 s\n"]);
  jest.useRealTimers();
});

async function script(path: string, body: string): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
}
