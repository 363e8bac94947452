import {
  type handleUnaryCall,
  Server,
  type ServiceError,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import service from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto, {
  type InvokeRequest,
  type InvokeResponse,
  type ProviderHandshakeRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { functions, lookups } from "../../../functions/index.ts";
import manifest from "../../../package.json" with { type: "json" };
import { resources } from "../../../resources/index.ts";
import { InputError, StopError } from "../../core/error.ts";
import { pulumiCall, pulumiFunction, pulumiToken } from "../../core/name.ts";
import { secret, type Values } from "../../core/value.ts";
import { nearest } from "../../definition/check.ts";
import type { PureFunction } from "../../definition/function.ts";
import { engine } from "../../engine/engine.ts";
import type { Ports } from "../../platform/ports.ts";
import { connectHost } from "../log.ts";
import { hide, present } from "../pulumi.ts";
import { packageSchema } from "../schema/schema.ts";
import { traceOf } from "../text.ts";
import { checkConfig, configure, diffConfig } from "./configuration.ts";
import { operate, type Running, say, sessionOf, startRunning } from "./context.ts";
import { StatusError, statusError } from "./error.ts";
import { failureOf, holdsSecret } from "./failure.ts";
import { check, create, diff, read, remove, update } from "./resource.ts";
import { structOf, valuesOf } from "./struct.ts";

const largest = 400 * 1024 * 1024;

export interface Plugin {
  readonly server: Server;
  readonly running: Running;
  /** Resolves when no call is under way. */
  idle(): Promise<void>;
}

/** The plugin, not yet listening. What is not named here answers UNIMPLEMENTED. */
export function createPlugin(ports: Ports, environment: NodeJS.ProcessEnv): Plugin {
  const running = startRunning(ports, environment);
  const calls = new Set<Promise<void>>();
  const unary =
    <Q, A>(answer: (request: Q) => A | Promise<A>): handleUnaryCall<Q, A> =>
    ({ request }, callback) => {
      const call = answered(running, () => answer(request))
        .then(
          (response) => callback(null, response),
          (error: StatusError) => callback(serviceError(error)),
        )
        .finally(() => calls.delete(call));
      calls.add(call);
    };
  const about = <Q extends { getType(): string }, A>(
    answer: (running: Running, resource: (typeof resources)[number], request: Q) => A | Promise<A>,
  ) => unary((request: Q) => answer(running, find(resources, pulumiToken, request.getType()), request));

  const implementation: UntypedServiceImplementation = {
    handshake: unary((request: ProviderHandshakeRequest) => {
      running.host = connectHost(request.getEngineAddress());
      return new proto.ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setSupportsAutonamingConfiguration(true);
    }),
    attach: unary((request: InstanceType<typeof plugin.PluginAttach>) => {
      running.host = connectHost(request.getAddress());
      return new empty.Empty();
    }),
    getPluginInfo: unary(() => new plugin.PluginInfo().setVersion(manifest.version)),
    getSchema: unary(() =>
      new proto.GetSchemaResponse().setSchema(JSON.stringify(packageSchema(manifest.version))),
    ),
    checkConfig: unary((request: Parameters<typeof checkConfig>[1]) => checkConfig(running, request)),
    diffConfig: unary(diffConfig),
    configure: unary((request: Parameters<typeof configure>[1]) => configure(running, request)),
    invoke: unary((request: InvokeRequest) => invoke(running, request)),
    check: about(check),
    diff: about(diff),
    create: about(create),
    read: about(read),
    update: about(update),
    delete: about(async (...call: Parameters<typeof remove>) => {
      await remove(...call);
      return new empty.Empty();
    }),
    cancel: unary(() => {
      running.stop.abort(new StopError("stop"));
      return new empty.Empty();
    }),
  };

  const server = new Server({
    "grpc.max_receive_message_length": largest,
    "grpc.max_send_message_length": largest,
  });
  server.addService(service.ResourceProviderService, implementation);
  return {
    server,
    running,
    async idle() {
      while (calls.size > 0) await Promise.all(calls);
    },
  };
}

/** An answer, after every word that was said on the way to it; its error is a status. */
async function answered<A>(running: Running, answer: () => A | Promise<A>): Promise<A> {
  try {
    return await answer();
  } catch (error) {
    const failure = statusError(error);
    if (failure.code === status.INTERNAL) say(running, "DEBUG", traceOf(error));
    throw failure;
  } finally {
    await Promise.all(running.said);
  }
}

const serviceError = ({ code, message, metadata }: StatusError): Partial<ServiceError> => ({
  code,
  details: message,
  ...(metadata === undefined ? {} : { metadata }),
});

/** The definition that a token names. */
function find<D extends { readonly name: string }>(
  definitions: readonly D[],
  tokenOf: (noun: string) => string,
  token: string,
): D {
  const found = definitions.find(({ name }) => tokenOf(name) === token);
  if (found !== undefined) return found;
  const close = nearest(
    token,
    definitions.map(({ name }) => tokenOf(name)),
  );
  const hint = close === undefined ? "" : `; did you mean ${close}?`;
  throw new StatusError(
    status.NOT_FOUND,
    `${token} is not of this plugin, version ${manifest.version}${hint}`,
  );
}

/** What a program calls: a question to the cloud, or a calculation. */
const callable = [
  ...lookups.map((lookup) => ({ name: pulumiFunction(lookup.name), asked: lookup })),
  ...functions.map((asked) => ({ name: pulumiCall(asked.name), asked })),
];

async function invoke(running: Running, request: InvokeRequest): Promise<InvokeResponse> {
  const { asked } = find(callable, (token) => token, request.getTok());
  const args = valuesOf(request.getArgs());
  try {
    const found =
      "run" in asked
        ? calculated(asked, args)
        : await operate(running, "", 0, async (call) => {
            const told = await engine.lookup(sessionOf(running), asked, args, call);
            return hide(asked.fields, present(told) as Values, [args]);
          });
    return new proto.InvokeResponse().setReturn(structOf(found));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const failures = error.problems.map((problem) => {
      const { property, reason } = failureOf(asked, args, problem);
      return new proto.CheckFailure().setProperty(property).setReason(reason);
    });
    return new proto.InvokeResponse().setFailuresList(failures);
  }
}

/** What is calculated from a secret is one. */
function calculated(asked: PureFunction, args: Values): Values {
  const result = present(engine.calculate(asked, args));
  return { result: Object.values(args).some(holdsSecret) ? secret(result) : result };
}
