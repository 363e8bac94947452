import { terraformType } from "../../../provider/core/name.ts";
import type { Values } from "../../../provider/core/value.ts";
import type { Resource } from "../../../provider/definition/resource.ts";
import { frame, type Routes } from "../../../provider/grpc/grpc.ts";
import { providerShape, resourceShape } from "../../../provider/terraform/codec/schema.ts";
import { decodeRecord, encode } from "../../../provider/terraform/codec/value.ts";
import type { Handlers } from "../../../provider/terraform/rpc/handler.ts";
import { allDefinitions, createProvider } from "../../../provider/terraform/rpc/rpc.ts";
import {
  type Diagnostic,
  Diagnostic_Severity,
  ProviderDefinition,
} from "../../../provider/terraform/tfplugin6/tfplugin6.ts";
import type { Cloud } from "../cloud.ts";

/** Calls the provider like an engine, with real messages and codecs but without a process. The emulator is the API. */

type Methods = typeof ProviderDefinition.methods;
type Request<K extends keyof Methods> = Parameters<Handlers[K]>[0];
type Answers<K extends keyof Methods> =
  ReturnType<Handlers[K]> extends AsyncIterable<infer A> ? A : Awaited<ReturnType<Handlers[K]>>;

export interface Planned {
  readonly values: Values | undefined;
  readonly replaces: readonly string[];
  readonly diagnostics: readonly string[];
  readonly private: Uint8Array | undefined;
}

/** State of an object as the engine stores it. */
export interface Kept {
  readonly values: Values | undefined;
  readonly private: Uint8Array | undefined;
  readonly diagnostics: readonly string[];
}

export interface Provider {
  call<K extends keyof Methods>(method: K, request: Request<K>, signal?: AbortSignal): Promise<Answers<K>[]>;
  one<K extends keyof Methods>(method: K, request: Request<K>, signal?: AbortSignal): Promise<Answers<K>>;
  configure(settings?: Values): Promise<readonly string[]>;
  /** Plans a change. `planned` is the plan of an earlier process, whose private data Terraform 1.16 passes. */
  plan(kind: string, config: Values | undefined, prior?: Kept, planned?: Planned): Promise<Planned>;
  /** Plans and applies a change. */
  apply(kind: string, config: Values | undefined, prior?: Kept, signal?: AbortSignal): Promise<Kept>;
  /** Applies a plan, as a new process does with a saved one. */
  applyPlanned(
    kind: string,
    config: Values | undefined,
    planned: Planned,
    prior?: Kept,
    signal?: AbortSignal,
  ): Promise<Kept>;
  read(kind: string, kept: Kept): Promise<Kept>;
}

/** Formats diagnostics as `error: summary: detail (at path)`, one text each. */
export const texts = (diagnostics: readonly Diagnostic[] = []): string[] =>
  diagnostics.map(({ severity, summary, detail, attribute }) => {
    const steps = attribute?.steps?.map(
      (step) => step.attributeName ?? step.elementKeyString ?? step.elementKeyInt,
    );
    const kind = severity === Diagnostic_Severity.ERROR ? "error" : "warning";
    return `${kind}: ${summary}: ${detail}${steps === undefined ? "" : ` (at ${steps.join(".")})`}`;
  });

const never = new AbortController().signal;

export function openProvider(
  cloud: Cloud,
  environment: NodeJS.ProcessEnv = defaults,
  resources: readonly Resource[] = allDefinitions.resources,
): Provider {
  const connection = {};
  const surroundings = { ports: cloud.session.ports, environment, log: () => {} };
  const routes: Routes = createProvider(surroundings, () => {}, { ...allDefinitions, resources });
  const shapeOf = (kind: string) => {
    const found = resources.find(({ name }) => name === kind);
    if (found === undefined) throw new Error(`no resource ${kind}`);
    return resourceShape(found);
  };
  const call: Provider["call"] = async (method, request, signal = never) => {
    const { name, requestType, responseType } = ProviderDefinition.methods[method];
    const encoded = requestType.encode(request as never).finish();
    const answers: unknown[] = [];
    const run = routes[`/tfplugin6.Provider/${name}`]?.run(encoded, { signal, connection });
    for await (const part of run ?? [])
      answers.push(responseType.decode(part.subarray(frame(new Uint8Array()).length)));
    return answers as never;
  };
  const one: Provider["one"] = async (method, request, signal) => {
    const [answer] = await cloud.run(call(method, request, signal));
    if (answer === undefined) throw new Error(`${String(method)} returned no response`);
    return answer;
  };
  const plan: Provider["plan"] = async (kind, config, prior, planned) => {
    const shape = shapeOf(kind);
    const answer = await one("planResourceChange", {
      typeName: terraformType(kind),
      priorState: encode(prior?.values ?? null, shape),
      proposedNewState: encode(config ?? null, shape),
      config: encode(config ?? null, shape),
      priorPrivate: prior?.private,
      plannedPrivate: planned?.private,
      clientCapabilities: { storePlannedPrivate: true },
    });
    const replaces = answer.requiresReplace?.map(({ steps = [] }) =>
      steps.map(({ attributeName }) => attributeName).join("."),
    );
    return {
      values: decodeRecord(answer.plannedState, shape),
      replaces: replaces ?? [],
      diagnostics: texts(answer.diagnostics),
      private: answer.plannedPrivate,
    };
  };
  const applyPlanned: Provider["applyPlanned"] = async (kind, config, planned, prior, signal) => {
    const shape = shapeOf(kind);
    const answer = await one(
      "applyResourceChange",
      {
        typeName: terraformType(kind),
        priorState: encode(prior?.values ?? null, shape),
        plannedState: encode(planned.values ?? null, shape),
        config: encode(config ?? null, shape),
        plannedPrivate: planned.private,
      },
      signal,
    );
    return {
      values: decodeRecord(answer.newState, shape),
      private: answer.private,
      diagnostics: texts(answer.diagnostics),
    };
  };
  return {
    call,
    one,
    plan,
    async configure(settings = {}) {
      const { diagnostics } = await one("configureProvider", { config: encode(settings, providerShape) });
      return texts(diagnostics);
    },
    async apply(kind, config, prior, signal) {
      const planned = await plan(kind, config, prior);
      if (planned.diagnostics.some((text) => text.startsWith("error")))
        return { ...planned, values: prior?.values };
      return applyPlanned(kind, config, planned, prior, signal);
    },
    applyPlanned,
    async read(kind, kept) {
      const shape = shapeOf(kind);
      const answer = await one("readResource", {
        typeName: terraformType(kind),
        currentState: encode(kept.values ?? null, shape),
        private: kept.private,
      });
      return {
        values: decodeRecord(answer.newState, shape),
        private: answer.private,
        diagnostics: texts(answer.diagnostics),
      };
    },
  };
}

export const defaults = {
  SERVICE_BASE_URL: "http://127.0.0.1:1",
  SERVICE_API_KEY: "emulator-key",
  SERVICE_REGION: "In-Bangalore-1",
  SERVICE_USER: "ana",
  SERVICE_MAX_REQUESTS_PER_SECOND: "0",
};
