import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import service from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { createEmulator } from "../../emulator/emulator.ts";
import { className, terraformType } from "../../provider/core/name.ts";
import type { Plain, Values } from "../../provider/core/value.ts";
import { providerShape, resourceShape } from "../../provider/terraform/codec/schema.ts";
import { decodeRecord, encode } from "../../provider/terraform/codec/value.ts";
import {
  type Diagnostic,
  Diagnostic_Severity,
  ProviderDefinition,
} from "../../provider/terraform/tfplugin6/tfplugin6.ts";
import { resources } from "../../resources/index.ts";
import { formats } from "../../review/command/option.ts";
import { ask } from "../plugin/grpc-client.ts";
import { call, toStruct, typeOf, urnOf } from "../plugin/pulumi.ts";
import { connectPlugin } from "../plugin/terraform.ts";
import type { Drive } from "./code-cache.ts";
import { planText } from "./plan.ts";

/**
 * Drives the built plugins like an engine (creates, reads and deletes objects in the emulator) and the built command like a
 * user. The code caches contain the functions that this run calls.
 */

type Inputs = Readonly<Record<string, Plain>>;

/** Objects in the order of their creation. An object may refer to the id of the previous one. */
const objects: readonly (readonly [kind: string, inputs: (before: string) => Inputs])[] = [
  ["vpc", () => ({ name: "net" })],
  ["volume", (vpcId) => ({ vpcId, name: "data", sizeGb: 1, volumeType: "ssd" })],
];

/** Creates the objects with `create`, which returns their ids, and deletes them in reverse order. */
async function createAndDelete<T extends { readonly id: string }>(
  create: (kind: string, inputs: Inputs) => Promise<T>,
  remove: (kind: string, object: T) => Promise<void>,
): Promise<void> {
  const created: (readonly [kind: string, object: T])[] = [];
  for (const [kind, inputs] of objects)
    created.push([kind, await create(kind, inputs(created.at(-1)?.[1].id ?? ""))]);
  for (const [kind, object] of created.toReversed()) await remove(kind, object);
}

/** Runs the work with a new emulator and the settings of a plugin that uses it. */
async function withEmulator(work: (settings: Record<string, string>) => Promise<void>): Promise<void> {
  const { url, close } = await createEmulator({ taskMs: 0 }).listen();
  try {
    await work({
      SERVICE_BASE_URL: url,
      SERVICE_API_KEY: "emulator-key",
      SERVICE_REGION: "In-Bangalore-1",
      SERVICE_MAX_REQUESTS_PER_SECOND: "0",
    });
  } finally {
    await close();
  }
}

type Methods = typeof ProviderDefinition.methods;
type RequestOf<K extends keyof Methods> = Parameters<Methods[K]["requestType"]["encode"]>[0];
type ResponseOf<K extends keyof Methods> = ReturnType<Methods[K]["responseType"]["decode"]>;

const isError = ({ severity }: Diagnostic): boolean => severity === Diagnostic_Severity.ERROR;

/** Drives the Terraform plugin. */
export const driveTerraform =
  (program: string): Drive =>
  (nodeArgs, environment) =>
    withEmulator(async (settings) => {
      const { plugin, client } = await connectPlugin({ ...settings, ...environment }, nodeArgs, program);
      const send = async <K extends keyof Methods>(
        method: K,
        request: RequestOf<K>,
      ): Promise<ResponseOf<K>> => {
        const { name, requestType, responseType } = ProviderDefinition.methods[method];
        const codec = { request: requestType, response: responseType };
        const response = await ask(
          client,
          `/${ProviderDefinition.fullName}/${name}`,
          codec as never,
          request,
        );
        const { diagnostics = [] } = response as { readonly diagnostics?: readonly Diagnostic[] };
        const failure = diagnostics.find(isError);
        if (failure !== undefined) throw new Error(`${name}: ${failure.summary}: ${failure.detail}`);
        return response as ResponseOf<K>;
      };
      /** Plans and applies a change. */
      const change = async (
        kind: string,
        config: Values | null,
        priorState = encode(null, shapeOf(kind)),
      ) => {
        const typeName = terraformType(kind);
        const written = encode(config, shapeOf(kind));
        const { plannedState, plannedPrivate } = await send("planResourceChange", {
          typeName,
          priorState,
          proposedNewState: written,
          config: written,
        });
        return send("applyResourceChange", {
          typeName,
          priorState,
          plannedState,
          config: written,
          plannedPrivate,
        });
      };
      await send("validateProviderConfig", { config: encode({}, providerShape) });
      await send("configureProvider", { config: encode({}, providerShape) });
      await createAndDelete(
        async (kind, inputs) => {
          const shape = shapeOf(kind);
          const typeName = terraformType(kind);
          await send("validateResourceConfig", { typeName, config: encode(inputs, shape) });
          const { newState, private: stored } = await change(kind, inputs);
          const read = await send("readResource", { typeName, currentState: newState, private: stored });
          return { id: String(decodeRecord(read.newState, shape)?.id), state: read.newState };
        },
        async (kind, { state }) => void (await change(kind, null, state)),
      );
      await client.send("/plugin.GRPCController/Shutdown", [Buffer.alloc(5)]);
      await client.close();
      await plugin.ended;
    });

function shapeOf(kind: string) {
  const found = resources.find(({ name }) => name === kind);
  if (found === undefined) throw new Error(`no resource ${kind}`);
  return resourceShape(found);
}

/** Drives the Pulumi plugin. */
export const drivePulumi =
  (program: string): Drive =>
  (nodeArgs, environment) =>
    withEmulator(async (settings) => {
      const child = spawn(process.execPath, [...nodeArgs, program, "127.0.0.1:1"], {
        env: { ...process.env, ...settings, ...environment },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [port] = await once(createInterface(child.stdout), "line");
      const client = new service.ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
      await call(client, client.checkConfig, new proto.CheckRequest());
      await call(client, client.configure, new proto.ConfigureRequest().setArgs(toStruct({})));
      await createAndDelete(
        async (kind, configured) => {
          const [type, urn] = [typeOf(className(kind)), urnOf(className(kind))];
          const checking = new proto.CheckRequest().setUrn(urn).setType(type).setName("it");
          const checked = await call(client, client.check, checking.setNews(toStruct({ ...configured })));
          const inputs = checked.getInputs();
          const creating = new proto.CreateRequest().setUrn(urn).setType(type).setProperties(inputs);
          await call(client, client.create, creating.clone().setPreview(true));
          const created = await call(client, client.create, creating);
          const [id, properties] = [created.getId(), created.getProperties()];
          const reading = new proto.ReadRequest().setUrn(urn).setType(type).setId(id);
          await call(client, client.read, reading.setProperties(properties).setInputs(inputs));
          const comparing = new proto.DiffRequest().setUrn(urn).setType(type).setId(id).setName("it");
          await call(client, client.diff, comparing.setOlds(properties).setNews(inputs));
          return { id, properties };
        },
        async (kind, { id, properties }) => {
          const [type, urn] = [typeOf(className(kind)), urnOf(className(kind))];
          const removing = new proto.DeleteRequest().setUrn(urn).setType(type).setId(id);
          await call(client, client.delete, removing.setProperties(properties));
        },
      );
      client.close();
      child.kill("SIGINT");
      await once(child, "exit");
    });

/** Drives the command: a review, and the tool server. */
export const driveCommand =
  (program: string): Drive =>
  async (nodeArgs, environment) => {
    await driveReview(program)(nodeArgs, environment);
    await driveToolServer(program)(nodeArgs, environment);
  };

/** Drives `kcloud mcp`: the first messages of a client of each version of the protocol that it speaks. */
const driveToolServer =
  (program: string): Drive =>
  async (nodeArgs, environment) => {
    const child = spawn(process.execPath, [...nodeArgs, program, "mcp"], {
      env: { ...process.env, ...environment },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface(child.stdout);
    const clientInfo = { name: "build", version: "1" };
    const opening = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    for (const [method, params] of [["initialize", opening], ["tools/list"], ["prompts/list"]] as const) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
      const [line] = await once(lines, "line");
      if (!("result" in JSON.parse(line))) throw new Error(`${program} mcp answers ${line}`);
    }
    child.stdin.end();
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`${program} mcp ended with ${code}`);
  };

/** Drives `kcloud review`: reviews a plan of Terraform, and writes every output. */
const driveReview =
  (program: string): Drive =>
  async (nodeArgs, environment) => {
    const folder = mkdtempSync(join(tmpdir(), "kcloud-review-"));
    try {
      const outputs = Object.keys(formats).flatMap((format) => [
        "--out",
        `${format}:${join(folder, format)}`,
      ]);
      const plan = join(folder, "plan.json");
      writeFileSync(plan, planText());
      const args = ["review", "--in", plan, "--fail-on", "none", ...outputs];
      const env = { ...process.env, ...environment };
      const child = spawn(process.execPath, [...nodeArgs, program, ...args], { env, stdio: "inherit" });
      const [code] = await once(child, "exit");
      if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
