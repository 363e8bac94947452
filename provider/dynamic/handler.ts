import { InputError, OperationError } from "../core/error.ts";
import type { Values } from "../core/value.ts";
import type { Resource } from "../definition/resource.ts";
import type { Call, Session } from "../engine/engine.ts";
import { engine } from "../engine/engine.ts";
import { differenceOf } from "../pulumi/diff.ts";
import type { Host } from "../pulumi/host.ts";
import { named } from "../pulumi/name.ts";
import { foreignRegion, heldOf, importIdOf, inputsOf, outputsOf } from "../pulumi/state.ts";
import { reasonOf, traceOf } from "../pulumi/text.ts";
import type { Read } from "./configuration.ts";
import { halfMade, hostError } from "./error.ts";
import { fromHost, logicalName, type Properties, providerKey, toHost } from "./value.ts";

/** What Pulumi's host of dynamic providers calls (pulumi.md 1.1). */
export interface Handlers {
  configure(request: { config: { get(key: string): string | undefined } }): Promise<void>;
  check(
    olds: Properties,
    news: Properties,
  ): Promise<{ inputs: Properties; failures: { property: string; reason: string }[] }>;
  diff(id: string, olds: Properties, news: Properties): Promise<Difference>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(id: string, props: Properties): Promise<{ id?: string; props?: Properties; inputs?: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
}

/** Without `changes` the engine compares the inputs itself, and shows where they differ. */
export interface Difference {
  readonly changes?: boolean;
  readonly replaces?: string[];
  readonly deleteBeforeReplace?: boolean;
}

export interface Surroundings {
  readonly host: Host;
  /** Throws `ConfigError`; asked inside each call, since the host calls before `configure` has ended. */
  readonly session: (read: Read) => Session;
}

/** The handlers of one resource. They print nothing: the host would show it as a message of the stack. */
export function createHandlers(resource: Resource, { host, session: open }: Surroundings): Handlers {
  let read: Read = () => undefined;
  /** Objects just read: the diff that follows is a refresh's, and refuses nothing. */
  const refreshed = new Set<string>();

  const noun = resource.name.replaceAll("-", " ");
  const about = ({ name = null }: Values, words: string) =>
    `${noun}${typeof name === "string" ? ` ${JSON.stringify(name)}` : ""}: ${words}`;
  // The host cannot be stopped and knows no timeouts; the definition's own hold.
  const call = (values: Values): Call => ({
    stop: new AbortController().signal,
    report: (words) => void host.log("INFO", about(values, words), "", true),
    warn: ({ summary, detail }) => void host.log("WARNING", about(values, `${summary}\n${detail}`)),
  });

  /** No error but ours reaches the host. */
  const guarded =
    <A extends unknown[], R>(run: (...call: A) => Promise<R>) =>
    async (...call: A): Promise<R> => {
      try {
        return await run(...call);
      } catch (error) {
        await host.log("DEBUG", traceOf(error));
        throw hostError(error);
      }
    };

  return {
    // Not every caller waits for it (pulumi.md 1.4): all is done before the first await.
    configure: async ({ config }) => {
      read = (key) => config.get(key);
    },

    check: guarded(async (olds, news) => {
      const logical = news[logicalName];
      const naming = { logical: typeof logical === "string" ? logical : "", seed: new Uint8Array() };
      const written = named(resource, fromHost(news), fromHost(olds), naming);
      const { inputs, problems, warnings } = engine.check(resource, written);
      for (const warning of warnings) await host.log("WARNING", about(written, reasonOf(warning)));
      // A failure that names a property makes the engine print its value, and here nobody knows what is secret.
      const failures = problems.map((problem) => ({ property: "", reason: reasonOf(problem) }));
      return { inputs: toHost(inputs), failures };
    }),

    diff: guarded(async (id, olds, news) => {
      const held = heldOf(resource, id, fromHost(olds));
      const plan = engine.plan(resource, held, fromHost(news), undefined);
      const planning = !refreshed.delete(id);
      if (planning && plan.action !== "replace" && plan.problems.length > 0)
        throw new InputError(plan.problems);
      // A state that comes from the plugin lacks the provider; an update writes it down.
      const foreign = olds[providerKey] === undefined;
      const { diffs, replaces, deleteBeforeReplace, reasons } = differenceOf(resource, plan, held.values);
      if (planning) for (const reason of reasons) await host.log("INFO", about(held.values, reason));
      if (diffs.length === 0) return { changes: foreign };
      return { ...(foreign ? { changes: true } : {}), replaces: [...replaces], deleteBeforeReplace };
    }),

    create: guarded(async (inputs) => {
      const values = fromHost(inputs);
      const held = await engine
        .create(open(read), resource, values, call(values))
        .catch((error) => failed(error, inputs));
      return { id: held.id ?? "", outs: toHost(outputsOf(resource, held)) };
    }),

    read: guarded(async (id, props) => {
      const session = open(read);
      const held = heldOf(resource, id, fromHost(props));
      const importId = importIdOf(resource, held);
      const seen = await (importId === undefined
        ? engine.read(session, resource, held, call(held.values))
        : engine.import(session, resource, importId, call(held.values)));
      if (seen === undefined) return {};
      if (importId === undefined) refreshed.add(id);
      const inputs = inputsOf(resource.fields, seen.values, foreignRegion(seen, session));
      return { id: seen.id ?? "", props: toHost(outputsOf(resource, seen)), inputs: toHost(inputs) };
    }),

    update: guarded(async (id, olds, news) => {
      const prior = heldOf(resource, id, fromHost(olds));
      const values = fromHost(news);
      const held = await engine
        .update(open(read), resource, prior, values, call(values))
        .catch((error) => failed(error, news));
      return { outs: toHost(outputsOf(resource, held)) };
    }),

    delete: guarded(async (id, props) => {
      const held = heldOf(resource, id, fromHost(props));
      await engine.delete(open(read), resource, held, call(held.values));
    }),
  };

  /** Where an object is left behind, the host stores what it is given, and adds nothing to it. */
  function failed(error: unknown, { [providerKey]: provider = null }: Properties): never {
    if (!(error instanceof OperationError) || error.held?.id === undefined) throw error;
    const properties = { ...toHost(outputsOf(resource, error.held)), [providerKey]: provider };
    throw halfMade(error, error.held.id, properties);
  }
}
