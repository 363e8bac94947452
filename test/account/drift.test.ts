import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { driftOfState } from "../../account/drift.ts";
import type { Recorded, StateFile } from "../../account/state/recorded.ts";
import { readState } from "../../account/state/state.ts";
import { createEmulator, type Emulator } from "../../emulator/emulator.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { openSession, type Session } from "../../provider/engine/engine.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { resources } from "../../resources/index.ts";
import { differencesOf } from "../../review/model/difference.ts";
import { driftOf } from "../../review/model/drift.ts";
import { environment } from "../adapter/lifecycle/lifecycle.ts";
import { place } from "../adapter/stored-state.ts";
import { openCloud, resource, settle } from "../support/cloud.ts";

const states = { terraform: "terraform.tfstate", pulumi: "dev.json", dynamic: "dev.json" };

describe.each(Object.entries(states))("a state of version 0.1.0 that %s wrote", (engine, file) => {
  let folder: string;
  let emulator: Emulator;
  let session: Session;
  let close: () => Promise<void>;
  const path = place("0.1.0", engine, file);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kcloud-drift-"));
    const cloud = join(folder, "cloud.json");
    await copyFile(place("0.1.0", engine, "cloud.json"), cloud);
    emulator = createEmulator({ state: cloud });
    const server = await emulator.listen();
    close = server.close;
    session = openSession(gatherSettings({}, environment(server.url)), realPorts);
  });
  afterEach(async () => {
    await close();
    await rm(folder, { recursive: true });
  });

  const compared = () =>
    driftOfState(
      session,
      { name: "net", file: readState(path) },
      { stop: AbortSignal.timeout(60_000) },
      () => {},
    );

  test("has no drift in the cloud that it belongs to, and nothing is changed there", async () => {
    const plan = await compared();
    expect(plan.drift.map((change) => differencesOf(change))).toEqual([]);
    expect([plan.gaps, plan.changes.length]).toEqual([[], 3]);
    expect(emulator.log.entries({}).filter(({ method }) => method !== "GET" && method !== "POST")).toEqual(
      [],
    );
  });
});

describe("the objects of a state", () => {
  /** Returns a cloud with a VPC, a subnet and a volume, and their state. */
  async function openStack() {
    const cloud = openCloud();
    const make = async (kind: string, inputs: Values): Promise<Recorded> => ({
      address: `kcloud_${kind}.a`,
      resource: resource(kind),
      state: await cloud.run(cloud.create(kind, inputs)),
      dependsOn: kind === "vpc" ? [] : ["kcloud_vpc.a"],
    });
    const vpc = await make("vpc", { name: "net" });
    const vpcId = String(vpc.state.id);
    const subnet = await make("subnet", { vpcId, name: "a", cidr: "10.0.0.0/24" });
    const volume = await make("volume", { vpcId, name: "data", sizeGb: 20, volumeType: "ssd" });
    const file: StateFile = { engine: "terraform", objects: [vpc, subnet, volume], gaps: [] };
    const compared = () =>
      cloud.run(driftOfState(cloud.reopen(), { name: "net", file }, cloud.call, () => {}));
    return { cloud, compared, file, subnet, volume };
  }

  test("that were changed or deleted outside are drift; the others are not", async () => {
    const { cloud, compared, subnet, volume } = await openStack();
    await settle(cloud);
    cloud.emulator.inventory.change(String(volume.state.id), { size: 30 });
    cloud.emulator.inventory.remove(String(subnet.state.id));
    const { drift, gaps } = await compared();
    expect(gaps).toEqual([]);
    expect(drift.map(({ address, action }) => [address, action])).toEqual([
      ["kcloud_subnet.a", "delete"],
      ["kcloud_volume.a", "update"],
    ]);
    expect(drift.slice(1).flatMap(differencesOf)).toMatchObject([
      { path: ["sizeGb"], before: 20, after: 30 },
    ]);
  });

  test("that are gone within settle_seconds are gaps, since a response may not show them yet", async () => {
    const { cloud, compared, volume } = await openStack();
    cloud.emulator.inventory.remove(String(volume.state.id));
    const { drift, gaps } = await compared();
    expect([drift, gaps]).toEqual([
      [],
      ["kcloud_volume.a is not shown, and too young for that to prove that it was deleted"],
    ]);
  });

  test("that the API cannot show, or none at all, are a gap: nothing is compared", async () => {
    const cloud = openCloud();
    const gapsOf = async (file: StateFile) =>
      (await cloud.run(driftOfState(cloud.session, { name: "net", file }, cloud.call, () => {}))).gaps;
    const none = [expect.stringMatching(/^the state has no object of this provider that the API shows/)];
    expect(await gapsOf({ engine: "terraform", objects: [], gaps: [] })).toEqual(none);
    const gaps = ["kcloud_new.a has a type that this version does not have"];
    expect(await gapsOf({ engine: "pulumi", objects: [], gaps })).toEqual(gaps);
    const only = resources.find(({ stateOnly }) => stateOnly);
    if (only === undefined) throw new Error("no kind exists only in a state");
    const state = { id: "a", task: undefined, values: {}, unread: [] };
    const object = { address: "kcloud_a.a", resource: only, state, dependsOn: [] };
    expect(await gapsOf({ engine: "terraform", objects: [object], gaps: [] })).toEqual(none);
  });

  test("that cannot be read are gaps", async () => {
    const { cloud, compared } = await openStack();
    cloud.emulator.faults.add({ kind: "403", target: "*" });
    const { drift, gaps } = await compared();
    const gap = (address: string) =>
      expect.stringMatching(new RegExp(`^${address} cannot be read: .*403`, "s"));
    expect([drift, gaps]).toEqual([[], ["kcloud_vpc.a", "kcloud_subnet.a", "kcloud_volume.a"].map(gap)]);
  });

  test("that lost their address are drift, and a kind that the API does not read has a warning", async () => {
    const cloud = openCloud();
    const create = async (kind: string, inputs: Values): Promise<Recorded> => ({
      address: `kcloud_${kind}.a`,
      resource: resource(kind),
      state: await cloud.run(cloud.create(kind, inputs)),
      dependsOn: ["kcloud_vpc.a"],
    });
    const vpc = await create("vpc", { name: "net", primarySubnet: { name: "a", cidr: "10.0.0.0/24" } });
    const { primarySubnet } = vpc.state.values;
    const inside = { vpcId: String(vpc.state.id), subnetId: String((primarySubnet as Values).id) };
    const address = await create("floating-ip", { ...inside, name: "front" });
    await settle(cloud);
    cloud.emulator.inventory.change(String(address.state.id), { address: "198.18.9.9" });
    const compared = (objects: readonly Recorded[]) =>
      cloud.run(
        driftOfState(
          cloud.reopen(),
          { name: "net", file: { engine: "terraform", objects, gaps: [] } },
          cloud.call,
          () => {},
        ),
      );
    const { drift } = await compared([address]);
    expect(drift.flatMap((change) => driftOf(change))).toMatchObject([
      { path: ["address"], after: "198.18.9.9" },
    ]);
    const pod: Recorded = {
      address: "kcloud_ai_pod.a",
      resource: resource("ai-pod"),
      state: {
        id: "pod-1",
        task: undefined,
        values: { ...inside, name: "pod", region: "In-Bangalore-1" },
        unread: [],
      },
      dependsOn: [],
    };
    const { gaps, messages } = await compared([pod]);
    expect([gaps, messages]).toEqual([
      [],
      [{ level: "warning", text: expect.stringMatching(/Drift of .* cannot be detected/) }],
    ]);
  });

  test("of a kind that no listing shows are a gap if they are not found, and do not delay the report by settle_seconds", async () => {
    const cloud = openCloud();
    const policy = (name: string) => cloud.run(cloud.create("account-policy", { name, statements: "{}" }));
    const [gone, kept] = [await policy("gone"), await policy("kept")];
    await settle(cloud);
    cloud.emulator.inventory.remove(String(gone.id));
    const compared = (states: readonly ResourceState[]) =>
      cloud.run(
        driftOfState(
          cloud.reopen(),
          {
            name: "iam",
            file: {
              engine: "terraform",
              objects: states.map((state) => ({
                ...{
                  address: `kcloud_account_policy.${String(state.values.name)}`,
                  resource: resource("account-policy"),
                },
                ...{ state, dependsOn: [] },
              })),
              gaps: [],
            },
          },
          cloud.call,
          () => {},
        ),
      );
    const before = cloud.elapsed();
    expect((await compared([gone])).gaps).toEqual([
      "kcloud_account_policy.gone is not found, and that it is gone could not be confirmed in 30 s",
    ]);
    expect(cloud.elapsed() - before).toBeLessThanOrEqual(31_000);
    // A read that shows another policy proves that the route works.
    const { gaps, drift } = await compared([gone, kept]);
    expect([gaps, drift.map(({ address, action }) => [address, action])]).toEqual([
      [],
      [["kcloud_account_policy.gone", "delete"]],
    ]);
  });

  test("share the listing of their VPC, in whatever order the state has them", async () => {
    const cloud = openCloud({ taskMs: 0 });
    const vpcs = [];
    for (let index = 0; index < 20; index++)
      vpcs.push(await cloud.run(cloud.create("vpc", { name: `vpc-${index}` })));
    const objects: Recorded[] = [];
    for (let index = 0; index < 2; index++)
      for (const vpc of vpcs)
        objects.push({
          address: `kcloud_volume.v[${objects.length}]`,
          resource: resource("volume"),
          state: await cloud.run(
            cloud.create("volume", {
              vpcId: String(vpc.id),
              name: `v-${index}`,
              sizeGb: 1,
              volumeType: "ssd",
            }),
          ),
          dependsOn: [],
        });
    await settle(cloud);
    // A listing takes longer than others may use it.
    cloud.emulator.faults.add({ target: "*", kind: "delay", delayMs: 4_000, times: 1_000 });
    const before = cloud.emulator.log.entries().length;
    const { changes, drift } = await cloud.run(
      driftOfState(
        cloud.reopen(),
        { name: "net", file: { engine: "terraform", objects, gaps: [] } },
        cloud.call,
        () => {},
      ),
    );
    expect([changes.map(({ address }) => address), drift]).toEqual([
      objects.map(({ address }) => address),
      [],
    ]);
    expect(cloud.emulator.log.entries().length - before).toBe(vpcs.length);
  });

  test("are not reported after an interrupt", async () => {
    const { cloud, file } = await openStack();
    const stopped = driftOfState(
      cloud.reopen(),
      { name: "net", file },
      { stop: AbortSignal.abort() },
      () => {},
    );
    await expect(cloud.run(stopped)).rejects.toThrow("the operation did not finish");
  });
});
