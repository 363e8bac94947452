import { expect, test } from "@jest/globals";
import { UNKNOWN, type Values } from "../../../provider/core/value.ts";
import { live, openCloud } from "../../support/cloud.ts";
import { defaults, openProvider, type Planned } from "../../support/engine/provider.ts";
import { storageSettings } from "../../support/storage-setting.ts";

/** Tests that two resources of one configuration never manage one object, with `adopt_existing` or a duplicate in state. */

const net = { name: "net" };

/** Returns the error of a plan that deletes an object at one address and keeps it at another. */
const isTwice = (type: string, object: string, id: string): string =>
  `error: Object is managed twice: ${object} is in the state twice, and the plan deletes it at one address and keeps it at another: the object would be lost. Remove the address that the plan deletes from the state (terraform state rm ADDRESS, or tofu state rm ADDRESS), or replace its block by removed { from = ADDRESS } with lifecycle { destroy = false }. If only a deposed object is deleted, import the object again after that (terraform import kcloud_${type}.NAME '${id}', or tofu import with the same arguments). To destroy everything, run terraform destroy -refresh=false, or tofu destroy -refresh=false`;

async function adopting(cloud = openCloud()) {
  const open = async () => {
    const provider = openProvider(cloud, { ...defaults, SERVICE_ADOPT_EXISTING: "true" });
    expect(await provider.configure()).toEqual([]);
    return provider;
  };
  return { cloud, open, provider: await open() };
}

const both = (id: unknown) =>
  `error: Object is managed twice: name: is the name of ${id}, which another resource of this configuration manages; with adopt_existing = true both would manage it. Choose another name, or remove one of the two resources from the configuration (at name)`;

test("a create of an object that the plan of another resource manages is an error, in either order", async () => {
  const { provider, open } = await adopting();
  const made = await provider.apply("vpc", net);
  expect((await provider.plan("vpc", net, made)).diagnostics).toEqual([]);
  expect((await provider.plan("vpc", net)).diagnostics).toEqual([both(made.values?.id)]);
  const later = await open();
  expect((await later.plan("vpc", net)).diagnostics).toEqual([]);
  expect((await later.plan("vpc", net, made)).diagnostics).toEqual([both(made.values?.id)]);
});

test("a replacement, a tainted object and two objects of one name are no error", async () => {
  const { cloud, provider, open } = await adopting();
  const made = await provider.apply("vpc", net);
  const planned = await provider.plan("vpc", { ...net, ipVersion: 6 }, made);
  expect(planned.replaces).toEqual(["ip_version"]);
  // The engine plans a replacement again, without the prior state and with the planned private data.
  const again = { values: undefined, private: planned.private, diagnostics: [] };
  expect((await provider.plan("vpc", net, again)).diagnostics).toEqual([]);
  const other = await open();
  await other.read("vpc", made);
  expect((await other.plan("vpc", net)).diagnostics).toEqual([]);
  const plain = openProvider(cloud);
  await plain.configure();
  cloud.emulator.inventory.change(live(cloud, "vpc")[0]?.krn ?? "", { name: "moved" });
  const second = await plain.apply("vpc", net);
  const third = await open();
  expect((await third.plan("vpc", net, made)).diagnostics).toEqual([]);
  expect((await third.plan("vpc", net, second)).diagnostics).toEqual([]);
});

test("the apply of a create whose name was unknown in the plan does not adopt an object that another resource manages", async () => {
  const { provider, open } = await adopting();
  const made = await provider.apply("vpc", net);
  await provider.plan("vpc", net, made);
  const planned = await provider.plan("vpc", { name: "later" });
  const applying = await open();
  const again = await applying.plan("vpc", net, undefined, planned);
  const failed = await applying.applyPlanned("vpc", net, again);
  expect(failed.diagnostics[0]).toContain("another resource of this configuration manages it");
  expect(failed.values).toBeUndefined();
});

test("after an update that fails at apply, the private data is that of a read", async () => {
  const { provider } = await adopting();
  const vpc = await provider.apply("vpc", net);
  const data: Values = { vpcId: String(vpc.values?.id), name: "data", sizeGb: 20, volumeType: "HNSS" };
  const made = await provider.apply("volume", data);
  const planned = await provider.plan("volume", { ...data, sizeGb: UNKNOWN }, made);
  const smaller = { ...planned, values: { ...planned.values, sizeGb: 10 } };
  const failed = await provider.applyPlanned("volume", { ...data, sizeGb: 10 }, smaller, made);
  expect(failed.diagnostics[0]).toContain("cannot shrink from 20 to 10 GB");
  expect(failed.private).toEqual(made.private);
  expect((await provider.read("volume", failed)).private).toEqual(made.private);
});

test("the second object of a replacement does not adopt an object that another resource manages", async () => {
  const { provider, open } = await adopting();
  const [made, old] = [await provider.apply("vpc", net), await provider.apply("vpc", { name: "old" })];
  const plans = async (process: typeof provider, name: string, planned?: Planned) => {
    const first = await process.plan("vpc", { name }, old, planned);
    return process.plan("vpc", { name }, { ...first, values: undefined });
  };
  await provider.plan("vpc", net, made);
  const planned = await plans(provider, "later");
  const applying = await open();
  const failed = await applying.applyPlanned("vpc", net, await plans(applying, "net", planned));
  expect(failed.diagnostics[0]).toContain("another resource of this configuration manages it");
});

test("an object that the state has twice is not deleted as the replaced one, in either order of the plan", async () => {
  const { provider, open } = await adopting();
  const made = await provider.apply("vpc", net);
  const id = String(made.values?.id);
  const plans = async (configs: readonly (Values | undefined)[]) => {
    const process = await open();
    const results = [];
    for (const config of configs) results.push((await process.plan("vpc", config, made)).diagnostics);
    return results;
  };
  const twice = isTwice("vpc", `the VPC "net" (${id})`, id);
  expect(await plans([net, undefined])).toEqual([[], [twice]]);
  expect(await plans([undefined, net])).toEqual([[], [twice]]);
  // A destroy deletes both.
  expect(await plans([undefined, undefined])).toEqual([[], []]);
});

test("a bucket policy that the state has twice is not deleted, without adopt_existing", async () => {
  const cloud = openCloud();
  const open = async () => {
    const provider = openProvider(cloud, { ...defaults, ...storageSettings(defaults.SERVICE_BASE_URL) });
    expect(await provider.configure()).toEqual([]);
    return provider;
  };
  const provider = await open();
  const bucket = await provider.apply("bucket", { name: "data" });
  const bucketId = String(bucket.values?.id);
  const policy = { bucketId, readWriteIps: ["10.0.0.0/8"] };
  const made = await provider.apply("bucket-policy", policy);
  const twice = isTwice("bucket_policy", `the bucket policy (${bucketId})`, bucketId);
  for (const configs of [
    [policy, undefined],
    [undefined, policy],
  ]) {
    const process = await open();
    expect((await process.plan("bucket-policy", configs[0], made)).diagnostics).toEqual([]);
    expect((await process.plan("bucket-policy", configs[1], made)).diagnostics).toEqual([twice]);
  }
});

test("two objects whose keys are the same UUID in two buckets, or differ in case or before a colon, are not managed twice", async () => {
  const uuid = "0f2bdb56-b20e-409a-9220-6cce27708ab3";
  const settings = { ...defaults, ...storageSettings(defaults.SERVICE_BASE_URL) };
  const provider = openProvider(openCloud(), settings);
  const object = (bucketId: string, key: string) => ({
    inputs: { bucketId, key, content: "text" },
    state: {
      values: { bucketId, key, id: key, region: "In-Bangalore-1" },
      private: undefined,
      diagnostics: [],
    },
  });
  const pairs = [
    [object("one", uuid), object("two", uuid)],
    [object("one", uuid), object("one", uuid.toUpperCase())],
    [object("one", "krn:a:b"), object("one", "krn:c:b")],
  ] as const;
  for (const [kept, removed] of pairs) {
    expect(await provider.configure()).toEqual([]);
    expect((await provider.plan("object", kept.inputs, kept.state)).diagnostics).toEqual([]);
    expect((await provider.plan("object", undefined, removed.state)).diagnostics).toEqual([]);
    expect((await provider.plan("object", undefined, kept.state)).diagnostics).toEqual([
      expect.stringContaining("is in the state twice"),
    ]);
  }
});

test("a plan that removes one of two attachments of one policy is an error, as the policy would no longer be in force", async () => {
  const settings = { ...defaults, ...storageSettings(defaults.SERVICE_BASE_URL) };
  const provider = openProvider(openCloud(), settings);
  expect(await provider.configure()).toEqual([]);
  const statements = '[{"effect": "allow", "action": "read"}]';
  const policy = await provider.apply("account-policy", { name: "readers", statements });
  const policyId = String(policy.values?.id);
  const made = await provider.apply("account-policy-attachment", { policyId, kcid: "one" });
  const other = await provider.apply("account-policy-attachment", { policyId, kcid: "two" });
  expect([made, other].map(({ diagnostics }) => diagnostics)).toEqual([[], []]);
  expect(await provider.configure()).toEqual([]);
  const kept = await provider.plan("account-policy-attachment", { policyId, kcid: "one" }, made);
  expect(kept.diagnostics).toEqual([]);
  const removed = await provider.plan("account-policy-attachment", undefined, other);
  const named = `the account policy attachment (${policyId})`;
  expect(removed.diagnostics).toEqual([isTwice("account_policy_attachment", named, policyId)]);
});

/** Returns a VPC, and a function that opens a provider process without `adopt_existing`. */
async function vpcOnce() {
  const cloud = openCloud();
  const open = async () => {
    const provider = openProvider(cloud);
    expect(await provider.configure()).toEqual([]);
    return provider;
  };
  const made = await (await open()).apply("vpc", net);
  const id = String(made.values?.id);
  return { cloud, open, made, id, twice: isTwice("vpc", `the VPC "net" (${id})`, id) };
}

test("a plan that keeps an object at one address and deletes it at another is an error, in either order and spelling", async () => {
  const { open, made, id } = await vpcOnce();
  const spelled = (spelling: string) => ({ ...made, values: { ...made.values, id: spelling } });
  const spellings = [id, id.replace("In-Bangalore-1", "in-bangalore-1"), id.replace(/^.*:/, "")];
  for (const other of spellings.map(spelled)) {
    const twice = [expect.stringContaining("is in the state twice")];
    const kept = await open();
    expect((await kept.plan("vpc", net, made)).diagnostics).toEqual([]);
    expect((await kept.plan("vpc", undefined, other)).diagnostics).toEqual(twice);
    const deleted = await open();
    expect((await deleted.plan("vpc", undefined, other)).diagnostics).toEqual([]);
    expect((await deleted.plan("vpc", net, made)).diagnostics).toEqual(twice);
  }
});

test("a replacement of an object that another address keeps is an error, whoever decides it", async () => {
  const { open, made, twice } = await vpcOnce();
  const other = { ...net, ipVersion: 6 };
  const provider = await open();
  expect((await provider.plan("vpc", net, made)).diagnostics).toEqual([]);
  expect((await provider.plan("vpc", other, made)).diagnostics).toEqual([twice]);
  // Both are replaced.
  const both = await open();
  for (const _ of [1, 2])
    expect((await both.plan("vpc", other, made)).diagnostics).toEqual([expect.stringMatching(/^warning: /)]);
  // The engine replaces one of them: a plan that keeps the object, then one of its create.
  for (const first of [true, false]) {
    const process = await open();
    const planned = await process.plan("vpc", net, made);
    expect(planned.diagnostics).toEqual([]);
    const replacing = { ...planned, values: undefined };
    const steps = [() => process.plan("vpc", net, replacing), () => process.plan("vpc", net, made)];
    const results = [];
    for (const step of first ? steps : steps.toReversed()) results.push((await step()).diagnostics);
    expect(results).toEqual([[], [twice]]);
  }
  const alone = await open();
  const planned = await alone.plan("vpc", net, made);
  expect((await alone.plan("vpc", net, { ...planned, values: undefined })).diagnostics).toEqual([]);
});

test("a tainted object that another address keeps is not replaced by an object of its name, in either order", async () => {
  const { open, made, twice } = await vpcOnce();
  for (const prior of [undefined, made]) {
    const process = await open();
    for (const _ of [1, 2]) await process.read("vpc", made);
    expect((await process.plan("vpc", net, prior)).diagnostics).toEqual([]);
    expect((await process.plan("vpc", net, prior === undefined ? made : undefined)).diagnostics).toEqual([
      twice,
    ]);
  }
  const single = await open();
  await single.read("vpc", made);
  expect((await single.plan("vpc", net)).diagnostics).toEqual([]);
});

test("the delete of a tainted object keeps the object that another address has, also under a new name", async () => {
  const { cloud, open, made, id } = await vpcOnce();
  const planning = await open();
  for (const _ of [1, 2]) await planning.read("vpc", made);
  const planned = await planning.plan("vpc", { name: "renamed" });
  expect(planned.diagnostics).toEqual([]);
  const applying = await open();
  const deleted = { ...planned, values: undefined };
  expect((await applying.applyPlanned("vpc", undefined, deleted, made)).diagnostics).toEqual([
    `warning: The VPC "net" was not deleted: Another entry of the state has the VPC "net" (${id}), so it was not deleted. Only this entry left the state.`,
  ]);
  expect(live(cloud, "vpc")).toHaveLength(1);
  const last = await open();
  const rest = await last.plan("vpc", undefined, made);
  expect((await last.applyPlanned("vpc", undefined, rest, made)).diagnostics).toEqual([]);
  expect(live(cloud, "vpc")).toEqual([]);
});

test("the delete of an object that the same process updates at another address keeps it", async () => {
  const { cloud, open, made } = await vpcOnce();
  const process = await open();
  const planned = await process.plan("vpc", net, made);
  const deleted = { ...planned, values: undefined, private: made.private };
  expect((await process.applyPlanned("vpc", undefined, deleted, made)).diagnostics).toEqual([
    expect.stringContaining("so it was not deleted"),
  ]);
  expect(live(cloud, "vpc")).toHaveLength(1);
});

test("a rename of an address without moved is a warning at the second of its plans, in either order", async () => {
  const cloud = openCloud();
  const provider = openProvider(cloud);
  await provider.configure();
  const vpcId = String((await provider.apply("vpc", net)).values?.id);
  const data = { vpcId, name: "data", sizeGb: 20, volumeType: "HNSS" };
  const made = await provider.apply("volume", data);
  const id = String(made.values?.id);
  const warning = `warning: The volume "data" is deleted at one address and created at another: The volume "data" (${id}): the plan deletes the object, and creates another one of its name. If only the address was renamed, keep the object with moved { from = OLD_ADDRESS, to = NEW_ADDRESS }.`;
  const renamed = async (first: Values | undefined, second: Values | undefined) => {
    await provider.configure();
    const shown = [];
    for (const config of [first, second])
      shown.push(
        (await provider.plan("volume", config, config === undefined ? made : undefined)).diagnostics,
      );
    return shown.map((texts) => texts.filter((text) => text.includes("at one address")));
  };
  expect(await renamed(undefined, data)).toEqual([[], [warning]]);
  expect(await renamed({ ...data, sizeGb: 30 }, undefined)).toEqual([[], [warning]]);
  // Another name, another VPC, and a replacement that the engine decides are no renames of an address.
  expect(await renamed(undefined, { ...data, name: "files" })).toEqual([[], []]);
  expect(await renamed({ ...data, vpcId: vpcId.replace(/.$/, "x") }, undefined)).toEqual([[], []]);
  await provider.configure();
  const kept = await provider.plan("volume", data, made);
  const replaced = await provider.plan("volume", data, { ...kept, values: undefined });
  expect(replaced.diagnostics.filter((text) => text.includes("at one address"))).toEqual([]);
});
