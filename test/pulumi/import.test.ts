import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../../emulator/emulator.ts";
import { pulumiToken } from "../../provider/core/name.ts";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { fullStack } from "../adapter/full-stack/stack.ts";
import { environment, importable, importsOf } from "../adapter/lifecycle/lifecycle.ts";
import { openProject, type Project } from "../support/engine/pulumi.ts";
import { up } from "../support/engine/stack.ts";
import { existingObjects, filledProgram, make } from "../support/large-account.ts";

/** One stack with every resource, imported by id into a program that Pulumi generates. */

const engine = await ensureEngine("pulumi-yaml");
const limit = 180_000;

let emulator: Emulator;
let server: Awaited<ReturnType<Emulator["listen"]>>;
let folder: string;
let project: Project;

beforeAll(async () => {
  emulator = createEmulator({ taskMs: 20, assume: { podRead: "pod" } });
  server = await emulator.listen();
  folder = await mkdtemp(join(tmpdir(), "kcloud-pulumi-import-"));
  project = await openProject(engine, folder, environment(server.url));
}, limit);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const head = `name: proj
runtime: yaml
plugins:
  providers:
    - name: kcloud
      path: ./node_modules/@kcloud/iac/dist
`;

test(
  "the program that pulumi import generates for every resource plans no change but one update of unread fields",
  async () => {
    const made = await make(fullStack, server.url);
    const ids = Object.fromEntries(Object.entries(made).map(([name, { id = "" }]) => [name, id]));
    const entries = importsOf(importable(fullStack), ids, ids.network ?? "").map(
      ({ resource, ...entry }) => ({
        type: pulumiToken(resource),
        ...entry,
      }),
    );
    const before = existingObjects(emulator);
    await writeFile(join(folder, "import.json"), JSON.stringify({ resources: entries }));
    await writeFile(join(folder, "Pulumi.yaml"), head);
    const options = ["--yes", "--skip-preview", "--protect=false", "--out=generated.yaml"];
    const output = await project.done("import", "--file=import.json", ...options);
    expect(output).not.toContain("bug in the");
    expect(output).toContain("Set direction, protocol, remoteIpPrefix before the next pulumi up.");
    const { text, count } = filledProgram(await readFile(join(folder, "generated.yaml"), "utf8"));
    await writeFile(join(folder, "Pulumi.yaml"), head + text);
    expect(await project.done(...up)).toContain(
      `~ ${count} updated\n    ${entries.length - count + 1} unchanged\n`,
    );
    await project.done("preview", "--expect-no-changes");
    expect(existingObjects(emulator)).toEqual(before);
  },
  limit,
);
