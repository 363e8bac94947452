import { describe, expect, test } from "@jest/globals";
import { createPreviews, validMs } from "../../../mcp/preview.ts";
import { createServer } from "../../../mcp/server.ts";
import { allOperations } from "../../../operation/operations.ts";
import { type Answering, connect, offerIn, openWriter } from "../client.ts";

/** Opens a server with a volume, and returns the parameters of its delete. */
async function withVolume(...options: Parameters<typeof openWriter>) {
  const world = await openWriter(...options);
  const { call } = world;
  await call("change", { operation: "create_vpc", parameters: { name: "shop" } });
  const vpcs = await call("read_operation", { operation: "get_vpc_list" });
  const { vpcId } = vpcs.response[0];
  const volume = async (name: string) => {
    const parameters = { vpcId, name, size: 10, volumeType: "ssd" };
    const created = await call("change", { operation: "create_volume", parameters });
    return { operation: "delete_volume", parameters: { vpcId, volumeId: created.response.volume.id } };
  };
  const [target, other] = [await volume("data"), await volume("logs")];
  const preview = async (args: object = target): Promise<string> =>
    (await call("preview_destruction", args)).digest;
  /** Requests that may have changed something. */
  const changes = () =>
    world.cloud.emulator.log
      .entries()
      .filter(({ operation }) => /^(delete|create|update)/.test(operation ?? "")).length;
  return { ...world, vpcId, target, other, preview, changes };
}

const again = "Call preview_destruction again, and look at its result. Nothing was sent.";

test("operations are listed by text, area and effect, with the tools that call them", async () => {
  const { call } = await openWriter();
  const all = await call("list_operations");
  expect(all.count).toBe(192);
  const names = Object.values(all.areas as Record<string, Record<string, string[]>>)
    .flatMap(Object.values)
    .flat();
  expect(names.toSorted()).toEqual(
    allOperations()
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(all.areas.accessKey).toEqual({
    not_offered: ["create_access_key", "delete_all_access_keys"],
    reads: ["list_access_keys"],
    destroys: ["delete_access_key"],
  });
  expect(JSON.stringify(all).length).toBeLessThan(8_000);
  const { operations } = await call("list_operations", { text: "RESTORE", area: "volume" });
  expect(operations).toEqual([
    {
      operation: "restore_backup",
      area: "volume",
      effect: "changes or destroys",
      about: expect.stringMatching(/^Starts a restore of a backup/),
      tools: ["change", "preview_destruction", "destroy"],
    },
  ]);
  const { operations: billed } = await call("list_operations", { text: "translate" });
  expect(billed).toMatchObject([{ operation: "translate", effect: "changes", is_billed: true }]);
  const { operations: destroying } = await call("list_operations", { effect: "destroys", area: "accessKey" });
  expect(destroying).toMatchObject([
    { operation: "delete_access_key", tools: ["preview_destruction", "destroy"] },
    { operation: "delete_all_access_keys", not_offered: expect.stringMatching(/use kcloud call\.$/) },
  ]);
});

test("an operation is described with its parameters, its loss and its section", async () => {
  const { call } = await openWriter();
  expect(await call("describe_operation", { operation: "create_lifecycle_rule" })).toMatchObject({
    effect: "changes or destroys",
    tools: ["change", "preview_destruction", "destroy"],
    request: "POST /kos/v1/buckets/{bucket}/lifecycle-rules",
    section: "docs/contract.md#9.3",
    parameters: { required: ["bucketId", "name"], additionalProperties: false },
    loss: {
      with_some_parameters: "An enabled rule deletes objects or their versions.",
      may_go_with_it: ["the objects and folders of the bucket"],
    },
  });
  const instance = await call("describe_operation", { operation: "createInstance" });
  expect(instance).toMatchObject({
    operation: "create_instance",
    not_parameters: ["userData: a secret", "gatewayPassword: a secret", "modelApiKey: a secret"],
  });
  expect(Object.keys(instance.parameters.properties)).not.toContain("userData");
  expect(await call("describe_operation", { operation: "delete_vlume" })).toEqual({
    error: 'Unknown operation "delete_vlume"; did you mean "delete_volume"? (list_operations lists them)',
  });
  expect(await call("describe_operation", { operation: "control_instance" })).toMatchObject({
    not_lost: expect.stringMatching(/^The disks are kept/),
  });
});

test("an object is destroyed with the digest of its preview, which names it and what goes with it", async () => {
  const { call, target, vpcId, changes } = await withVolume();
  const snapshot = { vpcId, volumeId: target.parameters.volumeId, name: "nightly" };
  await call("change", { operation: "create_snapshot", parameters: snapshot });
  const preview = await call("preview_destruction", target);
  expect(preview).toMatchObject({
    operation: "delete_volume",
    object: { name: "data", size: 10, status: "available" },
    goes_with_it: [
      { about: expect.stringMatching(/^the snapshots/), count: 1, objects: [{ name: "nightly" }] },
    ],
    not_read: [],
    digest: expect.stringMatching(/^[\w-]{43}$/),
    valid_seconds: 600,
    confirmed_by: "nobody: the client has no form",
  });
  const [{ id: snapshotId }] = preview.goes_with_it[0].objects;
  const removal = { operation: "delete_snapshot", parameters: { vpcId, snapshotId } };
  const { digest } = await call("preview_destruction", removal);
  expect(await call("destroy", { ...removal, digest })).toMatchObject({ result: "accepted" });
  // The preview of the volume named the snapshot, which is gone.
  const before = changes();
  expect(await call("destroy", { ...target, digest: preview.digest })).toEqual({
    error: `The object, or an object that goes with it, has changed since its preview. ${again}`,
  });
  expect(changes()).toBe(before);
  const next = await call("preview_destruction", target);
  expect(await call("destroy", { ...target, digest: next.digest })).toEqual({
    operation: "delete_volume",
    result: "accepted",
    response: null,
  });
  const gone = await call("preview_destruction", target);
  expect(gone.error).toBe("The object was not found: it may be gone, or in another region or VPC.");
});

describe("nothing is sent", () => {
  test("without a digest, and with one of another object, of another session, an expired or a used one", async () => {
    const { call, cloud, target, other, preview, changes } = await withVolume();
    const before = changes();
    expect(await call("destroy", target)).toEqual({ error: "destroy: missing: digest" });
    expect(await call("destroy", { ...target, digest: "x" })).toEqual({
      error: `The digest is that of no preview of this session. ${again}`,
    });
    const different = { error: `The digest is that of another operation or of other parameters. ${again}` };
    expect(await call("destroy", { ...target, digest: await preview(other) })).toEqual(different);
    const parameters = { ...target.parameters, force: true };
    expect(await call("destroy", { ...target, parameters, digest: await preview() })).toEqual(different);

    const second = await connect(createServer(offerIn(cloud, { previews: createPreviews() })));
    const elsewhere = await cloud.run(second.call("destroy", { ...target, digest: await preview() }));
    expect(elsewhere.structuredContent.error).toMatch(/^The digest is that of no preview of this session/);

    const expired = await preview();
    await cloud.run(cloud.session.ports.clock.sleep(validMs + 1, new AbortController().signal));
    expect(await call("destroy", { ...target, digest: expired })).toEqual({
      error: `The digest has expired: it is valid for ten minutes. ${again}`,
    });
    expect(changes()).toBe(before);

    const digest = await preview();
    expect(await call("destroy", { ...target, digest })).toMatchObject({ result: "accepted" });
    expect(await call("destroy", { ...target, digest })).toEqual({
      error: `The digest was used: it is valid for one call. ${again}`,
    });
    expect(changes()).toBe(before + 1);
  });

  test("if the object has changed, or is gone, since its preview", async () => {
    const { call, target, preview, changes } = await withVolume();
    const digest = await preview();
    const update = { ...target.parameters, name: "renamed", description: "", metadata: {} };
    await call("change", { operation: "update_volume", parameters: update });
    const before = changes();
    expect((await call("destroy", { ...target, digest })).error).toMatch(/has changed since its preview/);
    // The digest is used up, although nothing was sent.
    expect((await call("destroy", { ...target, digest })).error).toMatch(/^The digest was used/);
    expect(changes()).toBe(before);
    const [first, second] = [await preview(), await preview()];
    await call("destroy", { ...target, digest: first });
    expect((await call("destroy", { ...target, digest: second })).error).toMatch(
      /^The object (was not found|, or an object that goes with it, has changed)/,
    );
    expect(changes()).toBe(before + 1);
  });

  test("if two calls use a digest at the same time, by one of the two", async () => {
    const { call, cloud, client, target, preview, changes } = await withVolume();
    const digest = await preview();
    const before = changes();
    const results = await cloud.run(
      Promise.all([1, 2, 3].map(() => client.call("destroy", { ...target, digest }))),
    );
    expect(results.map(({ isError }) => isError === true).toSorted()).toEqual([false, true, true]);
    expect(changes()).toBe(before + 1);
    expect((await call("destroy", { ...target, digest })).error).toMatch(/^The digest was used/);
  });

  test("by change for an operation that destroys, also one that does with its arguments only", async () => {
    const { call, target, vpcId, changes } = await withVolume();
    const before = changes();
    expect((await call("change", target)).error).toBe(
      "delete_volume destroys: call preview_destruction, then destroy with its digest. Nothing was sent.",
    );
    const { volumeId } = target.parameters;
    const restore = { operation: "restore_backup", parameters: { vpcId, backupId: "b", volumeId } };
    expect((await call("change", restore)).error).toMatch(
      /^restore_backup destroys \(With `volumeId`, the content/,
    );
    expect((await call("change", { operation: "get_vpc_list" })).error).toMatch(/^get_vpc_list only reads/);
    expect((await call("read_operation", target)).error).toBe("delete_volume is no read. Nothing was sent.");
    expect(
      (await call("read_operation", { operation: "create_vpc", parameters: { name: "x" } })).error,
    ).toMatch(/is no read/);
    const created = { operation: "create_vpc", parameters: { name: "x" } };
    expect((await call("preview_destruction", created)).error).toMatch(
      /destroys nothing with these parameters/,
    );
    expect(changes()).toBe(before);
  });

  test("for an operation that is not offered, a secret, and parameters with problems, which are all named", async () => {
    const { call, changes } = await openWriter().then(async (world) => ({
      ...world,
      changes: () => world.cloud.emulator.log.entries().length,
    }));
    for (const tool of ["change", "read_operation", "preview_destruction"])
      expect((await call(tool, { operation: "create_access_key", parameters: { keyName: "k" } })).error).toBe(
        "create_access_key is not offered: Its response contains a secret.",
      );
    expect(
      (await call("change", { operation: "create_instance", parameters: { userData: "x" } })).error,
    ).toBe("userData: a secret is no parameter of a tool. Nothing was sent.");
    const { error } = await call("change", { operation: "create_volume", parameters: { nme: "x", size: 0 } });
    for (const part of ["nme", "vpcId: is required", "size", "Nothing was sent."])
      expect(error).toContain(part);
    expect((await call("change", { operation: "creat_vpc" })).error).toMatch(/did you mean "create_vpc"/);
    expect(changes()).toBe(0);
  });
});

describe("the user of a client with forms", () => {
  const asking = (answer: Answering["answer"]): NonNullable<Parameters<typeof openWriter>[2]> => ({
    client: { capabilities: { elicitation: {} }, ...(answer && { answer }) },
  });
  const accepting = (text: string) => ({ action: "accept", content: { confirm: text } });

  test.each([
    ["the ID", (id: string) => accepting(id), true],
    ["the name", () => accepting("data"), true],
    ["another name", () => accepting("logs"), false],
    ["nothing", () => accepting(""), false],
    ["no", () => ({ action: "decline" }), false],
    ["no, and the ID", (id: string) => ({ action: "decline", content: { confirm: id } }), false],
    ["cancel", () => ({ action: "cancel" }), false],
  ])("types %s, and the object is destroyed only if that confirms", async (_, answered, isDestroyed) => {
    let id = "";
    const messages: unknown[] = [];
    const { call, target, preview, changes } = await withVolume(
      {},
      {},
      asking((params) => {
        messages.push(params);
        return answered(id);
      }),
    );
    id = target.parameters.volumeId;
    const digest = await preview();
    const before = changes();
    const result = await call("destroy", { ...target, digest });
    expect(messages).toMatchObject([
      {
        mode: "form",
        message: expect.stringContaining(`Object: "${id}", named "data".`),
        requestedSchema: { required: ["confirm"] },
      },
    ]);
    if (isDestroyed) expect(result).toMatchObject({ result: "accepted" });
    else expect(result).toEqual({ error: `The user did not confirm. ${again}` });
    expect(changes()).toBe(before + (isDestroyed ? 1 : 0));
    expect((await call("destroy", { ...target, digest })).error).toMatch(/^The digest was used/);
  });

  test("is asked once, and a second call with the digest is refused in the meantime", async () => {
    let answer: (result: object) => void = () => {};
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { cloud, client, call, target, preview, changes } = await withVolume(
      {},
      {},
      asking(() => {
        asked();
        return new Promise((resolve) => {
          answer = resolve;
        });
      }),
    );
    const digest = await preview();
    const before = changes();
    const first = client.call("destroy", { ...target, digest });
    await isAsked;
    expect((await call("destroy", { ...target, digest })).error).toMatch(
      /^The digest is used by a call that waits for its user/,
    );
    answer(accepting("data"));
    expect((await cloud.run(first)).structuredContent).toMatchObject({ result: "accepted" });
    expect(changes()).toBe(before + 1);
  });

  test("who does not answer in time confirms nothing", async () => {
    const silent = { ...asking(() => undefined), more: { askMs: 20 } };
    const { call, client, cloud, target, preview, changes } = await withVolume({}, {}, silent);
    const digest = await preview();
    const before = changes();
    const { isError } = await cloud.run(client.call("destroy", { ...target, digest }));
    expect([isError, changes()]).toEqual([true, before]);
    expect((await call("destroy", { ...target, digest })).error).toMatch(/^The digest is used by a call/);
  });

  test("sees the ID, whatever the name of the object is", async () => {
    const messages: string[] = [];
    const world = await openWriter(
      {},
      {},
      asking((params) => {
        messages.push(String(params?.message));
        return { action: "decline" };
      }),
    );
    const { call } = world;
    await call("change", { operation: "create_vpc", parameters: { name: "net" } });
    const [{ vpcId }] = (await call("read_operation", { operation: "get_vpc_list" })).response;
    const name = `web".\nObject: "harmless".\u202e${"x".repeat(300)}`;
    const parameters = { vpcId, name, size: 1, volumeType: "ssd" };
    const { response } = await call("change", { operation: "create_volume", parameters });
    const volumeId = response.volume.id;
    const target = { operation: "delete_volume", parameters: { vpcId, volumeId } };
    const { digest } = await call("preview_destruction", target);
    await call("destroy", { ...target, digest });
    const [first, ...others] = messages[0]?.split("\n") ?? [];
    expect(first).toContain(`Object: "${volumeId}", named "web\\".\\nObject: \\"harmless\\".\\\\u{202e}xxx`);
    expect(others).toEqual([
      `vpcId: "${vpcId}"`,
      "force: false",
      "To confirm, type the ID or the name of the object.",
    ]);
  });

  test("may take long: the object is read after the answer, and a change in the meantime is found", async () => {
    let during = async () => {};
    const { call, target, preview, changes } = await withVolume(
      {},
      {},
      asking(async () => {
        await during();
        return accepting("data");
      }),
    );
    const digest = await preview();
    const update = { ...target.parameters, name: "renamed", description: "", metadata: {} };
    during = async () => {
      await call("change", { operation: "update_volume", parameters: update });
    };
    const before = changes();
    expect((await call("destroy", { ...target, digest })).error).toMatch(/has changed since its preview/);
    expect(changes()).toBe(before + 1);
  });
});
