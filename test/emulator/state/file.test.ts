import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { manualClock } from "../../../emulator/state/clock.ts";
import { readState, StateFileError } from "../../../emulator/state/file.ts";
import { at, cloud, makeVolume, makeVpc, region, textAt, vpcBody } from "../client.ts";
import { samples } from "../sample.ts";
import { openTour } from "../tour.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emulator-state-"));
  file = join(folder, "state.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("objects survive a restart of the emulator, and ids continue", async () => {
  const first = cloud({ state: file });
  const vpc = await makeVpc(first);
  const volume = await makeVolume(first, vpc);
  const second = cloud({ state: file });
  await second.clock.advance(5000);
  expect(second.inventory.list()).toEqual(first.inventory.list());
  expect((await second.call(`GET /kbs/v1/volumes/${volume}`)).body).toMatchObject({ status: "available" });
  expect(await makeVpc(second, "another")).not.toBe(vpc);
  expect(second.inventory.list().filter(({ kind }) => kind === "vpc")).toHaveLength(2);
});

test("a task in progress continues by the clock while the emulator does not run", async () => {
  const first = cloud({ state: file });
  const reply = await first.call("POST /v1/highlvlvpc/create_vpc_async", { body: vpcBody() });
  const body = { task_id: at(reply.body, "task_id") };
  const states = async (elapsed: number) => {
    const emulator = createEmulator({ state: file, clock: manualClock(first.clock.now() + elapsed) });
    const answer = await emulator.fetch("http://127.0.0.1/v1/highlvlvpc/get_vpc_task_status", {
      method: "POST",
      headers: { authorization: "Bearer emulator-key", "x-region": region },
      body: JSON.stringify(body),
    });
    return (at(await answer.json(), "data.tasks") as { status: string }[]).map(({ status }) => status);
  };
  expect(await states(400)).toEqual(["processing", "pending"]);
  expect(await states(1000)).toEqual(["success", "success"]);
});

test("objects of every kind survive a restart, and so do tokens and API keys", async () => {
  const tour = openTour(cloud({ state: file, assume: { podRead: "pod" } }));
  const restarted = () => createEmulator({ state: file, clock: manualClock(tour.emulator.clock.now()) });
  for (const name of Object.keys(samples)) {
    await tour.visit(name);
    if (name.startsWith("create_"))
      expect(restarted().inventory.list()).toEqual(tour.emulator.inventory.list());
  }
  const token = textAt((await tour.visit("sign_in_root")).body, "access_token");
  const key = textAt((await tour.request("create_api_key", { apiKeyName: "next" })).body, "secretKey");
  for (const secret of [token, key]) {
    const headers = { authorization: `Bearer ${secret}`, "x-region": region };
    expect((await restarted().fetch("http://127.0.0.1/v1/highlvlvpc/get_vpc_list", { headers })).status).toBe(
      200,
    );
  }
});

test("the file is written before the response is sent, and only when something changed", async () => {
  const emulator = cloud({ state: file });
  const empty = readFileSync(file, "utf8");
  await emulator.call("GET /v1/highlvlvpc/get_vpc_list");
  await emulator.call("POST /v1/highlvlvpc/get_vpc", { body: { vpc_id: "none" } });
  expect(readFileSync(file, "utf8")).toBe(empty);
  emulator.faults.add({ target: "create_vpc", kind: "reset", when: "after" });
  await expect(emulator.call("POST /v1/highlvlvpc/create_vpc_async", { body: vpcBody() })).rejects.toThrow();
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    version: 1,
    seed: "emulator",
    savedAt: emulator.clock.now(),
    tables: { vpc: [{ name: "net" }], network: [{ name: "net-network" }] },
  });
  expect(readdirSync(folder)).toEqual(["state.json"]);
});

test("an advanced manual clock is stored with the next response, so that no response is undone", async () => {
  const emulator = cloud({ state: file });
  await makeVpc(emulator);
  expect(readState(file)?.savedAt).toBe(emulator.clock.now() - 1000);
  await emulator.call("GET /v1/highlvlvpc/get_vpc_list");
  expect(readState(file)?.savedAt).toBe(emulator.clock.now());
});

test("changes without the API, and a reset, are also stored", async () => {
  const emulator = cloud({ state: file });
  const vpc = await makeVpc(emulator);
  emulator.inventory.change(vpc, { name: "renamed" });
  expect(cloud({ state: file }).inventory.get(vpc)).toMatchObject({ name: "renamed" });
  emulator.reset();
  expect(cloud({ state: file }).inventory.list()).toEqual([]);
});

test.each([
  ["no JSON", "{", "is not readable JSON"],
  ["another kind of JSON", "[]", "is not an emulator state of version 1"],
  ["another version", '{"version":2}', "is not an emulator state of version 1"],
])("a file with %s is rejected and not changed", (_, text, reason) => {
  writeFileSync(file, text);
  expect(() => cloud({ state: file })).toThrow(new StateFileError(file, reason));
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("a file that cannot be written is rejected at the start", () => {
  expect(() => cloud({ state: join(folder, "no", "state.json") })).toThrow(StateFileError);
});

test("a change that cannot be stored is a 500, and has no effect", async () => {
  const reports: string[] = [];
  const emulator = cloud({ state: file, report: (text) => reports.push(text) });
  await makeVpc(emulator);
  const before = emulator.inventory.list();
  rmSync(folder, { recursive: true });
  const reply = await emulator.call("POST /v1/highlvlvpc/create_vpc_async", { body: vpcBody("second") });
  expect([reply.status, at(reply.body, "message")]).toEqual([
    500,
    "internal error of the emulator; its standard error has the details",
  ]);
  expect(reports[0]).toContain(`the state file ${file} cannot be written`);
  folder = mkdtempSync(join(tmpdir(), "emulator-state-"));
  expect(emulator.inventory.list()).toEqual(before);
});

test("only its owner can read and write the file", () => {
  cloud({ state: file });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
