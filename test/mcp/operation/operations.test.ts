import { expect, test } from "@jest/globals";
import { callOperation } from "../../../library/call.ts";
import { offerOf, operationNamed } from "../../../mcp/operation/offer.ts";
import { effectOfCall } from "../../../operation/destruction/destruction.ts";
import { effectOf } from "../../../operation/operation.ts";
import { allOperations, type NamedOperation } from "../../../operation/operations.ts";
import { secretParameters } from "../../../operation/secret-field.ts";
import { openClient } from "../../../provider/client/client.ts";
import { gatherSettings } from "../../../provider/config/config.ts";
import type { Values } from "../../../provider/core/value.ts";
import type { Reply, Transport } from "../../../provider/platform/ports.ts";
import { openCallCloud, settings } from "../../call/call-cloud.ts";
import { drawArguments } from "../../library/drawn-arguments.ts";
import { publicKey } from "../../resources/public-key.ts";
import { recorded, type SentRequest } from "../../support/cloud.ts";
import { expectInPlace } from "../block.ts";
import { type Content, changing, openWriter } from "../client.ts";
import { drawnTexts } from "../hostile.ts";

/** Requests of all offered operations as the emulator receives them, which are those of the client of the library. */

const toolsOf = (row: NamedOperation): readonly string[] => {
  const offer = offerOf(row, { hasPasswords: true });
  return "tools" in offer ? offer.tools : [];
};
const callable = allOperations().filter((row) =>
  toolsOf(row).some((tool) => tool === "change" || tool === "read_operation"),
);
const destroying = allOperations().filter((row) => toolsOf(row).includes("destroy"));

const assume = { otpRequired: false, podRead: "pod" } as const;

/** Opens a server that may change something, and records its requests. */
async function openRecorded(options: Parameters<typeof openWriter>[0] = {}) {
  const sent: SentRequest[] = [];
  const wrap = (transport: Transport) => recorded(transport, sent);
  return { sent, ...(await openWriter({ assume, ...options }, {}, { between: { wrap } })) };
}

/** Returns a request without the parts that differ in each session and program. */
function comparable(request: SentRequest | undefined) {
  const { "user-agent": _, "x-session-token": token, ...headers } = request?.headers ?? {};
  return {
    method: request?.method,
    url: request?.url,
    headers,
    hasToken: token !== undefined,
    text: request?.text,
  };
}

/** Returns the request that the client of the library sends. */
async function ofClient({ operation }: NamedOperation, written: Values) {
  const opened = openCallCloud({ assume });
  const { ports } = opened.cloud.session;
  const client = openClient(gatherSettings({ otpRequired: false }, settings), ports, () => {}, "client");
  await opened.cloud.run(
    callOperation(client, operation, written).then(
      () => {},
      () => {},
    ),
  );
  return comparable(opened.sent.at(-1));
}

test.each(callable.map((row) => [row.name, row] as const))(
  "%s: the request is that of the client",
  async (_, row) => {
    const tool = effectOf(row.operation) === "reads" ? "read_operation" : "change";
    for (let seed = 1, compared = 0; compared < 2; seed++) {
      const secrets = secretParameters(row);
      const parameters: Values = Object.fromEntries(
        Object.entries(drawArguments(row, seed * 7_919)).filter(([name]) => !secrets.includes(name)),
      );
      if (effectOfCall(row, parameters) === "destroys") continue;
      compared += 1;
      const { call, sent, cloud } = await openRecorded();
      await call(tool, { operation: row.name, parameters });
      expect(comparable(sent.at(-1))).toEqual(await ofClient(row, parameters));
      expect(cloud.emulator.log.counts()[row.name]).toBe(1);
      const others = sent.slice(0, -1).filter(({ url }) => !url.includes("/kos/v1/sessions/"));
      expect(others).toEqual([]);
    }
  },
);

test("every operation that destroys is called with the digest of its preview, and sends the request of the client", async () => {
  const { call, sent, cloud } = await openRecorded({ taskMs: 0 });
  const destroyed = new Set<string>();
  const change = async (operation: string, parameters: object) => {
    const result = await call("change", { operation, parameters });
    expect([operation, result.error]).toEqual([operation, undefined]);
    return result.response;
  };
  const read = async (operation: string, parameters: object = {}) =>
    (await call("read_operation", { operation, parameters })).response;
  const destroy = async (operation: string, parameters: Values) => {
    const args = { operation, parameters };
    const preview = await call("preview_destruction", args);
    expect([operation, preview.error]).toEqual([operation, undefined]);
    // The digest of an unchanged object stays the same.
    await cloud.run(cloud.session.ports.clock.sleep(5_000, new AbortController().signal));
    const before = { ...cloud.emulator.log.counts() };
    const result = await call("destroy", { ...args, digest: preview.digest });
    expect([operation, result.error]).toEqual([operation, undefined]);
    const row = operationNamed(operation);
    if (row === undefined) throw new TypeError(operation);
    expect(comparable(sent.at(-1))).toEqual(await ofClient(row, parameters));
    const changed = Object.entries(cloud.emulator.log.counts()).filter(([name, count]) => {
      const known = operationNamed(name);
      return count !== before[name] && known !== undefined && effectOf(known.operation) !== "reads";
    });
    expect(changed.map(([name, count]) => [name, count - (before[name] ?? 0)])).toEqual([[operation, 1]]);
    destroyed.add(operation);
    return preview;
  };

  // Network.
  await change("create_vpc", { name: "shop", subnet: { name: "front", cidr: "10.0.0.0/24" } });
  const [{ vpcId }] = await read("get_vpc_list");
  const network = (await read("search_network", { vpcId }))[0].krn_id;
  const { data } = await read("get_vpc", { vpcId });
  const subnetId = data.tasks.flatMap(({ subnet_list: list = [] }: Content) => list)[0].krn;
  const back = await change("create_subnet", { vpcId, name: "back", cidr: "10.0.1.0/24" });
  const group = (await change("create_security_group", { vpcId, name: "web" })).result.id;
  const rule = await change("create_rule", {
    ...{ vpcId, direction: "ingress", ethertype: "ipv4", protocol: "tcp", remoteIpPrefix: "0.0.0.0/0" },
  });
  await change("attach_rule", { vpcId, ruleId: rule.result.id, securityGroupId: group });
  await change("create_port", { vpcId, networkId: network, subnetId, name: "address", floatingIp: true });
  const [{ floating_ip_krn: address, port_krn: holder }] = await read("list_floating_ips", { vpcId });
  await change("create_ssh_key", { keyName: "deploy", publicKey: publicKey(1) });

  // Machines.
  const [{ krn: imageKrn }] = (await read("list_images")).images;
  const machine = {
    ...{ vpcId, subnetId, instanceType: "c1.small", sshkeyName: "deploy", securityGroups: [group], imageKrn },
    ...{ volumeName: "disk", volumeSize: 20, volumeType: "ssd" },
  };
  for (const instanceName of ["one", "two"]) await change("create_instance", { ...machine, instanceName });
  const instances = async () => (await read("search_instances", { vpcId })).instances;
  const [first, second] = await instances();
  const ports = (await read("search_port", { vpcId })).ports;
  const { port_id: portKrn } = ports.find(({ name }: Content) => name === "one-port");
  await change("attach_floating_ip", { holderPortKrn: holder, targetPortKrn: portKrn });
  await destroy("detach_floating_ip", { portKrn });
  await change("create_image", { instanceKrn: first.krn, name: "golden" });
  const own = (await read("list_images")).images.find(({ name }: Content) => name === "golden");
  await destroy("delete_image", { imageKrn: own.krn });
  const template = await change("create_template", { ...machine, name: "worker" });
  await destroy("delete_template", { templateKrn: template.template_krn });
  const instance = await destroy("delete_instance", { instanceKrn: first.krn, deleteVolume: true });
  expect(instance.goes_with_it).toMatchObject([
    {
      about: expect.stringMatching(/`deleteVolume` deletes the boot/),
      count: 1,
      objects: [{ name: "disk" }],
    },
  ]);
  expect(instance.not_read).toMatchObject([{ about: expect.stringMatching(/^a floating IP address/) }]);
  await destroy("delete_instance_sync", { instanceKrn: second.krn, deleteVolume: true });
  await destroy("delete_ssh_key", {
    uuid: (await read("list_ssh_keys")).sshKeys.find(({ keyName }: Content) => keyName === "deploy").uuid,
  });
  await destroy("delete_floating_ip", { floatingIpKrn: address });

  // Volumes.
  const { id: volumeId } = (
    await change("create_volume", { vpcId, name: "data", size: 10, volumeType: "ssd" })
  ).volume;
  const snapshotId = (await change("create_snapshot", { vpcId, volumeId, name: "snap" })).snapshot.id;
  const backupId = (await change("create_backup", { vpcId, volumeId, name: "back" })).backup.id;
  await destroy("restore_backup", { vpcId, backupId, volumeId });
  const schedule = { vpcId, volumeId, name: "nightly", cron: "0 3 * * *" };
  await destroy("create_snapshot_policy", { ...schedule, maxSnapshotsAllowed: 2 });
  await destroy("create_backup_policy", { ...schedule, maxBackupsAllowed: 2 });
  await destroy("delete_snapshot_policy", { vpcId, volumeId });
  await destroy("delete_backup_policy", { vpcId, volumeId });
  await destroy("delete_snapshot", { vpcId, snapshotId });
  await destroy("delete_backup", { vpcId, backupId });
  await destroy("delete_volume", { vpcId, volumeId });

  // The rest of the network.
  await destroy("delete_subnet", { vpcId, subnetId: back.subnet_id ?? back.krn ?? back.id });
  const detached = await destroy("detach_rule", { vpcId, ruleId: rule.result.id, securityGroupId: group });
  expect(detached.loss.about).toMatch(/^No operation shows a detached rule/);
  await destroy("delete_security_group", { securityGroupId: group });
  const gone = await destroy("delete_vpc", { vpcId });
  expect(gone.goes_with_it[0]).toMatchObject({
    about: "the subnets of the VPC",
    objects: [{ name: "front" }],
  });

  // Object storage.
  const bucketId = (await change("create_bucket", { name: "shop-data" })).krn;
  await destroy("create_lifecycle_rule", { bucketId, name: "old", expirationDays: 30 });
  const ruleId = (await read("list_lifecycle_rules", { bucketId }))[0].id;
  await destroy("update_lifecycle_rule", { bucketId, ruleId, name: "old", expirationDays: 60 });
  await destroy("delete_lifecycle_rule", { bucketId, ruleId });
  await change("create_bucket_policy", { bucketId, readWriteIps: ["10.0.0.0/8"] });
  await destroy("delete_bucket_policy", { bucketId });
  // No tool creates an access key, since its secret is in the response.
  const { id: accessKey = "" } = await cloud.run(cloud.create("access-key", { name: "app" }));
  const key = async (name: string) =>
    cloud.run(cloud.create("object", { bucketId, key: name, content: "text of an object" }));
  for (const name of ["a.txt", "taken.txt"]) await key(name);
  const move = await destroy("move_object", {
    ...{ bucketId, sourceKey: "a.txt", destinationKey: "b.txt", action: "move" },
  });
  expect(move.object).toMatchObject({ source: { key: "a.txt" }, overwritten: null });
  const rename = await destroy("rename_object", { bucketId, oldKey: "b.txt", newKey: "taken.txt" });
  expect(rename.object.overwritten).toMatchObject({ key: "taken.txt", size_bytes: 17 });
  await destroy("delete_object", { bucketId, key: "taken.txt" });
  await destroy("delete_access_key", { accessKey });
  await destroy("delete_bucket", { bucketId });
  const policyKrn = "krn:policy:1";
  await change("create_account_policy", { name: "readers", statements: "[]", policyKrn });
  // A policy that is attached cannot be deleted.
  const writers = "krn:policy:2";
  await change("create_account_policy", { name: "writers", statements: "[]", policyKrn: writers });
  const attached = await destroy("attach_account_policy", { policyKrns: [writers] });
  expect(attached.object.policies).toMatchObject([{ name: "writers", policyKRN: writers }]);
  await destroy("update_account_policy", { policyKrn, name: "readers", statements: '["a"]' });
  await destroy("delete_account_policy", { policyKrn });

  // AI.
  const pod = await change("create_pod", { podName: "train", podTemplateId: 1, instanceType: "p1.small" });
  const podId = String(pod.pod_id);
  await destroy("update_pod", { podId, action: "stop" });
  await destroy("delete_pod", { podId });
  const { id: taskId } = await change("create_inference_task", { taskName: "serve" });
  await destroy("cancel_inference_task", { taskId: String(taskId) });
  const [checkpoint] = await read("list_checkpoints");
  await destroy("delete_checkpoint", { checkpoint });

  expect(destroying.map(({ name }) => name).filter((name) => !destroyed.has(name))).toEqual([]);
}, 120_000);

test("secrets that a read could show are masked, also in a preview, and the key is in no result", async () => {
  const canary = "CANARY-7a1b2c3d4e5f";
  const shown: string[] = [];
  const wrap = changing((reply) => {
    // As of a template that somebody else has created.
    const body = reply.body.replace('"user_data":""', `"user_data":"${canary}","note":"emulator-key"`);
    shown.push(body);
    return { ...reply, body };
  });
  const { call, cloud } = await openWriter({}, {}, { between: { wrap } });
  const results: unknown[] = [];
  const note = async (tool: string, operation: string, parameters: Values) => {
    const result = await call(tool, { operation, parameters });
    results.push(result);
    return result;
  };
  await note("change", "create_vpc", { name: "net", subnet: { name: "front", cidr: "10.0.0.0/24" } });
  const [{ vpcId }] = (await note("read_operation", "get_vpc_list", {})).response;
  const { data } = (await note("read_operation", "get_vpc", { vpcId })).response;
  const group = (await note("change", "create_security_group", { vpcId, name: "web" })).response.result.id;
  const [{ krn: imageKrn }] = (await note("read_operation", "list_images", {})).response.images;
  const template: Values = {
    ...{
      name: "worker",
      vpcId,
      subnetId: data.tasks.flatMap(({ subnet_list: all = [] }: Content) => all)[0].krn,
      imageKrn,
    },
    ...{ instanceType: "c1.small", sshkeyName: "demo-key", securityGroups: [group] },
    ...{ volumeName: "disk", volumeSize: 20, volumeType: "ssd" },
  };
  expect((await note("change", "create_template", { ...template, userData: canary })).error).toMatch(
    /^userData: a secret/,
  );
  const { templateKrn } = {
    templateKrn: (await note("change", "create_template", template)).response.template_krn,
  };
  await note("read_operation", "get_template", { templateKrn });
  await note("preview_destruction", "delete_template", { templateKrn });
  expect(shown.join("")).toContain(canary);
  const { object } = results.at(-1) as Content;
  expect(object.config).toMatchObject({ user_data: "(sensitive)", note: "***" });
  await note("change", "create_bucket", { name: "emulator-key" });
  await note("preview_destruction", "delete_bucket", { bucketId: "emulator-key" });
  expect(JSON.stringify(results)).not.toMatch(/CANARY|emulator-key/);
  expect(cloud.emulator.log.counts().create_template).toBe(1);
});

test("a change whose response is nested too deeply was accepted", async () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const wrap = (transport: Transport): Transport => ({
    async send(request, signal) {
      const reply = await transport.send(request, signal);
      return request.url.includes("create_vpc") ? ({ ...reply, status: 200, body: deep } as Reply) : reply;
    },
  });
  const { client } = await openWriter({ assume }, {}, { between: { wrap } });
  const called = await client.call("change", { operation: "create_vpc", parameters: { name: "net" } });
  expect(called.structuredContent).toEqual({
    ...{ operation: "create_vpc", result: "accepted", response: "(nested too deeply)" },
  });
});

test("hostile texts in responses to changes, in errors and in previews do not leave their place", async () => {
  const texts = drawnTexts(120);
  let next = 0;
  let status: number | undefined;
  const text = () => texts[next++ % texts.length] ?? "";
  const wrap = changing((reply) => {
    if (status === undefined) return reply;
    const named = { name: text(), message: text(), [text()]: text(), list: [text()] };
    return { ...reply, status, body: JSON.stringify(status === 200 ? { ...named, id: "1" } : named) };
  });
  const { client, cloud } = await openWriter({}, {}, { between: { wrap } });
  const calls = [
    ["change", { operation: "create_vpc", parameters: { name: "net" } }],
    [
      "change",
      { operation: "translate", parameters: { text: "a", srcLanguage: "eng_Latn", tgtLanguage: "hin_Deva" } },
    ],
    ["read_operation", { operation: "get_bucket", parameters: { bucketId: "b" } }],
    ["preview_destruction", { operation: "delete_bucket", parameters: { bucketId: "b" } }],
  ] as const;
  for (const each of [200, 400, 409])
    for (const [tool, args] of calls)
      for (let round = 0; round < 5; round++) {
        status = each;
        const { content, structuredContent, isError } = await cloud.run(client.call(tool, args));
        if (each !== 200) expect(isError).toBe(true);
        expectInPlace(content[0]?.text ?? "", structuredContent);
      }
  expect(next).toBeGreaterThan(100);
});
