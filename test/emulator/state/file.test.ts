import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { manualClock } from "../../../emulator/state/clock.ts";
import { readState, StateFileError } from "../../../emulator/state/file.ts";
import {
  at,
  cloud,
  instanceBody,
  makeInstance,
  makePort,
  makeSite,
  makeTemplate,
  makeVolume,
  makeVpc,
  podBody,
  publicKey,
  region,
  textAt,
  vpcBody,
} from "../client.ts";

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

test("keys, groups, rules, machines, tokens and API keys survive a restart too", async () => {
  const first = cloud({ state: file });
  const site = await makeSite(first);
  await first.call("POST /v2/sshkeys", { body: { keyName: "mine", publicKey } });
  const password = { email: "user@example.com", password: "emulator-password" };
  const signIn = await first.call("POST /iam/v1/signInAsRootUser", { body: password });
  const bearer = { authorization: `Bearer ${textAt(signIn.body, "access_token")}` };
  const key = await first.call("POST /iam/v1/apikey", { body: { apiKeyName: "ci" }, headers: bearer });
  await first.call("POST /vm/v1/create_instance_async", {
    body: instanceBody(site, { sshkey_name: "mine" }),
  });
  await first.clock.advance(500);
  const second = createEmulator({ state: file, clock: manualClock(first.clock.now() + 500) });
  const search = async (authorization: string) => {
    const url = `http://127.0.0.1/vm/v1/search_instances?vpc_id=${site.vpc}`;
    return (await second.fetch(url, { headers: { authorization, "x-region": region } })).json();
  };
  const made = { instances: [{ status: "ACTIVE", sshkey_name: "mine", security_groups: [site.group] }] };
  expect(await search(bearer.authorization)).toMatchObject(made);
  expect(await search(`Bearer ${textAt(key.body, "secretKey")}`)).toMatchObject(made);
  expect(second.inventory.list()).toEqual(first.inventory.list());
});

test("ports, addresses, templates and batches survive a restart too", async () => {
  const first = cloud({ state: file });
  const site = await makeSite(first);
  const own = await makePort(first, site, "web", true);
  const vm = await makeInstance(first, site);
  const port = textAt((await first.call(`GET /v1/highlvlvpc/instance?krn=${vm}`)).body, "port_krn");
  const move = { attach_port: own, detach_port: port };
  await first.call("POST /v1/highlvlvpc/attachFloatingIp", { body: move });
  const template_krn = await makeTemplate(first, site);
  const batch = { template_krn, count: 2, instanceName: "crew" };
  const job = (await first.call("POST /vm/v1/batch-vm-create", { body: batch })).body;
  const second = cloud({ state: file });
  await second.clock.advance(5000);
  expect(second.inventory.list()).toEqual(first.inventory.list());
  const list = await second.call(`GET /v1/highlvlvpc/floating_ip_list?vpc_id=${site.vpc}`);
  expect(list.body).toMatchObject([{ port_krn: port, vm_name: "vm" }]);
  const rows = await second.call(`GET /vm/v1/search_instances?vpc_id=${site.vpc}&name=crew`);
  const made = { batch_id: at(job, "job_id") };
  expect(rows.body).toMatchObject({ instances: [made, made] });
  second.reset();
  expect((await second.call("GET /v1/highlvlvpc/search_port")).body).toMatchObject({ ports: [] });
});

test("attachments, snapshots, policies, images and pods survive a restart too", async () => {
  const first = cloud({ state: file });
  const site = await makeSite(first);
  const vm = await makeInstance(first, site);
  const volume = await makeVolume(first, site.vpc);
  const headers = { "k-tenant-id": site.vpc };
  const post = (path: string, body: unknown) => first.call(`POST ${path}`, { body, headers });
  await post(`/kbs/v1/volumes/${volume}/snapshots/policy`, {
    name: "nightly",
    cron: "0 2 * * *",
    max_snapshots_allowed: 7,
  });
  await post("/kbs/v1/snapshots", { name: "first", volume_id: volume });
  await post("/kbs/v1/backups", { name: "first", volume_id: volume });
  await post(`/kbs/v1/volumes/${volume}/action?op=attach`, { input: { instanceId: vm } });
  await post(`/vm/v1/instance/createimage/${vm}`, { name: "golden" });
  await post("/v1/kpod/pod", podBody());
  const second = cloud({ state: file });
  await second.clock.advance(10_000);
  expect(second.inventory.list()).toEqual(first.inventory.list());
  const read = (await second.call(`GET /kbs/v1/volumes/${volume}`)).body;
  expect(read).toMatchObject({ attachments: [{ instance_id: vm }], snapshot_policy: { name: "nightly" } });
  expect((await second.call("GET /kbs/v1/snapshots", { headers })).body).toMatchObject([
    { name: "first", status: "available" },
  ]);
  const kinds = ["volume_attachment", "snapshot", "backup", "image", "ai_pod"];
  expect(second.inventory.list().map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds));
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
