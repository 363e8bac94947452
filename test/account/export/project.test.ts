import { expect, test } from "@jest/globals";
import { projectOf } from "../../../account/export/project.ts";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { openAccount } from "../account.ts";

const account = await openAccount();
const { objects } = await account.read();
const project = projectOf(account.cloud.session, objects);
const byAddress = new Map(project.blocks.map((block) => [`${block.kind}.${block.name}`, block]));

test("an id of an exported object is a reference, also that of a primary subnet and of the port of an instance", () => {
  const inputsOf = (address: string) => Object.fromEntries(byAddress.get(address)?.inputs ?? []);
  const reference = (kind: string, name: string, ...path: string[]) => ({
    kind: "reference",
    to: { kind, name },
    path,
  });
  expect(inputsOf("instance.web")).toMatchObject({
    vpcId: reference("vpc", "shop", "id"),
    subnetId: reference("subnet", "back", "id"),
    volumeId: reference("volume", "web_volume", "id"),
    securityGroups: { kind: "list", items: [reference("security-group", "staff", "id")] },
    sshkeyName: { kind: "literal", value: "demo-key" },
  });
  expect(inputsOf("floating-ip.floating_ip_198_18_0_1")).toMatchObject({
    portId: reference("instance", "web", "portId"),
  });
  expect(inputsOf("bucket-policy.logs")).toMatchObject({ bucketId: reference("bucket", "logs", "id") });
});

test("the subnet that counts as the primary one, and ports and attachments of instances, have no block", () => {
  expect(project.parts.map(({ resource, name }) => `${resource.name} ${name}`)).toEqual([
    ...["subnet office", "subnet desk"],
    ...["port reserved", "port web-port", "port workers-1-port", "port workers-2-port"],
  ]);
});

test("an object that needs a value that no route returns is a comment with the reason", () => {
  const comments = project.blocks.filter(({ problems }) => problems.length > 0);
  expect(
    comments.map(({ kind, problems }) => [kind, ...problems.map((text) => inWordsOf("terraform", text))]),
  ).toEqual([
    ["security-group-rule", "direction is required", "protocol is required", "remote_ip_prefix is required"],
    ["image", "instance_id is required"],
    [
      "instance-batch",
      "template_id is required",
      "2 objects that belong to it are resources of the project, which have to be removed first",
    ],
    ["access-key", "name is required"],
  ]);
});

test("objects of other regions have their region in block and import ID", () => {
  const { session } = account.cloud;
  const elsewhere = { ...session, settings: { ...session.settings, region: "In-Hyderabad-1" } };
  const [block] = projectOf(elsewhere, objects.slice(0, 1)).blocks;
  expect(block?.importId).toBe(`In-Bangalore-1,${objects[0]?.id}`);
  expect(block?.inputs).toContainEqual(["region", { kind: "literal", value: "In-Bangalore-1" }]);
});

test("references of a part of an account are the IDs as texts", async () => {
  const { cloud, read, ids } = await openAccount();
  const { objects } = await read({ kinds: ["instance"], names: ["web"] });
  const [block] = projectOf(cloud.session, objects).blocks;
  expect(Object.fromEntries(block?.inputs ?? [])).toMatchObject({
    vpcId: { kind: "literal", value: ids.get("shop") },
    securityGroups: { items: [{ kind: "literal", value: ids.get("staff") }] },
  });
});

test("a map with two keys that engines read as one makes its block a comment", () => {
  const twins = { é: "9", "e\u0301": "10" };
  const [volume] = objects.filter(({ resource }) => resource.name === "volume");
  if (volume === undefined) throw new Error("no volume");
  const { state } = volume;
  const changed = { ...volume, state: { ...state, values: { ...state.values, metadata: twins } } };
  const [block] = projectOf(account.cloud.session, [changed]).blocks;
  expect(block?.problems.map((problem) => inWordsOf("terraform", problem))).toContain(
    "two keys of metadata differ only in the form of their letters",
  );
});
