import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { orphansMain } from "../../../account/command/orphans.ts";
import { createEmulator, type Emulator, manualClock } from "../../../emulator/emulator.ts";
import { environment } from "../../adapter/lifecycle/lifecycle.ts";
import { runMain } from "../../review/command/run.ts";
import { make } from "../../support/large-account.ts";

let folder: string;
let state: string;
let emulator: Emulator;
let server: Awaited<ReturnType<Emulator["listen"]>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-orphans-"));
  emulator = createEmulator({ taskMs: 20 });
  server = await emulator.listen();
  const vpcId = { ref: "net", property: "id" };
  const made = await make(
    [
      { name: "net", resource: "vpc", inputs: { name: "net" } },
      { name: "it's", resource: "volume", inputs: { vpcId, name: "it's", sizeGb: 1, volumeType: "ssd" } },
    ],
    server.url,
  );
  // The time of the API has whole seconds.
  await setTimeout(1_100);
  state = join(folder, "terraform.tfstate");
  const { id, values } = made.net ?? {};
  const attributes = { id, name: values?.name, region: values?.region };
  await writeFile(
    state,
    JSON.stringify({
      version: 4,
      terraform_version: "1.16.0",
      resources: [
        {
          mode: "managed",
          type: "kcloud_vpc",
          name: "net",
          provider: 'provider["registry.terraform.io/kcloud/kcloud"]',
          instances: [{ attributes }],
        },
      ],
    }),
  );
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const orphans = (...args: string[]) =>
  runMain(orphansMain, args, { ...environment(server.url), SERVICE_SETTLE_SECONDS: "0" });

test("an orphan is listed with its age, its import command and the kinds that are not listed", async () => {
  const { code, stdout } = await orphans("--state", state);
  expect(code).toBe(3);
  expect(stdout).toMatch(
    /^1 object is in none of the states:\n\nvolume "it's" \(krn:\S+\)\n {2}\d+ \w+ old; /,
  );
  expect(stdout).toMatch(/\n {2}terraform import kcloud_volume.it_s krn:[^\s']+,krn:[^\s']+\n/);
  expect(stdout).toContain("\nNot listed:\n");
});

test("the output as JSON has the same objects", async () => {
  const { stdout } = await orphans(state, "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    orphans: [{ kind: "volume", name: "it's", ageSeconds: expect.any(Number), referrers: [] }],
    young: 0,
    incomplete: [],
  });
});

test("without orphans among the selected objects, the exit code is 0", async () => {
  expect(await orphans(state, "--kind", "vpc")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("No object of the listed kinds is outside of the states."),
  });
  expect(await orphans(state, "--exclude", "it*")).toMatchObject({ code: 0 });
});

test("a listing that fails ends with exit code 4, whatever else was found", async () => {
  const id = emulator.faults.add({ kind: "403", target: "list_volumes" });
  expect(await orphans(state)).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/\nNot read: orphans may be missing:\n {2}volume "net": .*\(status 403/),
  });
  emulator.faults.remove(id);
});

test("invalid usage, an unknown kind and a foreign state end with exit code 1", async () => {
  expect(await orphans()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--state PATH is required"),
  });
  expect(await orphans(state, "--kind", "volum")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"volum" is no kind of object; did you mean "volume"?'),
  });
});

test("the age of an orphan follows the clock of the API, which may differ from that of the machine", async () => {
  const clock = manualClock();
  const cloud = createEmulator({ taskMs: 0, clock });
  const { url, close } = await cloud.listen();
  let isMade = false;
  const vpcId = { ref: "net", property: "id" };
  const stack = [
    { name: "net", resource: "vpc", inputs: { name: "net" } },
    { name: "data", resource: "volume", inputs: { vpcId, name: "data", sizeGb: 1, volumeType: "ssd" } },
  ];
  const made = make(stack, url).finally(() => {
    isMade = true;
  });
  while (!isMade) {
    await clock.advance(100);
    await setTimeout(5);
  }
  await made;
  await clock.advance(3 * 3_600_000);
  const empty = join(folder, "empty.tfstate");
  await writeFile(empty, JSON.stringify({ version: 4, terraform_version: "1.16.0", resources: [] }));
  const { stdout } = await runMain(orphansMain, ["--state", empty], environment(url));
  await close();
  expect(stdout).toMatch(/\n {2}3 hours old; nothing refers to it\n/);
});
