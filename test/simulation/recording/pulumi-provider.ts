import { type handleUnaryCall, Metadata, Server, ServerCredentials } from "@grpc/grpc-js";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import service from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto, {
  type CheckRequest,
  type CreateRequest,
  type DeleteRequest,
  type DiffRequest,
  type ReadRequest,
  type UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import type { Values as CoreValues } from "../../../provider/core/value.ts";
import { UNKNOWN } from "../../../provider/core/value.ts";
import { GrpcError } from "../../../provider/grpc/grpc.ts";
import { resourceInitFailed } from "../../../provider/pulumi/plugin/error.ts";
import { structOf, valuesOf } from "../../../provider/pulumi/plugin/struct.ts";
import {
  attributeNames,
  attributes,
  changesOf,
  createIds,
  isReplacing,
  keyOf,
  type Values,
} from "./object.ts";
import type { Running } from "./running.ts";
import { types } from "./scene.ts";

/** Provider of the recorded resource types on Pulumi's protocol. The engine connects to it as to a debugged plugin. */

const propertyTypes = {
  name: { type: "string" },
  size: { type: "number" },
  form: { type: "number" },
  within: { type: "array", items: { type: "string" } },
  uses: { type: "array", items: { type: "string" } },
} as const;

export const token = (type: string): string => `recorded:index:${type[0]?.toUpperCase()}${type.slice(1)}`;

const schema = {
  name: "recorded",
  version: "1.0.0",
  resources: Object.fromEntries(
    types.map((type) => [
      token(type),
      {
        inputProperties: propertyTypes,
        requiredInputs: attributeNames,
        properties: propertyTypes,
        required: attributeNames,
      },
    ]),
  ),
};

/** Replaces values with an unknown part by undefined. */
const known = (values: CoreValues): Values =>
  Object.fromEntries(
    attributeNames.map((name) => {
      const value = values[name];
      const isUnknown = value === UNKNOWN || (Array.isArray(value) && value.includes(UNKNOWN));
      return [name, isUnknown ? undefined : value];
    }),
  );

const scripted = (code = 9) => new GrpcError(code, "scripted");

function metadataOf(details: Uint8Array | undefined): Metadata {
  const metadata = new Metadata();
  if (details !== undefined) metadata.add("grpc-status-details-bin", Buffer.from(details));
  return metadata;
}

const nameOf = (urn: string): string => urn.split("::").at(-1) ?? "";
const typeOf = (urn: string): string => urn.split("::").at(-2) ?? "";

/** Serves the provider on a port; `running` returns the running command. */
export async function serve(running: () => Running): Promise<{ readonly port: number; close(): void }> {
  const { next: nextId } = createIds();
  const unary =
    <Q, A>(handle: (request: Q) => A | Promise<A>): handleUnaryCall<Q, A> =>
    ({ request }, callback) => {
      Promise.resolve()
        .then(() => handle(request))
        .then(
          (response) => callback(null, response),
          ({ code = 13, message, details }) =>
            callback({ code, details: message, metadata: metadataOf(details) }),
        );
    };
  /** Creates the handler of a call of one object: records the call, and passes the part. */
  const recorded = <Q extends { getUrn(): string }, A>(
    call: (request: Q) => string,
    idOf: (request: Q) => string | undefined,
    handle: (request: Q, part: string) => A | Promise<A>,
  ) =>
    unary(async (request: Q) => {
      const { script, old } = running();
      const end = script.begin();
      try {
        const part = nameOf(request.getUrn());
        script.note(keyOf(part, idOf(request), old), call(request));
        return await handle(request, part);
      } finally {
        end();
      }
    });
  const server = new Server();
  server.addService(service.ResourceProviderService, {
    handshake: unary(() => new proto.ProviderHandshakeResponse().setAcceptSecrets(true)),
    attach: unary(() => new empty.Empty()),
    getPluginInfo: unary(() => new plugin.PluginInfo().setVersion(schema.version)),
    getSchema: unary(() => new proto.GetSchemaResponse().setSchema(JSON.stringify(schema))),
    checkConfig: unary((request: CheckRequest) => new proto.CheckResponse().setInputs(request.getNews())),
    diffConfig: unary(() => new proto.DiffResponse()),
    configure: unary(() =>
      new proto.ConfigureResponse().setAcceptsecrets(true).setAcceptresources(true).setSupportspreview(true),
    ),
    cancel: unary(() => {
      running().onStop();
      return new empty.Empty();
    }),
    check: recorded(
      (request: CheckRequest) => `C${Object.keys(valuesOf(request.getOlds())).length === 0 ? "-" : "o"}`,
      () => undefined,
      (request: CheckRequest) => new proto.CheckResponse().setInputs(request.getNews()),
    ),
    diff: recorded(
      () => "D",
      (request: DiffRequest) => request.getId(),
      (request: DiffRequest) => {
        const changes = changesOf(known(valuesOf(request.getOlds())), known(valuesOf(request.getNews())));
        const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
        const isReplaced = isReplacing(changes);
        return new proto.DiffResponse()
          .setChanges(changes.length === 0 ? DIFF_NONE : DIFF_SOME)
          .setDiffsList(changes)
          .setReplacesList(isReplaced ? changes.filter((name) => attributes[name] === "replace") : [])
          .setDeletebeforereplace(isReplaced && typeOf(request.getUrn()) === token("sole"));
      },
    ),
    create: recorded(
      () => "N",
      () => undefined,
      async (request: CreateRequest, part) => {
        const inputs = valuesOf(request.getProperties());
        const result = await running().script.result(part, "create");
        if (result === "error") throw scripted();
        const id = nextId(part);
        if (result === "partial") throw resourceInitFailed("scripted", id, inputs, inputs);
        return new proto.CreateResponse().setId(id).setProperties(structOf(inputs));
      },
    ),
    read: recorded(
      () => "R",
      (request: ReadRequest) => request.getId(),
      async (request: ReadRequest, part) => {
        const result = await running().script.result(part, "read");
        if (result === "error") throw scripted();
        if (result === "missing") return new proto.ReadResponse();
        return new proto.ReadResponse()
          .setId(request.getId())
          .setProperties(request.getProperties())
          .setInputs(request.getInputs());
      },
    ),
    update: recorded(
      () => "U",
      (request: UpdateRequest) => request.getId(),
      async (request: UpdateRequest, part) => {
        const inputs = valuesOf(request.getNews());
        const result = await running().script.result(part, "update");
        if (result === "error") throw scripted();
        if (result === "partial") throw resourceInitFailed("scripted", request.getId(), inputs, inputs);
        return new proto.UpdateResponse().setProperties(structOf(inputs));
      },
    ),
    delete: recorded(
      () => "X",
      (request: DeleteRequest) => request.getId(),
      async (_: DeleteRequest, part) => {
        if ((await running().script.result(part, "delete")) === "error") throw scripted();
        return new empty.Empty();
      },
    ),
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return { port, close: () => server.forceShutdown() };
}
