import { CloudError, explain, type Held, InputError, OperationError } from "../../core/error.ts";
import { terraformType } from "../../core/name.ts";
import { check } from "../../definition/check.ts";
import type { Resource } from "../../definition/resource.ts";
import { engine } from "../../engine/engine.ts";
import { type Listed, scopeFields } from "../../engine/list.ts";
import type { Session } from "../../engine/session.ts";
import { diagnosed, errorDiagnostics, noSuch, warning } from "../codec/diagnostic.ts";
import { identityOf } from "../codec/identity.ts";
import { listShape, nothing, type ObjectShape, resourceShape } from "../codec/schema.ts";
import { fromHeld, withoutHidden } from "../codec/state.ts";
import { decodeRecord, encode } from "../codec/value.ts";
import type { Diagnostic, ListResource_Event } from "../tfplugin6/tfplugin6.ts";
import type { Call } from "../transport/grpc.ts";
import { type Configuration, configured } from "./configure-provider.ts";
import type { Handlers } from "./handler.ts";

/** Lists of what is there: one listing, and where it does not show enough one read an object, a few at a time. */
const atOnce = 8;

/** The resources that can be listed. */
export const listable = (resources: readonly Resource[]): Resource[] =>
  resources.filter(({ verbs }) => verbs.list !== undefined);

export function listHandlers(
  resources: readonly Resource[],
  { session }: Pick<Configuration, "session">,
): Pick<Handlers, "validateListResourceConfig" | "listResource"> {
  const byType = new Map(listable(resources).map((resource) => [terraformType(resource.name), resource]));
  return {
    async validateListResourceConfig({ typeName = "", config }) {
      const resource = byType.get(typeName);
      if (resource === undefined)
        return { diagnostics: errorDiagnostics(noSuch("list resource", typeName), nothing) };
      const shape = listShape(resource);
      return diagnosed(inConfig(shape), () => {
        const { problems } = check({ fields: scopeFields(resource) }, decodeRecord(config, shape) ?? {});
        const within = problems.map(({ path, problem }) => ({ path: ["config", ...path], problem }));
        if (within.length > 0) throw new InputError(within);
        return {};
      });
    },

    async *listResource({ typeName = "", config, limit = 0, includeResourceObject = false }, call) {
      const resource = byType.get(typeName);
      if (resource === undefined) {
        yield { diagnostic: errorDiagnostics(noSuch("list resource", typeName), nothing) };
        return;
      }
      const shape = listShape(resource);
      try {
        const open = configured(session(call));
        const written = decodeRecord(config, shape) ?? {};
        const rows = await engine.list(open, resource, written, { stop: call.signal });
        const show = (listed: Listed) =>
          includeResourceObject ? inFull(open, resource, listed, call) : inBrief(resource, listed, []);
        for (let at = 0, left = limit; at < rows.length && left > 0; ) {
          const next = rows.slice(at, at + Math.min(left, atOnce));
          at += next.length;
          for (const event of await Promise.all(next.map(show))) {
            if (event.identity !== undefined) left -= 1;
            yield event;
          }
        }
      } catch (error) {
        // It makes the engine forget what it was shown so far: part of a list would pass for all of it.
        yield { diagnostic: errorDiagnostics(error, shape) };
      }
    },
  };
}

/** In the validation the engine counts a path from the block around the configuration. */
const inConfig = (shape: ObjectShape): ObjectShape => ({
  kind: "object",
  fields: { config: { shape, about: "", setBy: "user", required: false, secret: false, writeOnly: false } },
});

/** What names an object. Without an identity an event has to be a warning: then the engine goes on. */
function inBrief(resource: Resource, listed: Listed, diagnostics: Diagnostic[]): ListResource_Event {
  const { id, region, name, values, problem } = listed;
  if (problem !== undefined) return skipped(name, `its id ${problem}`);
  const identity = identityOf(resource, { ...values, id, region: region ?? null });
  if (identity === undefined) return skipped(name, "what it is found by is not known");
  return { identity, displayName: name, diagnostic: diagnostics };
}

/** An object with all there is to see of it. It goes into files: secrets stay out. */
async function inFull(
  session: Session,
  resource: Resource,
  listed: Listed,
  { signal }: Call,
): Promise<ListResource_Event> {
  const diagnostics: Diagnostic[] = [];
  const brief = inBrief(resource, listed, diagnostics);
  if (brief.identity === undefined) return brief;
  const shape = resourceShape(resource);
  try {
    const warn = ({ summary, detail }: { summary: string; detail: string }) => {
      diagnostics.push(warning(summary, detail, [], nothing));
    };
    const held: Held =
      listed.held ?? (await engine.import(session, resource, listed, { stop: signal, warn }));
    const shown = fromHeld({ ...held, values: withoutHidden(resource.fields, held.values) }, null);
    return { ...brief, resourceObject: encode(shown, shape) };
  } catch (error) {
    if (!concernsOne(error)) throw error;
    const { summary, detail } = explain(error);
    return skipped(listed.name, `${summary}. ${detail}`);
  }
}

/** Whether only this object cannot be read: it has gone meanwhile, or the cloud refuses to show it. */
const concernsOne = (error: unknown): boolean =>
  error instanceof OperationError &&
  (error.cause === undefined || (error.cause instanceof CloudError && error.cause.failure === "rejected"));

const skipped = (name: string, why: string): ListResource_Event => ({
  diagnostic: [warning("An object is left out", `${name}: ${why}`, [], nothing)],
});
