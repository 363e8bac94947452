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
/** Servers of single tests, which are closed if a test fails, too. */
const servers: (typeof server)[] = [];
afterAll(async () => {
  for (const each of [server, ...servers]) await each.close();
  await rm(folder, { recursive: true });
});

async function listen(cloud: Emulator): Promise<string> {
  const listening = await cloud.listen();
  servers.push(listening);
  return listening.url;
}

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
    defaultGroups: 0,
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
  const url = await listen(cloud);
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
  expect(stdout).toMatch(/\n {2}3 hours old; nothing refers to it\n/);
});

test("orphans of one name have import commands of their own, to addresses that no state has", async () => {
  const cloud = createEmulator({ taskMs: 20 });
  const url = await listen(cloud);
  const vpcId = { ref: "net", property: "id" };
  const bucketId = { ref: "logs", property: "id" };
  const key = `${"long key/".repeat(110)}end`;
  const { net } = await make(
    [
      { name: "net", resource: "vpc", inputs: { name: "net" } },
      ...["a", "b"].map((name) => ({ name, resource: "vpc", inputs: { name } })),
      { name: "default", resource: "security-group", inputs: { vpcId, name: "default" } },
      { name: "logs", resource: "bucket", inputs: { name: "logs" } },
      { name: "object", resource: "object", inputs: { bucketId, key, content: "text" } },
    ],
    url,
  );
  for (const { kind, krn } of cloud.inventory.list())
    if (kind === "vpc") cloud.inventory.change(krn, { name: "net" });
  await setTimeout(1_100);
  const resource = {
    mode: "managed",
    type: "kcloud_vpc",
    name: "net",
    provider: 'provider["registry.terraform.io/kcloud/kcloud"]',
    instances: [{ attributes: { id: net?.id, name: "net", region: net?.values.region } }],
  };
  const terraform = join(folder, "same-names.tfstate");
  await writeFile(
    terraform,
    JSON.stringify({ version: 4, terraform_version: "1.16.0", resources: [resource] }),
  );
  const pulumi = join(folder, "same-names.json");
  const urn = "urn:pulumi:dev::shop::kcloud:index:Vpc::net";
  const row = { urn, type: "kcloud:index:Vpc", custom: true, id: net?.id, outputs: { name: "net" } };
  await writeFile(pulumi, JSON.stringify({ version: 3, deployment: { manifest: {}, resources: [row] } }));
  const settings = { ...environment(url), SERVICE_SETTLE_SECONDS: "0" };
  const commands = async (state: string) => {
    const { stdout } = await runMain(
      orphansMain,
      [state, "--json", "--kind", "vpc", "--kind", "object", "--kind", "security-group"],
      settings,
    );
    const report = JSON.parse(stdout) as { orphans: { command: string }[]; defaultGroups: number };
    expect(report.defaultGroups).toBe(1);
    return report.orphans.map(({ command }) => command);
  };
  const [first, second, object] = await commands(terraform);
  expect([first, second]).toEqual([
    expect.stringMatching(/^terraform import kcloud_vpc.net_2 krn:/),
    expect.stringMatching(/^terraform import kcloud_vpc.net_3 krn:/),
  ]);
  // A truncated command would import another object.
  expect(object).toMatch(new RegExp(`,${key}'$`));
  expect((await commands(pulumi)).map((command) => command.split(" krn:")[0]).slice(0, 2)).toEqual([
    "pulumi import kcloud:index:Vpc net_2",
    "pulumi import kcloud:index:Vpc net_3",
  ]);
  const { stdout } = await runMain(orphansMain, [terraform, "--kind", "object"], settings);
  expect(stdout).toContain(`,${key}'\n`);
});
