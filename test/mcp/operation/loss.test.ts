import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/emulator.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { publicKey as keyOf } from "../../resources/public-key.ts";
import { type Answering, type Content, openWriter } from "../client.ts";

/** Previews of destructions if responses lack something, or are those of other objects. */

const publicKey = keyOf(1);

/** Opens a server in an account with a VPC. `changes` counts the requests that may have destroyed something. */
async function open(emulator: EmulatorOptions = {}, more: Parameters<typeof openWriter>[2] = {}) {
  const world = await openWriter({ assume: { otpRequired: false, podRead: "pod" }, ...emulator }, {}, more);
  const { call, cloud } = world;
  const change = async (operation: string, parameters: object = {}): Promise<Content> => {
    const result = await call("change", { operation, parameters });
    expect([operation, result.error]).toEqual([operation, undefined]);
    return result.response;
  };
  const read = async (operation: string, parameters: object = {}): Promise<Content> =>
    (await call("read_operation", { operation, parameters })).response;
  await change("create_vpc", { name: "shop", subnet: { name: "front", cidr: "10.0.0.0/24" } });
  const [{ vpcId }] = await read("get_vpc_list");
  return {
    ...world,
    ...{ change, read, vpcId },
    preview: (operation: string, parameters: object) =>
      call("preview_destruction", { operation, parameters }),
    destroy: (operation: string, parameters: object, digest: unknown) =>
      call("destroy", { operation, parameters, digest }),
    volume: async (name: string): Promise<string> =>
      (await change("create_volume", { vpcId, name, size: 10, volumeType: "ssd" })).volume.id,
    subnet: async (): Promise<string> => {
      const { data } = await read("get_vpc", { vpcId });
      return data.tasks.flatMap(({ subnet_list: all = [] }: Content) => all)[0].krn;
    },
    image: async (): Promise<string> => (await read("list_images")).images[0].krn,
    fault: (target: string, kind: string, more: { from?: number; times?: number } = {}) =>
      cloud.emulator.faults.add({ target, kind, ...more }),
    isSent: (operation: string) => (cloud.emulator.log.counts()[operation] ?? 0) > 0,
  };
}

/** Returns the options of a server whose responses to requests of a path are replaced while there is a text. */
function replacing(path: RegExp) {
  const state: { body?: (body: string) => string } = {};
  const wrap = (transport: Transport): Transport => ({
    async send(request, signal) {
      const reply = await transport.send(request, signal);
      if (state.body === undefined || reply.kind !== "answer" || !path.test(request.url)) return reply;
      return { ...reply, status: 200, body: state.body(reply.body) };
    },
  });
  return { state, more: { between: { wrap } } };
}

describe("a response that does not name the object", () => {
  const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
  test.each([
    ["is empty", () => "{}", /does not name the object/],
    ["is an error", () => '{"error":"internal failure","status":"failed"}', /does not name the object/],
    [
      "is another object",
      (body: string) => body.replace(uuid, (id) => `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`),
      /names another object/,
    ],
    ["has a masked ID", (body: string) => body.replace(uuid, "***"), /its ID is masked/],
    ["is a list", (body: string) => `[${body}]`, /could not be read/],
  ])("%s: there is no digest, and a digest of before is refused", async (_, body, reason) => {
    const { state, more } = replacing(/\/kbs\/v1\/volumes\/[^/?]+$/);
    const { volume, vpcId, preview, destroy, isSent } = await open({}, more);
    const parameters = { vpcId, volumeId: await volume("data") };
    const { digest } = await preview("delete_volume", parameters);
    state.body = body;
    const second = await preview("delete_volume", parameters);
    expect(second.error).toMatch(/^The object could not be read: /);
    expect(second.error).toMatch(reason);
    expect((await destroy("delete_volume", parameters, digest)).error).toMatch(
      /^The object could not be read/,
    );
    expect(isSent("delete_volume")).toBe(false);
  });

  test("is refused for a bucket, its policy, an object, a pod and a VPC", async () => {
    const { state, more } = replacing(/\/(kos|v1)\//);
    const { change, cloud, vpcId, preview } = await open({}, more);
    const bucketId = (await change("create_bucket", { name: "shop-data" })).krn;
    await change("create_bucket_policy", { bucketId, readWriteIps: ["10.0.0.0/8"] });
    await cloud.run(cloud.create("object", { bucketId, key: "a.txt", content: "a" }));
    const { pod_id: pod } = await change("create_pod", {
      ...{ podName: "train", podTemplateId: 1, instanceType: "p1.small" },
    });
    const calls = [
      ["delete_bucket", { bucketId }],
      ["delete_bucket_policy", { bucketId }],
      ["delete_object", { bucketId, key: "a.txt" }],
      ["delete_pod", { podId: String(pod) }],
      ["delete_subnet", { vpcId, subnetId: "krn:subnet:1" }],
    ] as const;
    for (const [operation, parameters] of calls.slice(0, 4))
      expect([operation, (await preview(operation, parameters)).error]).toEqual([operation, undefined]);
    state.body = () => "{}";
    for (const [operation, parameters] of calls)
      expect([operation, (await preview(operation, parameters)).error]).toEqual([
        operation,
        expect.stringMatching(/^The object could not be read/),
      ]);
  });

  test("by the policy of another bucket", async () => {
    const { state, more } = replacing(/\/policy\//);
    const { change, preview } = await open({}, more);
    const { krn } = await change("create_bucket", { name: "shop-data" });
    await change("create_bucket_policy", { bucketId: krn, readWriteIps: ["10.0.0.0/8"] });
    for (const bucketId of [krn, "shop-data"])
      expect((await preview("delete_bucket_policy", { bucketId })).object).toMatchObject({ bucketKrn: krn });
    state.body = (body) => body.replace(krn, krn.replace(/.{4}$/, "ffff"));
    expect((await preview("delete_bucket_policy", { bucketId: krn })).error).toMatch(/names another object/);
  });
});

describe("objects that go with it", () => {
  test("in folders of a bucket are listed, and one that is overwritten is noticed", async () => {
    const { state, more } = replacing(/\/objects\?prefix=a%2Fb%2F/);
    for (const objectListDepth of ["folder", "all"] as const) {
      delete state.body;
      const assume = { otpRequired: false, podRead: "pod", objectListDepth } as const;
      const { change, cloud, preview, destroy, isSent } = await open({ assume }, more);
      const bucketId = (await change("create_bucket", { name: "shop-data" })).krn;
      const keys = ["top.txt", "a/one.txt", "a/b/two.txt", "c/three.txt"];
      for (const key of keys) await cloud.run(cloud.create("object", { bucketId, key, content: "text" }));
      const { goes_with_it, digest } = await preview("delete_bucket", { bucketId });
      const listed = goes_with_it[0].objects.map(({ id }: Content) => id);
      const folders = objectListDepth === "folder" ? ["a/", "a/b/", "c/"] : [];
      expect(listed.toSorted()).toEqual([...keys, ...folders].toSorted());
      if (objectListDepth === "all") continue;
      state.body = (body) => body.replace('"size":4', '"size":5');
      expect((await destroy("delete_bucket", { bucketId }, digest)).error).toMatch(
        /has changed since its preview/,
      );
      expect(isSent("delete_bucket")).toBe(false);
    }
  });

  test("in more folders than are read are not all shown, and the preview says so", async () => {
    const { state, more } = replacing(/\/objects\b/);
    const { change, preview } = await open({}, more);
    const bucketId = (await change("create_bucket", { name: "shop-data" })).krn;
    const rows = Array.from({ length: 300 }, (_, index) => ({ key: `folder-${index}/`, isFolder: true }));
    state.body = (body) =>
      JSON.stringify({ prefix: "", objects: JSON.parse(body).prefix === "" ? rows : [] });
    const { goes_with_it } = await preview("delete_bucket", { bucketId });
    expect(goes_with_it[0]).toMatchObject({ count: 300, may_have_more: true });
    expect(goes_with_it[0].objects.length).toBe(50);
  });

  test("are not read if the listing of a folder ignores its prefix", async () => {
    const { state, more } = replacing(/\/objects\?prefix=/);
    const { change, cloud, preview, destroy, isSent } = await open({}, more);
    const bucketId = (await change("create_bucket", { name: "shop-data" })).krn;
    await cloud.run(cloud.create("object", { bucketId, key: "a/one.txt", content: "text" }));
    state.body = () => JSON.stringify({ prefix: "", objects: [{ key: "b.txt", isFolder: false }] });
    const { digest, not_read } = await preview("delete_bucket", { bucketId });
    expect(not_read).toMatchObject([
      {
        about: "the objects and folders of the bucket",
        reason: expect.stringMatching(/keys outside of it/),
        prevents_destroy: true,
      },
    ]);
    expect((await destroy("delete_bucket", { bucketId }, digest)).error).toMatch(
      /^At the preview, this could not be read: the objects/,
    );
    expect(isSent("delete_bucket")).toBe(false);
  });

  test("prevent a destruction if their listing fails, also with a 404, before or after the preview", async () => {
    for (const kind of ["404", "500", "cut-json"]) {
      const { volume, vpcId, preview, destroy, fault, isSent, cloud } = await open();
      const parameters = { vpcId, volumeId: await volume("data") };
      const { digest: before } = await preview("delete_volume", parameters);
      fault("list_snapshots", kind);
      const { digest, not_read, goes_with_it } = await preview("delete_volume", parameters);
      expect([not_read, goes_with_it]).toMatchObject([[{ prevents_destroy: true }], []]);
      expect((await destroy("delete_volume", parameters, before)).error).toMatch(
        /^This could not be read: the snapshots/,
      );
      cloud.emulator.faults.clear();
      expect((await destroy("delete_volume", parameters, digest)).error).toMatch(
        /^At the preview, this could not be read: the snapshots of the volume.*Nothing was sent\.$/s,
      );
      expect(isSent("delete_volume")).toBe(false);
    }
  });

  test("are found by masked IDs, and by other spellings", async () => {
    for (const attachmentInstance of ["krn", "uuid"] as const) {
      const { change, read, vpcId, subnet, image, volume, preview, fault } = await open({
        assume: { otpRequired: false, podRead: "pod", attachmentInstance },
      });
      const subnetId = await subnet();
      const group = (await change("create_security_group", { vpcId, name: "web" })).result.id;
      await change("create_ssh_key", { keyName: "deploy", publicKey });
      await change("create_instance", {
        ...{ vpcId, subnetId, instanceName: "one", instanceType: "c1.small", sshkeyName: "deploy" },
        ...{
          securityGroups: [group],
          imageKrn: await image(),
          volumeName: "disk",
          volumeSize: 20,
          volumeType: "ssd",
        },
      });
      const [{ krn: instanceKrn }] = (await read("search_instances", { vpcId })).instances;
      const volumeId = await volume("data");
      await change("create_snapshot", { vpcId, volumeId, name: "nightly" });
      for (const target of ["list_snapshots", "list_volumes", "search_port"]) fault(target, "masked-ids");
      const counts = async (operation: string, parameters: object) =>
        (await preview(operation, parameters)).goes_with_it.map(({ count }: Content) => count);
      expect(await counts("delete_instance", { instanceKrn })).toEqual([1]);
      expect(await counts("delete_volume", { vpcId, volumeId })).toEqual([1]);
      expect(await counts("delete_subnet", { vpcId, subnetId })).toEqual([1, 0]);
      expect(await counts("delete_security_group", { securityGroupId: group })).toEqual([1, 0, 0]);
    }
  });

  test("of which two have the same masked ID are compared by all that the listing shows", async () => {
    const { state, more } = replacing(/\/kbs\/v1\/snapshots$/);
    const { volume, vpcId, preview, destroy } = await open({}, more);
    const volumeId = await volume("data");
    const named = (name: string) => () =>
      JSON.stringify([{ krn: "krn:kbs:In-Bangalore-1:1:***:snapshot:***", name, volume_id: volumeId }]);
    state.body = named("nightly");
    const { digest } = await preview("delete_volume", { vpcId, volumeId });
    state.body = named("the only copy");
    expect((await destroy("delete_volume", { vpcId, volumeId }, digest)).error).toMatch(/has changed since/);
  });

  test("that cannot be compared count, as objects that may belong to it", async () => {
    const { state, more } = replacing(/\/kbs\/v1\/snapshots$/);
    const { change, volume, vpcId, preview } = await open({}, more);
    const volumeId = await volume("data");
    await change("create_snapshot", { vpcId, volumeId: await volume("logs"), name: "nightly" });
    expect((await preview("delete_volume", { vpcId, volumeId })).goes_with_it).toMatchObject([{ count: 0 }]);
    state.body = (body) =>
      JSON.stringify(JSON.parse(body).map((row: Content) => ({ ...row, volume_id: null })));
    const { goes_with_it } = await preview("delete_volume", { vpcId, volumeId });
    expect(goes_with_it).toMatchObject([{ count: 1, may_belong_to_it: 1, objects: [{ name: "nightly" }] }]);
  });

  test("with a VPC are its networks, copies and templates, and what no operation lists is named", async () => {
    const { change, volume, vpcId, subnet, image, preview } = await open();
    const volumeId = await volume("data");
    await change("create_snapshot", { vpcId, volumeId, name: "nightly" });
    await change("create_backup", { vpcId, volumeId, name: "weekly" });
    const group = (await change("create_security_group", { vpcId, name: "web" })).result.id;
    await change("create_ssh_key", { keyName: "deploy", publicKey });
    const imageKrn = await image();
    await change("create_template", {
      ...{ name: "worker", vpcId, subnetId: await subnet(), instanceType: "c1.small", sshkeyName: "deploy" },
      ...{ securityGroups: [group], imageKrn, volumeName: "disk", volumeSize: 20, volumeType: "ssd" },
    });
    const { goes_with_it, not_read } = await preview("delete_vpc", { vpcId });
    const counts = Object.fromEntries(goes_with_it.map(({ about, count }: Content) => [about, count]));
    expect(counts).toMatchObject({
      "the networks of the VPC": 1,
      "the snapshots of the volumes of the VPC": 1,
      "the backups of the volumes of the VPC": 1,
      "the instance templates that name the VPC, which can no longer be used": 1,
    });
    expect(not_read).toEqual([
      { about: expect.stringMatching(/^the load balancers/), reason: "no operation lists them" },
    ]);
    const used = (await preview("delete_security_group", { securityGroupId: group })).goes_with_it;
    expect(used.at(1)).toMatchObject({ about: expect.stringMatching(/^the instance templates/), count: 1 });
  });
});

test("the backup of a restore is part of the object, and must be read", async () => {
  const { change, volume, vpcId, preview, destroy, fault, isSent } = await open();
  const volumeId = await volume("data");
  const backupId = (await change("create_backup", { vpcId, volumeId, name: "weekly" })).backup.id;
  const parameters = { vpcId, volumeId, backupId };
  const { object, digest } = await preview("restore_backup", parameters);
  expect(object).toMatchObject({ name: "data", restored_from: { name: "weekly" } });
  fault("get_backup", "404");
  expect((await destroy("restore_backup", parameters, digest)).error).toMatch(/^The object was not found/);
  expect(isSent("restore_backup")).toBe(false);
});

test("a checkpoint is matched by its name alone, and two of a name are ambiguous", async () => {
  const { state, more } = replacing(/\/checkpoints$/);
  const { preview } = await open({}, more);
  const rows = (list: readonly object[]) => {
    state.body = () => JSON.stringify(list);
  };
  rows([{ name: "mine", model: "llama" }]);
  expect((await preview("delete_checkpoint", { checkpoint: "llama" })).error).toMatch(
    /^The object was not found/,
  );
  expect((await preview("delete_checkpoint", { checkpoint: "mine" })).object).toMatchObject({
    model: "llama",
  });
  rows([1, 2].map((version) => ({ name: "mine", model: "llama", version })));
  expect((await preview("delete_checkpoint", { checkpoint: "mine" })).error).toMatch(
    /several different rows/i,
  );
});

test("an instance whose creation failed is found by its task, with its volume", async () => {
  const { change, vpcId, subnet, image, preview, destroy } = await open({
    assume: { otpRequired: false, podRead: "pod", instanceShowsTask: true },
  });
  await change("create_ssh_key", { keyName: "deploy", publicKey });
  const group = (await change("create_security_group", { vpcId, name: "web" })).result.id;
  const { task_id: taskId } = await change("create_instance", {
    ...{
      vpcId,
      subnetId: await subnet(),
      instanceName: "vm-fails",
      instanceType: "c1.small",
      sshkeyName: "deploy",
    },
    ...{
      securityGroups: [group],
      imageKrn: await image(),
      volumeName: "disk",
      volumeSize: 20,
      volumeType: "ssd",
    },
  });
  const result = await preview("delete_instance", { taskId, deleteVolume: true });
  expect(result.object).toMatchObject({ task_id: taskId, vpcId });
  expect(result.not_read).toMatchObject([{ about: expect.stringMatching(/^a floating IP/) }]);
  expect((await destroy("delete_instance", { taskId, deleteVolume: true }, result.digest)).result).toBe(
    "accepted",
  );
  expect((await preview("delete_instance", { taskId: "task-of-nobody" })).error).toMatch(
    /^The object was not found/,
  );
});

test("an object that is too large is cut in the preview, and its digest covers all of it", async () => {
  const { state, more } = replacing(/\/kbs\/v1\/volumes\/[^/?]+$/);
  const { volume, vpcId, preview, destroy, isSent } = await open({}, more);
  const parameters = { vpcId, volumeId: await volume("data") };
  const large = (last: string) => (body: string) =>
    JSON.stringify({
      ...JSON.parse(body),
      metadata: Object.fromEntries(
        Array.from({ length: 5_000 }, (_, index) => [
          `label-${index}`,
          index === 4_999 ? last : "a text of a label",
        ]),
      ),
    });
  state.body = large("a");
  const { object, digest } = await preview("delete_volume", parameters);
  expect(JSON.stringify(object).length).toBeLessThan(48_000);
  expect(object).toMatchObject({ name: "data", is_cut: expect.stringMatching(/^Only 48000/) });
  state.body = large("b");
  expect((await destroy("delete_volume", parameters, digest)).error).toMatch(/has changed since its preview/);
  expect(isSent("delete_volume")).toBe(false);
});

describe("the question to the user", () => {
  const asking = (messages: string[], text: () => string) => {
    const answer: Answering["answer"] = (params) => {
      messages.push(String(params?.message));
      return { action: "accept", content: { confirm: text() } };
    };
    return { client: { capabilities: { elicitation: {} }, answer } };
  };

  test("names all parameters, and what goes with the object", async () => {
    const messages: string[] = [];
    const { change, cloud, volume, vpcId, preview, destroy } = await open(
      {},
      asking(messages, () => "nothing"),
    );
    const bucketId = (await change("create_bucket", { name: "shop-data" })).krn;
    await cloud.run(cloud.create("object", { bucketId, key: "a.txt", content: "a" }));
    const volumeId = await volume("data");
    await change("create_snapshot", { vpcId, volumeId, name: "nightly" });
    const calls = [
      ["delete_object", { bucketId, key: "a.txt" }, [`bucketId: "${bucketId}"`]],
      [
        "move_object",
        { bucketId, sourceKey: "a.txt", destinationKey: "b.txt", action: "move" },
        ['sourceKey: "a.txt"', 'action: "move"'],
      ],
      [
        "create_lifecycle_rule",
        { bucketId, name: "old", expirationDays: 30 },
        ["expirationDays: 30", "goes with it: 1 of the objects and folders of the bucket"],
      ],
      [
        "delete_volume",
        { vpcId, volumeId, force: true },
        [
          "force: true",
          "goes with it: 1 of the snapshots of the volume, which block the delete or go with it",
        ],
      ],
    ] as const;
    for (const [operation, parameters, lines] of calls) {
      const { digest } = await preview(operation, parameters);
      await destroy(operation, parameters, digest);
      expect(messages.at(-1)?.split("\n")).toEqual(expect.arrayContaining([...lines]));
    }
    expect(messages.length).toBe(calls.length);
  });

  test.each(["yes", "OK", "true", "abc"])("is not confirmed by an object that is named %s", async (name) => {
    const messages: string[] = [];
    const { volume, vpcId, preview, destroy, isSent } = await open(
      {},
      asking(messages, () => name),
    );
    const parameters = { vpcId, volumeId: await volume(name) };
    const { digest } = await preview("delete_volume", parameters);
    expect((await destroy("delete_volume", parameters, digest)).error).toMatch(/^The user did not confirm/);
    expect(messages[0]).toMatch(/To confirm, type the ID of the object\.$/);
    expect(isSent("delete_volume")).toBe(false);
  });

  test("has no markup and no link of a name", async () => {
    const messages: string[] = [];
    const { volume, vpcId, preview, destroy } = await open(
      {},
      asking(messages, () => ""),
    );
    const name = "<b>ok</b> [here](https://evil.example) `code` & more";
    const parameters = { vpcId, volumeId: await volume(name) };
    await destroy("delete_volume", parameters, (await preview("delete_volume", parameters)).digest);
    expect(messages[0]).not.toMatch(/[<>`&]|:\/\/|\]\(/);
    expect(messages[0]).toContain("\\u003cb\\u003eok");
  });
});
