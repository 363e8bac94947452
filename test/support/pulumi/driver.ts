import { credentials, Server, ServerCredentials, type sendUnaryData } from "@grpc/grpc-js";
import engineService from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineProto, { type LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import service from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../../emulator/emulator.ts";
import type { Clock, Ports } from "../../../provider/platform/ports.ts";
import { realPorts } from "../../../provider/platform/real-ports.ts";
import { createPlugin } from "../../../provider/pulumi/plugin/plugin.ts";
import {
  type CheckResult,
  call,
  type DiffResult,
  type Failure,
  fromStruct,
  keyOf,
  type Properties,
  type StoredResource,
  toStruct,
  typeOf,
  urnOf,
} from "../../../tools/plugin/pulumi.ts";
import { serveRoutes } from "./serve.ts";

/** Log message that the plugin sent to the engine. */
export interface LoggedMessage {
  readonly severity: string;
  readonly message: string;
  readonly urn: string;
  readonly ephemeral: boolean;
}

/** Calls the plugin over its protocol like the engine, with the emulator as the API. */
export interface Driver {
  readonly emulator: Emulator;
  readonly url: string;
  readonly logged: LoggedMessage[];
  readonly client: InstanceType<typeof service.ResourceProviderClient>;
  readonly plugin: ReturnType<typeof createPlugin>;
  configure(settings?: Properties): Promise<unknown>;
  check(type: string, news: Properties, more?: CheckOptions): Promise<CheckResult>;
  diff(
    type: string,
    olds: Properties,
    news: Properties,
    id?: string,
    oldInputs?: Properties,
  ): Promise<DiffResult>;
  create(
    type: string,
    inputs: Properties,
    more?: { preview?: boolean; timeout?: number },
  ): Promise<StoredResource>;
  read(type: string, id: string, olds?: Properties, inputs?: Properties): Promise<StoredResource>;
  update(type: string, resource: StoredResource, news: Properties, preview?: boolean): Promise<Properties>;
  remove(type: string, resource: StoredResource): Promise<void>;
  invoke(token: string, args: Properties): Promise<{ result: Properties; failures: Failure[] }>;
  cancel(): Promise<void>;
  /** Waits until the condition is true. */
  until(happened: () => boolean): Promise<void>;
}

export interface CheckOptions {
  readonly olds?: Properties;
  readonly name?: string;
  readonly seed?: Uint8Array;
  readonly autonaming?: { readonly proposed: string; readonly mode: "PROPOSE" | "ENFORCE" | "DISABLE" };
}
/** Clock that runs twenty times as fast as the real one; the ratios of waiting times are unchanged. */
const fastClock: Clock = {
  monotonic: () => performance.now() * 20,
  wall: () => Date.now(),
  sleep: (ms, signal) => realPorts.clock.sleep(ms / 20, signal),
};

async function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
}

/** Creates the server of an engine, which records log messages. */
function createEngine(logged: LoggedMessage[]): Server {
  const server = new Server();
  server.addService(engineService.EngineService, {
    log: ({ request }: { request: LogRequest }, callback: sendUnaryData<unknown>) => {
      logged.push({
        severity: keyOf(engineProto.LogSeverity, request.getSeverity()),
        message: request.getMessage(),
        urn: request.getUrn(),
        ephemeral: request.getEphemeral(),
      });
      callback(null, new empty.Empty());
    },
  });
  return server;
}

/** Options of the start of the plugin. */
interface Start {
  readonly environment?: NodeJS.ProcessEnv;
  /** True if the plugin is started without an engine, which attaches to it later. */
  readonly debugged?: boolean;
}

/** Starts emulator, engine and plugin, runs the work, and closes all of them. */
export async function withDriver(
  work: (driver: Driver) => Promise<void>,
  options: EmulatorOptions = {},
  { environment = {}, debugged = false }: Start = {},
): Promise<void> {
  const emulator = createEmulator({ taskMs: 20, ...options });
  const cloud = await emulator.listen();
  const logged: LoggedMessage[] = [];
  const engine = createEngine(logged);
  const enginePort = await listen(engine);
  const ports: Ports = { ...realPorts, clock: fastClock, random: { next: () => 0.5 } };
  const plugin = createPlugin(ports, environment, debugged);
  const served = await serveRoutes(plugin.routes);
  const client = new service.ResourceProviderClient(`127.0.0.1:${served.port}`, credentials.createInsecure());
  const driver = drive({ emulator, url: cloud.url, logged, client, plugin });
  try {
    const handshake = new proto.ProviderHandshakeRequest().setEngineAddress(`127.0.0.1:${enginePort}`);
    await call(client, client.handshake, handshake);
    await work(driver);
  } finally {
    client.close();
    engine.forceShutdown();
    await cloud.close();
    served.close();
  }
}

function drive(parts: Pick<Driver, "emulator" | "url" | "logged" | "client" | "plugin">): Driver {
  const { client, url } = parts;
  return {
    ...parts,
    configure: (settings = {}) => {
      const given = {
        baseUrl: url,
        apiKey: "emulator-key",
        region: "In-Bangalore-1",
        maxRequestsPerSecond: "0",
        settleSeconds: "1",
        ...settings,
      };
      const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
      return call(client, client.configure, new proto.ConfigureRequest().setArgs(toStruct(args)));
    },
    async check(type, news, { olds = {}, name = "it", seed = new Uint8Array(), autonaming } = {}) {
      const request = new proto.CheckRequest()
        .setUrn(urnOf(type, name))
        .setName(name)
        .setType(typeOf(type))
        .setOlds(toStruct(olds))
        .setNews(toStruct(news))
        .setRandomseed(seed);
      if (autonaming !== undefined)
        request.setAutonaming(
          new proto.CheckRequest.AutonamingOptions()
            .setProposedName(autonaming.proposed)
            .setMode(proto.CheckRequest.AutonamingOptions.Mode[autonaming.mode]),
        );
      const answer = await call(client, client.check, request);
      const failures = answer.getFailuresList().map((failure) => failure.toObject());
      return { inputs: fromStruct(answer.getInputs()), failures };
    },
    async diff(type, olds, news, id = "id", oldInputs = olds) {
      const request = new proto.DiffRequest()
        .setId(id)
        .setUrn(urnOf(type))
        .setName("it")
        .setType(typeOf(type))
        .setOlds(toStruct(olds))
        .setOldInputs(toStruct(oldInputs))
        .setNews(toStruct(news));
      const answer = await call(client, client.diff, request);
      expectDetailed(answer.getHasdetaileddiff());
      const detailed: Record<string, string> = {};
      answer.getDetaileddiffMap().forEach((difference, path) => {
        detailed[path] = keyOf(proto.PropertyDiff.Kind, difference.getKind());
      });
      return {
        changes: keyOf(proto.DiffResponse.DiffChanges, answer.getChanges()),
        diffs: answer.getDiffsList(),
        replaces: answer.getReplacesList(),
        deleteBeforeReplace: answer.getDeletebeforereplace(),
        detailed,
      };
    },
    async create(type, inputs, { preview = false, timeout = 0 } = {}) {
      const request = new proto.CreateRequest()
        .setUrn(urnOf(type))
        .setName("it")
        .setType(typeOf(type))
        .setProperties(toStruct(inputs))
        .setPreview(preview)
        .setTimeout(timeout);
      const answer = await call(client, client.create, request);
      return { id: answer.getId(), properties: fromStruct(answer.getProperties()) };
    },
    async read(type, id, olds = {}, inputs = {}) {
      const request = new proto.ReadRequest()
        .setId(id)
        .setUrn(urnOf(type))
        .setType(typeOf(type))
        .setProperties(toStruct(olds))
        .setInputs(toStruct(inputs));
      const answer = await call(client, client.read, request);
      return {
        id: answer.getId(),
        properties: fromStruct(answer.getProperties()),
        inputs: fromStruct(answer.getInputs()),
      };
    },
    async update(type, { id, properties }, news, preview = false) {
      const request = new proto.UpdateRequest()
        .setId(id)
        .setUrn(urnOf(type))
        .setType(typeOf(type))
        .setOlds(toStruct(properties))
        .setNews(toStruct(news))
        .setPreview(preview);
      return fromStruct((await call(client, client.update, request)).getProperties());
    },
    async remove(type, { id, properties }) {
      const request = new proto.DeleteRequest()
        .setId(id)
        .setUrn(urnOf(type))
        .setType(typeOf(type))
        .setProperties(toStruct(properties));
      await call(client, client.delete, request);
    },
    async invoke(token, args) {
      const request = new proto.InvokeRequest().setTok(token).setArgs(toStruct(args));
      const answer = await call(client, client.invoke, request);
      const failures = answer.getFailuresList().map((failure) => failure.toObject());
      return { result: fromStruct(answer.getReturn()), failures };
    },
    async until(happened) {
      while (!happened()) await fastClock.sleep(100);
    },
    async cancel() {
      await call(client, client.cancel, new empty.Empty());
    },
  };
}

function expectDetailed(has: boolean) {
  if (!has) throw new Error("a diff without details");
}

/** Runs the work with a configured plugin. */
export const configured = (
  work: (driver: Driver) => Promise<void>,
  options: EmulatorOptions = {},
): Promise<void> =>
  withDriver(async (driver) => {
    await driver.configure();
    await work(driver);
  }, options);

/** Checks the inputs and creates the object, as `pulumi up` does. */
export async function checkAndCreate(
  driver: Driver,
  type: string,
  news: Properties,
): Promise<StoredResource> {
  const { inputs, failures } = await driver.check(type, news);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return { ...(await driver.create(type, inputs)), inputs };
}

export const createVpc = (driver: Driver): Promise<StoredResource> =>
  checkAndCreate(driver, "Vpc", { name: "net" });

export const createVolume = async (driver: Driver, more: Properties = {}): Promise<StoredResource> =>
  checkAndCreate(driver, "Volume", {
    vpcId: (await createVpc(driver)).id,
    name: "data",
    sizeGb: 10,
    volumeType: "ssd",
    ...more,
  });

export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const secret = (value: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});
