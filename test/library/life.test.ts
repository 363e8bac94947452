import { expect, test } from "@jest/globals";
import { listOperations } from "../../emulator/operation-list.ts";
import type { Client } from "../../library/client.ts";
import { areas, clientOperations } from "../../operation/operations.ts";
import { leftover } from "../support/leftover.ts";
import { openClientCloud } from "./client-cloud.ts";
import { createNetwork, instanceArguments } from "./stack.ts";

/** A life of each area: objects are created, read, changed and deleted with the operations of the documents. */

const seeds = new Set(listOperations().flatMap(({ name, source }) => (source === "seed" ? [name] : [])));

test("one life of each of the 18 areas, in 92 calls of 86 operations, has no failed request and leaves no object", async () => {
  const opened = openClientCloud({ taskMs: 200, assume: { podRead: "pod" } }, { otpCommand: "print one" });
  const { client: whole, calls } = counted(opened.client);
  const world = await createNetwork({ ...opened, client: whole });
  const { cloud, client, run, rows, vpcId, subnetId, securityGroupId } = world;
  const otp = () => cloud.emulator.password();

  // Sign-in, as another program would: the client itself has an API key.
  const account = { email: "user@example.com", password: "emulator-password" };
  expect(await run(client.signIn.signInRoot(account))).toMatchObject({ access_token: expect.any(String) });

  // Network.
  await run(client.vpc.getVpcList());
  const subnet = await run(client.vpc.createSubnet({ vpcId, name: "back", cidr: "10.0.1.0/24" }));
  const rule = await run(
    client.securityGroup.createRule({
      vpcId,
      direction: "ingress",
      ethertype: "ipv4",
      protocol: "tcp",
      portRangeMin: 443,
      portRangeMax: 443,
      remoteIpPrefix: "0.0.0.0/0",
    }),
  );
  const ruleId = idIn(rule);
  await run(client.securityGroup.attachRule({ vpcId, ruleId, securityGroupId }));
  expect(await rows(client.securityGroup.listSecurityGroups({ vpcId }))).toMatchObject([{ name: "web" }]);

  // Machines.
  const instance = instanceArguments(world);
  await run(client.instance.createInstance(instance));
  const { instanceKrn } = await run(client.instance.waitUntilActive({ vpcId, instanceName: "web" }));
  const shown = await run(client.instance.getInstance({ instanceKrn }));
  const portKrn = shown.network_ports?.[0]?.krn ?? "";
  await run(client.port.updatePortSecurityGroups({ portKrn, securityGroups: [securityGroupId] }));
  expect(await rows(client.instance.searchInstances({ vpcId }))).toMatchObject([{ krn: instanceKrn }]);
  const { instanceName: _, ...common } = instance;
  const template = await run(client.instanceTemplate.createTemplate({ ...common, name: "worker" }));
  const templateKrn = template.template_krn;
  expect(await run(client.instanceTemplate.getTemplate({ templateKrn }))).toMatchObject({ name: "worker" });
  expect(await rows(client.instanceTemplate.listTemplates())).toHaveLength(1);
  await run(client.instance.batchCreateInstances({ templateKrn, count: 2, instanceName: "worker" }));

  // Volumes.
  const created = await run(client.volume.createVolume({ vpcId, name: "data", size: 10, volumeType: "ssd" }));
  const volumeId = created.volume?.id ?? created.id ?? "";
  await run(client.volume.waitUntilAvailable({ vpcId, volumeId }));
  await run(client.volume.attachVolume({ vpcId, volumeId, instanceId: instanceKrn }));
  const { attachmentId } = await run(
    client.volume.waitUntilAttached({ vpcId, volumeId, instanceId: instanceKrn }),
  );
  const { attachments } = await run(client.volume.getVolume({ vpcId, volumeId }));
  expect(attachments).toMatchObject([{ remote_attachment_id: attachmentId }]);
  await run(client.volume.detachVolume({ vpcId, volumeId, instanceId: instanceKrn, attachmentId }));
  await run(client.volume.waitUntilDetached({ vpcId, volumeId }));
  expect(await rows(client.volume.listVolumes({ vpcId }))).toContainEqual(
    expect.objectContaining({ name: "data" }),
  );
  await run(client.volume.deleteVolume({ vpcId, volumeId }));
  await run(client.volume.waitUntilDeleted({ vpcId, volumeId }));

  // Object storage.
  const key = await run(client.accessKey.createAccessKey({ keyName: "app" }));
  expect(await rows(client.accessKey.listAccessKeys())).toContainEqual(
    expect.objectContaining({ access_key: key.access_key }),
  );
  const { krn } = await run(client.bucket.createBucket({ name: "shop-data", tags: { team: "web" } }));
  const bucketId = krn ?? "";
  const tags = { team: "shop" };
  await run(client.bucket.updateBucket({ bucketId, tags, versioning: true, anonymousAccess: false }));
  expect(await run(client.bucket.getBucket({ bucketId }))).toMatchObject({ tags, versioning: true });
  expect(await rows(client.bucket.listBuckets())).toHaveLength(1);
  const lifecycle = await run(
    client.bucket.createLifecycleRule({ bucketId, name: "old", expirationDays: 30 }),
  );
  const lifecycleId = lifecycle?.id ?? "";
  await run(
    client.bucket.updateLifecycleRule({ bucketId, ruleId: lifecycleId, name: "old", expirationDays: 60 }),
  );
  expect(await run(client.bucket.getLifecycleRule({ bucketId, ruleId: lifecycleId }))).toMatchObject({
    expiration_days: 60,
  });
  expect(await rows(client.bucket.listLifecycleRules({ bucketId }))).toHaveLength(1);
  await run(client.bucket.deleteLifecycleRule({ bucketId, ruleId: lifecycleId }));
  await run(client.bucket.createBucketPolicy({ bucketId, readWriteIps: ["10.0.0.0/8"] }));
  await run(
    client.bucket.updateBucketPolicy({
      bucketId,
      readWriteIps: ["10.0.0.0/16"],
      readOnlyIps: ["10.1.0.0/16"],
    }),
  );
  expect(await run(client.bucket.getBucketPolicy({ bucketId }))).toMatchObject({
    s3_read_only_ips: ["10.1.0.0/16"],
  });
  await run(client.bucket.deleteBucketPolicy({ bucketId }));
  await run(client.object.upload({ bucketId, key: "a.txt", content: Buffer.from("content") }));
  await run(
    client.object.moveObject({ bucketId, sourceKey: "a.txt", destinationKey: "b.txt", action: "move" }),
  );
  await run(client.object.renameObject({ bucketId, oldKey: "b.txt", newKey: "c.txt" }));
  expect(await rows(client.object.download({ bucketId, key: "c.txt" }))).toHaveLength(1);
  expect(await run(client.object.getObjectMetadata({ bucketId, key: "c.txt" }))).toMatchObject({
    size_bytes: 7,
  });
  expect(await rows(client.object.listObjects({ bucketId }))).toMatchObject([{ key: "c.txt" }]);
  await run(client.object.deleteObject({ bucketId, key: "c.txt" }));
  const session = await run(
    client.objectSession.activateSession({
      accessKey: String(key.access_key),
      secretKey: String(key.secret_key),
    }),
  );
  const { sessionToken } = session;
  await run(client.objectSession.waitUntilActive({ sessionToken }));
  const renewed = await run(
    client.objectSession.refreshSession({ sessionToken, refreshToken: session.refreshToken }),
  );
  await run(client.objectSession.deactivateSession({ sessionToken: renewed.sessionToken }));
  await run(client.bucket.deleteBucket({ bucketId, otp: otp() }));
  await run(client.accessKey.deleteAccessKey({ accessKey: String(key.access_key), otp: otp() }));
  await run(client.accessKey.deleteAllAccessKeys());
  const policy = await run(
    client.accountPolicy.createAccountPolicy({
      name: "readers",
      statements: "[]",
      policyKrn: "krn:policy:1",
    }),
  );
  const policyKrn = policy.policyKRN;
  await run(client.accountPolicy.updateAccountPolicy({ policyKrn, name: "readers", statements: '["a"]' }));
  await run(client.accountPolicy.attachAccountPolicy({ policyKrns: [policyKrn] }));
  await run(client.accountPolicy.detachAccountPolicy({ kcid: "1", policyKrns: [policyKrn] }));
  expect(await run(client.accountPolicy.getAccountPolicy({ policyKrn }))).toMatchObject({ name: "readers" });
  expect(await rows(client.accountPolicy.listAccountPolicies())).toHaveLength(1);
  await run(client.accountPolicy.deleteAccountPolicy({ policyKrn }));

  // AI.
  const { pod_id } = await run(
    client.aiPod.createPod({ podName: "train", podTemplateId: 1, instanceType: "p1.small" }),
  );
  const podId = String(pod_id);
  await run(client.aiPod.waitUntilStatus({ podId }));
  await run(client.aiPod.updatePod({ podId, action: "stop" }));
  await run(client.aiPod.waitUntilStatus({ podId, statuses: ["stopped"] }));
  await run(client.aiPod.deletePod({ podId }));
  const task = await run(client.inference.createInferenceTask({ taskName: "serve" }));
  const taskId = String(task.id);
  expect(await rows(client.inference.listInferenceTasks())).toMatchObject([{ name: "serve" }]);
  const { status } = await run(client.inference.getInferenceTask({ taskId }));
  await run(client.inference.waitUntilStatus({ taskId, statuses: [String(status)] }));
  await run(client.inference.cancelInferenceTask({ taskId }));
  const [checkpoint] = await rows(client.inference.listCheckpoints());
  await run(client.inference.deleteCheckpoint({ checkpoint: String(checkpoint) }));
  const text = "Alice went to Pune.";
  expect(await run(client.text.detectLanguage({ query: text }))).toMatchObject({
    status: expect.any(String),
  });
  await run(client.text.extractEntities({ text, langFrom: "hin", paramList: ["ner"] }));
  await run(client.text.summarize({ text, inputLanguage: "eng", summarySize: 10 }));
  await run(client.text.translate({ text, srcLanguage: "eng_Latn", tgtLanguage: "hin_Deva" }));
  await run(client.text.analyzeSentiment({ text, langFrom: "eng" }));
  const document = { language: "english", fileType: "Digital", content: Buffer.from("document") };
  const jobs = [
    await run(client.document.extractDocumentText(document)),
    await run(client.document.extractDocumentInformation({ ...document, entities: ["PII"] })),
    await run(client.document.summarizeDocument({ ...document, wordCount: 20 })),
    await run(client.document.maskDocument({ ...document, keysToMask: ["name"] })),
  ];
  for (const { data } of jobs) {
    await run(client.document.waitUntilDone({ fileId: data.file_id }));
    await run(client.document.getDocumentStatus({ fileId: data.file_id }));
  }

  // The end of the machines and of the network.
  const machines = await rows(client.instance.searchInstances({ vpcId }));
  for (const { krn: id } of machines) {
    await run(client.instance.waitUntilActive({ vpcId, instanceKrn: String(id) }));
    await run(client.instance.deleteInstance({ instanceKrn: String(id), deleteVolume: true }));
  }
  for (const { krn: id } of machines)
    await run(client.instance.waitUntilDeleted({ vpcId, instanceKrn: String(id) }));
  await run(client.instanceTemplate.deleteTemplate({ templateKrn }));
  await run(client.securityGroup.detachRule({ vpcId, ruleId, securityGroupId }));
  await run(client.securityGroup.deleteRule({ ruleId }));
  await run(client.securityGroup.deleteSecurityGroup({ securityGroupId }));
  await run(client.vpc.deleteSubnet({ vpcId, subnetId: subnet?.subnet_id ?? "" }));
  await run(client.vpc.deleteVpc({ vpcId }));
  await run(client.vpc.waitUntilDeleted({ vpcId }));
  const [sshKey] = await rows(client.sshKey.listSshKeys());
  await run(client.sshKey.deleteSshKey({ uuid: String(sshKey?.uuid) }));
  await run(client.close());
  expect(subnetId).not.toBe("");
  expect(leftover(cloud.emulator)).toEqual([]);

  const entries = cloud.emulator.log.entries();
  const failed = entries.filter(({ outcome }) => typeof outcome !== "number" || outcome >= 400);
  // The reads after a deletion end with a 404.
  expect(
    failed.map(({ operation, outcome }) => [operation, outcome]).filter(([, outcome]) => outcome !== 404),
  ).toEqual([]);
  const sent = new Set(entries.map(({ operation }) => operation));
  const documented = clientOperations().filter(({ name }) => seeds.has(name));
  expect(documented.map(({ name }) => name).filter((name) => !sent.has(name))).toEqual([]);
  const lived = new Set(calls.map((call) => call.split(".")[0]));
  expect(Object.keys(areas).filter((area) => !lived.has(area))).toEqual([]);
  expect([calls.length, new Set(calls).size, lived.size]).toEqual([92, 86, 18]);
});

/** Returns a client that counts the calls of its operations, without waiters and transfers. */
function counted(client: Client): { readonly client: Client; readonly calls: string[] } {
  const calls: string[] = [];
  const operations = new Set(clientOperations().map(({ area, method }) => `${area}.${method}`));
  const of = (area: string, methods: object) =>
    Object.fromEntries(
      Object.entries(methods).map(([method, call]) => [
        method,
        (...args: unknown[]) => {
          if (operations.has(`${area}.${method}`)) calls.push(`${area}.${method}`);
          return call(...args);
        },
      ]),
    );
  const areas = Object.entries(client).map(([area, methods]) => [
    area,
    typeof methods === "function" ? methods : of(area, methods),
  ]);
  return { client: Object.fromEntries(areas), calls };
}

/** Returns the id in the response to a create, which has one of several forms. */
function idIn(answer: unknown): string {
  const { result, id, krn } = answer as {
    readonly result?: unknown;
    readonly id?: string;
    readonly krn?: string;
  };
  return result === undefined ? String(krn ?? id) : idIn(result);
}
