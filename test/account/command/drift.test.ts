import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { driftMain } from "../../../account/command/drift.ts";
import { createEmulator, type Emulator } from "../../../emulator/emulator.ts";
import { environment } from "../../adapter/lifecycle/lifecycle.ts";
import { place } from "../../adapter/stored-state.ts";
import { runMain } from "../../review/command/run.ts";

const state = place("0.1.0", "terraform", "terraform.tfstate");

let folder: string;
let emulator: Emulator;
let server: Awaited<ReturnType<Emulator["listen"]>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-drift-"));
  const cloud = join(folder, "cloud.json");
  await copyFile(place("0.1.0", "terraform", "cloud.json"), cloud);
  emulator = createEmulator({ state: cloud });
  server = await emulator.listen();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const drift = (...args: string[]) => runMain(driftMain, args, environment(server.url));

test("without drift, the command passes", async () => {
  expect(await drift("--state", `net=${state}`, "--detailed-exitcode")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Passed: 1 plan"),
  });
});

test("an object that was changed outside is a finding; the exit code follows from the options", async () => {
  const volume = emulator.inventory.list().find(({ kind }) => kind === "volume");
  emulator.inventory.change(volume?.krn ?? "", { size: 30 });
  const { code, stdout } = await drift(state);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/OPS-13 .*kcloud_volume.data\n.*size_gb from 20 to\s+30/s),
  ]);
  expect(await drift(state, "--detailed-exitcode")).toMatchObject({ code: 2 });
  expect(await drift(state, "--fail-on", "medium", "--out", "sarif")).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('"ruleId": "OPS-13"'),
  });
});

test("an object that cannot be read ends with exit code 4", async () => {
  emulator.faults.add({ kind: "403", target: "*" });
  expect(await drift(state)).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/kcloud_vpc.network cannot be read/),
  });
  emulator.faults.clear();
});

test("a state without an object of this provider ends with exit code 4, also next to another one", async () => {
  const empty = join(folder, "empty.json");
  await writeFile(empty, '{"format_version":"1.0"}');
  const expected = {
    code: 4,
    stdout: expect.stringMatching(/empty cannot be reviewed: the state has no object of this provider/),
  };
  expect(await drift(empty)).toMatchObject(expected);
  expect(await drift(`net=${state}`, empty)).toMatchObject(expected);
});

test("invalid usage, an unreadable state and missing settings end with exit code 1", async () => {
  expect(await drift()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--state PATH is required"),
  });
  expect(await drift(import.meta.filename)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is not JSON"),
  });
  expect(await runMain(driftMain, [state], { SERVICE_API_KEY: "", SERVICE_BASE_URL: "" })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("kcloud drift: "),
  });
});
