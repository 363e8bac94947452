import { Decoder, ExtData, encode as encodeMsgpack } from "@msgpack/msgpack";
import { routeOf } from "../../../provider/grpc/grpc.ts";
import type { Handlers } from "../../../provider/terraform/rpc/handler.ts";
import { routesOf } from "../../../provider/terraform/rpc/handler.ts";
import {
  type Diagnostic,
  Diagnostic_Severity,
  type DynamicValue,
  type Schema,
} from "../../../provider/terraform/tfplugin6/tfplugin6.ts";
import { type Attached, serveEngines } from "../../support/engine/attached.ts";
import {
  type AttributeName,
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

/** Provider of the recorded resource types on Terraform's protocol. Engines connect to it by their reattach variable. */

export const source = "example.com/recording/recorded";

const jsonType = {
  name: "string",
  size: "number",
  form: "number",
  within: ["list", "string"],
  uses: ["list", "string"],
};

const schema: Schema = {
  block: {
    attributes: [
      { name: "id", type: Buffer.from('"string"'), computed: true },
      ...attributeNames.map((name) => ({
        name,
        type: Buffer.from(JSON.stringify(jsonType[name])),
        required: true,
      })),
    ],
  },
};

const decoder = new Decoder({ useBigInt64: true });
const unknownData = new ExtData(0, new Uint8Array(1));
const isUnknownData = (value: unknown): boolean => value instanceof ExtData;

/** Decodes an object into values that `encode` accepts; undefined for null. */
function decode(wire: DynamicValue | undefined): Values | undefined {
  const value = wire?.msgpack === undefined ? null : decoder.decode(wire.msgpack);
  if (value === null) return undefined;
  const number = (item: unknown) => (typeof item === "bigint" ? Number(item) : item);
  return Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, number(item)]));
}

/** Replaces unknown values by undefined. */
const known = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isUnknownData(value) || (Array.isArray(value) && value.some(isUnknownData)) ? undefined : value,
    ]),
  );

const encode = (values: Values | null): DynamicValue => ({ msgpack: encodeMsgpack(values) });
const nothing = encode(null);

const failed: Diagnostic[] = [{ severity: Diagnostic_Severity.ERROR, summary: "scripted", detail: "" }];

const mark = (values: Values | undefined) => (values === undefined ? "-" : "o");
const carried = (data: Uint8Array | undefined) => ((data?.length ?? 0) > 0 ? "+" : "");
const fresh = Buffer.from("new");

/** Serves the provider to engines; `running` returns the running command. */
export async function serve(running: () => Running): Promise<Attached> {
  const { next: nextId } = createIds();
  const note = (values: Values | undefined, call: string) => {
    const { script, old } = running();
    const part = String(values?.name);
    script.note(keyOf(part, values?.id as string | undefined, old), call);
  };
  const handlers: Partial<Handlers> = {
    async getProviderSchema() {
      return {
        provider: { block: {} },
        resourceSchemas: Object.fromEntries(types.map((type) => [`recorded_${type}`, schema])),
        serverCapabilities: { planDestroy: true },
      };
    },
    validateProviderConfig: async () => ({}),
    configureProvider: async () => ({}),
    validateResourceConfig: async () => ({}),
    getResourceIdentitySchemas: async () => ({}),
    async upgradeResourceState({ rawState }) {
      return { upgradedState: encode(JSON.parse(Buffer.from(rawState?.json ?? []).toString())) };
    },
    async readResource({ currentState, private: data }) {
      const end = running().script.begin();
      try {
        const prior = decode(currentState);
        note(prior, `R${carried(data)}`);
        const result = await running().script.result(String(prior?.name), "read");
        if (result === "error") return { diagnostics: failed };
        if (result === "missing") return { newState: nothing };
        return { newState: currentState, private: data };
      } finally {
        end();
      }
    },
    async planResourceChange({ priorState, proposedNewState, priorPrivate }) {
      const end = running().script.begin();
      try {
        const prior = decode(priorState);
        const proposed = decode(proposedNewState);
        note(prior ?? proposed, `P${mark(prior)}${mark(proposed)}${carried(priorPrivate)}`);
        const plannedPrivate = carried(priorPrivate) === "" ? fresh : priorPrivate;
        if (proposed === undefined) return { plannedState: nothing, plannedPrivate };
        const changes = prior === undefined ? [] : changesOf(prior, known(proposed));
        return {
          plannedState: encode({ ...proposed, id: prior?.id ?? unknownData }),
          plannedPrivate,
          requiresReplace: isReplacing(changes)
            ? changes
                .filter((name: AttributeName) => attributes[name] === "replace")
                .map((attributeName) => ({ steps: [{ attributeName }] }))
            : [],
        };
      } finally {
        end();
      }
    },
    async applyResourceChange({ priorState, plannedState, plannedPrivate }) {
      const { script } = running();
      const end = script.begin();
      try {
        const prior = decode(priorState);
        const planned = decode(plannedState);
        note(prior ?? planned, `A${mark(prior)}${mark(planned)}${carried(plannedPrivate)}`);
        const part = String((prior ?? planned)?.name);
        const verb = planned === undefined ? "delete" : prior === undefined ? "create" : "update";
        const result = await script.result(part, verb);
        if (result === "error")
          return {
            newState: priorState,
            private: prior === undefined ? undefined : plannedPrivate,
            diagnostics: failed,
          };
        if (planned === undefined) return { newState: nothing };
        const newState = encode({ ...planned, id: prior?.id ?? nextId(part) });
        const diagnostics = result === "partial" ? failed : [];
        return { newState, private: fresh, diagnostics };
      } finally {
        end();
      }
    },
    async stopProvider() {
      running().onStop();
      return {};
    },
  };
  const unavailable = async () => {
    throw new Error("not served");
  };
  const routes = routesOf(
    new Proxy(handlers, { get: (all, name) => Reflect.get(all, name) ?? unavailable }) as Handlers,
  );
  const served = new Set(
    Object.keys(handlers).map((name) => `/tfplugin6.Provider/${name[0]?.toUpperCase()}${name.slice(1)}`),
  );
  return serveEngines(source, async (path) => (served.has(path) ? routeOf(routes, path) : undefined));
}
