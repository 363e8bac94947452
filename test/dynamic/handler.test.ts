import { expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../../emulator/emulator.ts";
import { dynamicProvider } from "../../provider/core/name.ts";
import { createSessionCache } from "../../provider/dynamic/configuration.ts";
import { createHandlers, type Handlers } from "../../provider/dynamic/handler.ts";
import { logicalNameKey, type Properties } from "../../provider/dynamic/value.ts";
import type { Clock } from "../../provider/platform/ports.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { resource } from "../support/cloud.ts";

/** Clock that runs twenty times as fast as real time. */
const clock: Clock = {
  monotonic: () => performance.now() * 20,
  wall: () => Date.now(),
  sleep: (ms, signal) => realPorts.clock.sleep(ms / 20, signal),
};

interface Process {
  readonly emulator: Emulator;
  readonly settings: Readonly<Record<string, string>>;
  readonly said: { severity: string; message: string; ephemeral: boolean }[];
  /** Returns handlers of a resource kind with the stack's configuration. */
  handlers(kind: string, config?: Record<string, string>): Handlers;
  /** Returns handlers of a new process. */
  fresh(kind: string, config?: Record<string, string>): Handlers;
}

/** Runs `work` with a host process: handlers, the emulator, and an engine that records log messages. */
async function inProcess(work: (process: Process) => Promise<void>) {
  const emulator = createEmulator({ taskMs: 20 });
  const server = await emulator.listen();
  const said: Process["said"] = [];
  const engineLog = {
    write: async (severity: string, message: string, _urn = "", ephemeral = false) => {
      said.push({ severity, message, ephemeral });
    },
  };
  const ports = { ...realPorts, clock, random: { next: () => 0.5 } };
  const settings: Record<string, string> = {
    "kcloud:baseUrl": server.url,
    "kcloud:apiKey": "emulator-key",
    "kcloud:region": "In-Bangalore-1",
    "kcloud:accountId": "000000000000",
    "kcloud:maxRequestsPerSecond": "0",
    "proj:unrelated": "x",
  };
  const open = (
    kind: string,
    session = createSessionCache(ports, {}, () => {}),
    config = settings,
  ): Handlers => {
    const handlers = createHandlers(resource(kind), { engineLog, session });
    // The host does not wait for the result.
    void handlers.configure({ config: { get: (key) => config[key] } });
    return handlers;
  };
  const shared = createSessionCache(ports, {}, () => {});
  try {
    await work({
      emulator,
      settings,
      said,
      handlers: (kind, config) => open(kind, shared, config),
      fresh: (kind, config) => open(kind, undefined, config),
    });
  } finally {
    await server.close();
  }
}

const provider = dynamicProvider("volume");
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const vpcKrn = "krn:vpc:In-Bangalore-1:0:0:vpc:1";
const size = { sizeGb: 10, volumeType: "ssd" };
const defaults = { availabilityZone: "nova", multiattach: false };

/** Creates a volume in a VPC as the host does: inputs and outputs contain the provider. */
async function volume({ handlers }: Process): Promise<{ id: string; inputs: Properties; outs: Properties }> {
  const vpc = handlers("vpc");
  const net = await vpc.create((await vpc.check({}, { name: "net" })).inputs);
  const { inputs } = await handlers("volume").check({}, { vpcId: net.id, name: "data", ...size });
  const written = { ...inputs, __provider: provider };
  const made = await handlers("volume").create(written);
  return { id: made.id, inputs: written, outs: { ...made.outs, __provider: provider } };
}

/** Returns the error that a handler throws, as the host reads it. */
async function thrown(work: Promise<unknown>) {
  try {
    await work;
  } catch (error) {
    return error as Error & { id?: string; properties?: Properties; reasons?: string[] };
  }
  throw new Error("it did not fail");
}

test("check adds defaults, keeps unknowns, and removes the provider and the logical name", () =>
  inProcess(async ({ handlers }) => {
    const news = { __provider: provider, [logicalNameKey]: "orders", vpcId: unknown, ...size };
    expect(await handlers("volume").check({}, news)).toEqual({
      inputs: { vpcId: unknown, name: "orders", ...size, ...defaults },
      failures: [],
    });
  }));

test.each<[string, Properties, Properties, string]>([
  ["the program's", { name: "old" }, { [logicalNameKey]: "orders", name: "mine" }, "mine"],
  ["the old input's", { name: "orders-1a2b3c4" }, { [logicalNameKey]: "orders" }, "orders-1a2b3c4"],
  ["the logical name", {}, { [logicalNameKey]: "orders" }, "orders"],
])("the name is %s", (_, olds, news, name) =>
  inProcess(async ({ handlers }) => {
    expect((await handlers("vpc").check(olds, news)).inputs.name).toBe(name);
  }),
);

test("a check failure never names a property: the engine would print its value, and the host does not report which values are secret", () =>
  inProcess(async ({ handlers }) => {
    const { failures } = await handlers("volume").check(
      {},
      { vpcId: vpcKrn, name: "data", ...size, sizeGb: 0 },
    );
    expect(failures).toEqual([{ property: "", reason: "sizeGb: must be at least 1" }]);
  }));

const stored = { vpcId: vpcKrn, name: "data", ...size, ...defaults, __provider: provider };

test.each<[string, Properties, Properties, unknown]>([
  ["nothing", stored, stored, { changes: false }],
  [
    "a size, whose change the engine itself detects",
    stored,
    { ...stored, sizeGb: 20 },
    { replaces: [], deleteBeforeReplace: true },
  ],
  [
    "a zone under the same name",
    stored,
    { ...stored, availabilityZone: "nova-2" },
    { replaces: ["availabilityZone"], deleteBeforeReplace: true },
  ],
  [
    "a zone under another name",
    stored,
    { ...stored, availabilityZone: "nova-2", name: "data-2" },
    { replaces: ["availabilityZone"], deleteBeforeReplace: false },
  ],
  [
    "the provider alone, with a state that the plugin stored",
    { ...stored, __provider: undefined as never },
    stored,
    { changes: true },
  ],
])("a diff of %s", (_, olds, news, expected) =>
  inProcess(async ({ handlers }) => {
    expect(await handlers("volume").diff("krn:1", olds, news)).toEqual(expected);
  }),
);

test("a change that is not possible is rejected by the diff of a preview", () =>
  inProcess(async ({ handlers }) => {
    const error = await thrown(handlers("volume").diff("krn:1", stored, { ...stored, sizeGb: 5 }));
    expect(error.message).toBe(
      "Invalid value for sizeGb\nsizeGb: cannot shrink from 10 to 5 GB: the volume is 10 GB now; set sizeGb: 10, or create a smaller volume and copy the data",
    );
    // The host prints errors in this format.
    expect(`${error}: ${error.stack}`).toBe(
      "Invalid value for sizeGb: sizeGb: cannot shrink from 10 to 5 GB: the volume is 10 GB now; set sizeGb: 10, or create a smaller volume and copy the data",
    );
  }));

test("the diff of a refresh rejects nothing: it compares with a change made outside of Pulumi", () =>
  inProcess(async (process) => {
    const { id, inputs, outs } = await volume(process);
    process.emulator.inventory.change(id, { size: 30 });
    const handlers = process.fresh("volume");
    const read = await handlers.read(id, outs);
    expect(read.inputs).toMatchObject({ sizeGb: 30 });
    const grown = { ...read.props, __provider: provider };
    expect(await handlers.diff(id, grown, inputs)).toEqual({ replaces: [], deleteBeforeReplace: true });
    expect((await thrown(handlers.diff(id, grown, inputs))).message).toContain(
      "cannot shrink from 30 to 10 GB: the volume is 30 GB now; set sizeGb: 30,",
    );
  }));

test("an object whose create failed is kept if it is ready by then, and if it cannot be read", () =>
  inProcess(async (process) => {
    const { id, inputs, outs } = await volume(process);
    const failed = { ...outs, __failed: "the API reports the status error", status: "error" };
    const handlers = process.fresh("volume");
    expect(await handlers.diff(id, failed, inputs)).toEqual({ changes: false });
    expect((await handlers.update(id, failed, inputs)).outs).toMatchObject({ status: outs.status });
    process.emulator.faults.add({ target: "list_volumes", kind: "403", times: 9 });
    expect((await thrown(process.fresh("volume").diff(id, failed, inputs))).message).toContain("403");
  }));

test("a replacement logs what it destroys, with the object's name", () =>
  inProcess(async ({ handlers, said }) => {
    await handlers("volume").diff("krn:1", stored, { ...stored, multiattach: true });
    expect(said.map(({ message }) => message)).toEqual([
      'volume "data": Changing multiattach replaces the object. The data on the volume is destroyed; take a backup or a copy first.',
    ]);
  }));

test("a replacement of a bucket does not ask for a one-time password that otpCommand obtains", () =>
  inProcess(async ({ handlers, settings, said }) => {
    const bucket = { name: "store", region: "In-Bangalore-1" };
    const diff = (config: Record<string, string>) =>
      handlers("bucket", { ...settings, ...config }).diff("krn:kos:1", bucket, { ...bucket, name: "other" });
    await diff({});
    expect(said.some(({ message }) => message.includes("requires a one-time password"))).toBe(true);
    said.length = 0;
    await diff({ "kcloud:otpCommand": "echo 123456" });
    expect(said.map(({ message }) => message)).not.toEqual([]);
    expect(said.some(({ message }) => message.includes("one-time password"))).toBe(false);
  }));

test("a volume is created, read, updated and deleted; results are plain JSON", () =>
  inProcess(async (process) => {
    const { id, inputs, outs } = await volume(process);
    const { __provider, ...values } = inputs;
    const { __createdAt } = outs;
    const shown = { ...values, region: "In-Bangalore-1", status: "available", __createdAt };
    expect(outs).toEqual({ ...shown, __createdAt: expect.any(Number), __provider });
    const handlers = process.fresh("volume");
    expect(await handlers.read(id, outs)).toEqual({
      id,
      props: shown,
      inputs: values,
    });
    const changed = await handlers.update(id, outs, { ...inputs, sizeGb: 20 });
    expect(changed.outs).toEqual({ ...shown, sizeGb: 20 });
    // The entry that the update got stays in the program: another one with the object does not delete it.
    await handlers.delete(id, { ...changed.outs, __provider: provider });
    expect(process.emulator.log.counts().delete_volume ?? 0).toBe(0);
    await process.fresh("volume").delete(id, { ...changed.outs, __provider: provider });
    expect(await process.fresh("volume").read(id, { ...outs, __createdAt: 0 })).toEqual({});
  }));

test("with adoptExisting, a second resource does not adopt an object that another one manages, and its delete keeps the object", () =>
  inProcess(async (process) => {
    const { id, inputs, outs } = await volume(process);
    const adopting = { ...process.settings, "kcloud:adoptExisting": "true" };
    const first = process.handlers("volume", adopting);
    expect(await first.diff(id, outs, inputs)).toEqual({ changes: false });
    const refused = await thrown(first.create(inputs));
    expect(refused.message).toContain(
      `is the name of ${id}, which another resource of this configuration manages`,
    );
    // The host may run the create before the diff: then both manage the object.
    expect((await process.fresh("volume", adopting).create(inputs)).id).toBe(id);
    const next = process.fresh("volume", adopting);
    await next.diff(id, outs, inputs);
    await next.delete(id, outs);
    expect(process.emulator.log.counts().delete_volume ?? 0).toBe(0);
    expect(process.said.at(-1)?.message).toContain(
      `Another entry of the state has the volume "data" (${id}), so it was not deleted. Only this entry left the state.`,
    );
    // A replacement deletes its own object.
    const replacing = process.fresh("volume", adopting);
    expect(await replacing.diff(id, outs, { ...inputs, multiattach: true })).toMatchObject({
      deleteBeforeReplace: true,
    });
    await replacing.delete(id, outs);
    expect((await replacing.create({ ...inputs, multiattach: true })).id).not.toBe(id);
  }));

test("the diffs of a refresh, one for each entry of an object, do not keep an object that the program drops", () =>
  inProcess(async (process) => {
    const { id, inputs, outs } = await volume(process);
    const handlers = process.fresh("volume");
    for (const _ of [1, 2]) await handlers.read(id, outs);
    for (const _ of [1, 2]) await handlers.diff(id, outs, inputs);
    await handlers.delete(id, outs);
    expect(process.emulator.log.counts().delete_volume).toBe(1);
  }));

test("`get` of a volume accepts its import id", () =>
  inProcess(async (process) => {
    const { id, outs } = await volume(process);
    const { id: seen, props } = await process
      .fresh("volume")
      .read(`${outs.vpcId},${id}`, { __provider: provider });
    expect(seen).toBe(id);
    const { __createdAt, ...imported } = outs;
    expect({ ...props, __provider: provider }).toEqual(imported);
  }));

test("a failed create returns the partial state with the id and the provider, without which no run could read it", () =>
  inProcess(async (process) => {
    const { inputs } = await volume(process);
    process.emulator.faults.add({ target: "list_volumes", kind: "403", from: 2 });
    const error = await thrown(process.fresh("volume").create({ ...inputs, name: "other" }));
    expect(error.id).toMatch(/^krn:kbs:/);
    const __createdAt = expect.any(Number);
    expect(error.properties).toEqual({ ...inputs, name: "other", region: "In-Bangalore-1", __createdAt });
    expect(error.reasons).toEqual([error.message]);
    expect(error.message).toContain(`The object exists as ${error.id} and is in the state.`);
  }));

test("a missing setting is reported by the call that needs it, with a way to try without an account", () =>
  inProcess(async ({ handlers }) => {
    const { message } = await thrown(handlers("vpc", {}).create({ name: "net" }));
    expect(message).toContain("baseUrl: the address of the API is missing: set baseUrl or SERVICE_BASE_URL.");
    expect(message).toContain("apiKey: the API key is missing: set apiKey or SERVICE_API_KEY.");
    expect(message).toContain("kcloud emulator -- …");
  }));

test("email and password of the stack sign in once for all resources, and no output contains them", () =>
  inProcess(async ({ emulator, settings, handlers, said }) => {
    const { "kcloud:apiKey": _, ...rest } = settings;
    const login = {
      ...rest,
      "kcloud:email": "user@example.com",
      "kcloud:password": "emulator-password",
    };
    const made = ["net", "other"].map(async (name) => {
      const { inputs } = await handlers("vpc", login).check({}, { name });
      return handlers("vpc", login).create(inputs);
    });
    const shown = JSON.stringify([await Promise.all(made), said]);
    expect(emulator.log.entries({ operation: "sign_in_root" })).toHaveLength(1);
    expect(shown).not.toMatch(/emulator-password|token\.\d/);
  }));

test("the progress of a wait is logged as an ephemeral message", () =>
  inProcess(async (process) => {
    process.emulator.configure({ taskMs: 100 });
    await volume(process);
    expect(process.said).toContainEqual({
      severity: "INFO",
      message: expect.stringMatching(/^volume "data": creating, \d+ s$/),
      ephemeral: true,
    });
  }));
