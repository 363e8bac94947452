import { ConfigError, InputError, OperationError, stackTrace } from "../core/error.ts";
import type { ResourceState } from "../core/state.ts";
import { equal, type Values } from "../core/value.ts";
import { type Text, wording } from "../core/wording.ts";
import type { Resource } from "../definition/resource.ts";
import type { Call, Session } from "../engine/engine.ts";
import {
  engine,
  holderOf,
  keptElsewhere,
  noteCompared,
  noteCreate,
  noteDeleted,
  noteUpdate,
  planObject,
  sharedListProblems,
  withPlannedRegion,
  writtenObject,
} from "../engine/engine.ts";
import {
  type EngineLog,
  importIdOf,
  inputsOf,
  outputsOf,
  problemText,
  problemWarning,
  regionInput,
  resourceDiff,
  stateOf,
  warningText,
  withName,
} from "../pulumi/pulumi.ts";
import type { ReadSetting } from "./configuration.ts";
import { hostError, resourceInitFailed } from "./error.ts";
import { fromHost, logicalNameKey, type Properties, providerKey, toHost } from "./value.ts";

/** Methods that Pulumi's host of dynamic providers calls. */
export interface Handlers {
  configure(request: { config: { get(key: string): string | undefined } }): Promise<void>;
  check(
    olds: Properties,
    news: Properties,
  ): Promise<{ inputs: Properties; failures: { property: string; reason: string }[] }>;
  diff(id: string, olds: Properties, news: Properties): Promise<DiffResult>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(id: string, props: Properties): Promise<{ id?: string; props?: Properties; inputs?: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
}

/** Result of `diff`. Without `changes` the engine compares the inputs and shows the differences. */
export interface DiffResult {
  readonly changes?: boolean;
  readonly replaces?: string[];
  readonly deleteBeforeReplace?: boolean;
}

export interface HandlerContext {
  readonly engineLog: EngineLog;
  /** Returns the session. Throws `ConfigError`. Called in each method, since the host does not wait for `configure`. */
  readonly session: (read: ReadSetting) => Session;
}

/** Creates the handlers of one resource. They print nothing: the host would show output as a message of the stack. */
export function createHandlers(resource: Resource, { engineLog, session: open }: HandlerContext): Handlers {
  let read: ReadSetting = () => undefined;
  /** Number of reads by id whose diff did not follow yet: it is part of a refresh and must not fail. */
  const refreshed = new Map<string, number>();
  const takeRefreshed = (id: string): boolean => {
    const count = refreshed.get(id) ?? 0;
    refreshed.set(id, Math.max(0, count - 1));
    return count > 0;
  };
  /** Objects to replace, each with the inputs of its create, which gets neither the object nor its URN. */
  const replacements: { readonly inputs: Values; readonly region: string | undefined }[] = [];
  /** Returns the region of the object that a create with these inputs replaces; undefined if there are several regions. */
  const replacedRegion = (inputs: Values): string | undefined => {
    const [region, ...more] = new Set(
      replacements.filter((one) => equal(one.inputs, inputs)).map(({ region }) => region),
    );
    return more.length === 0 ? region : undefined;
  };

  const kind = resource.name.replaceAll("-", " ");
  const labelled = ({ name = null }: Values, message: Text) =>
    wording`${kind}${typeof name === "string" ? ` ${JSON.stringify(name)}` : ""}: ${message}`;
  // The host passes neither cancellation nor custom timeouts: the timeouts of the definition apply.
  const call = (values: Values): Call => ({
    stop: new AbortController().signal,
    report: (message) => void engineLog.write("INFO", labelled(values, message), "", true),
    warn: (warning) => void engineLog.write("WARNING", warningText(warning)),
  });

  const recovered = (state: ResourceState): Promise<ResourceState> =>
    state.failed === undefined
      ? Promise.resolve(state)
      : engine.recovered(open(read), resource, state, call(state.values));

  /** Returns the session; undefined while a setting is missing, which a later call that needs the session reports. */
  const configured = (): Session | undefined => {
    try {
      return open(read);
    } catch (error) {
      if (error instanceof ConfigError) return undefined;
      throw error;
    }
  };

  /** Returns the function with every error converted for the host. */
  const guarded =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await run(...args);
      } catch (error) {
        await engineLog.write("DEBUG", stackTrace(error));
        throw hostError(error);
      }
    };

  return {
    // The host does not always wait for the result, so there is no await.
    configure: async ({ config }) => {
      read = (key) => config.get(key);
    },

    check: guarded(async (olds, news) => {
      const logical = news[logicalNameKey];
      const naming = { logical: typeof logical === "string" ? logical : "", seed: new Uint8Array() };
      const named = withName(resource, fromHost(news), fromHost(olds), naming);
      await engine.prepare(resource, named, new AbortController());
      const { inputs, problems, warnings } = engine.check(resource, named);
      const object = writtenObject(resource, named);
      for (const each of warnings) await engineLog.write("WARNING", problemWarning(object, each));
      // Without the property: the engine would print its value, and the host does not pass marks of secrets.
      const failures = problems.map((problem) => ({ property: "", reason: problemText(problem) }));
      return { inputs: toHost(inputs), failures };
    }),

    diff: guarded(async (id, olds, news) => {
      const isPlan = !takeRefreshed(id);
      const stored = stateOf(resource, id, fromHost(olds));
      const state = isPlan ? await recovered(stored) : stored;
      const { region = null } = state.values;
      const replaced = typeof region === "string" ? region : undefined;
      const session = isPlan ? configured() : undefined;
      const plan = engine.plan(resource, state, fromHost(news), session, replaced);
      if (isPlan && plan.action === "replace") {
        const problems = [...(plan.obstacles ?? []), ...(plan.losses ?? [])];
        if (problems.length > 0) throw new InputError(problems);
        replacements.push({ inputs: fromHost(news), region: replaced });
      }
      if (isPlan && plan.action !== "replace" && plan.problems.length > 0)
        throw new InputError(plan.problems);
      // A state from the plugin has no `__provider`; an update adds it.
      const fromPlugin = olds[providerKey] === undefined;
      const lists = session === undefined ? [] : sharedListProblems(session, resource, state, plan);
      if (lists.length > 0) throw new InputError(lists);
      if (session !== undefined && plan.action === "replace") noteCompared(session, resource, state, id);
      if (session !== undefined && plan.action !== "replace") {
        const fate = plan.action === "none" && !fromPlugin ? "kept" : "changed";
        const shared = planObject(session, resource, state, { owner: id, fate, planned: plan.values });
        if (shared.length > 0) throw new InputError(shared);
      }
      const { diffs, replaces, deleteBeforeReplace, replaceReasons } = resourceDiff(
        resource,
        plan,
        state.values,
      );
      if (isPlan)
        for (const reason of replaceReasons) await engineLog.write("INFO", labelled(state.values, reason));
      if (diffs.length === 0) return { changes: fromPlugin };
      return { ...(fromPlugin ? { changes: true } : {}), replaces: [...replaces], deleteBeforeReplace };
    }),

    create: guarded(async (inputs) => {
      const values = fromHost(inputs);
      const session = open(read);
      const shared = planObject(session, resource, { id: undefined, values }, { owner: undefined });
      if (shared.length > 0) throw new InputError(shared);
      const placed = withPlannedRegion(session, resource, values, replacedRegion(values));
      const state = await engine
        .create(session, resource, placed, {
          ...call(values),
          holderOf: holderOf(session, resource, placed, {}),
        })
        .catch((error) => throwPartialState(error, inputs));
      if (state.id !== undefined) noteCreate(session, state.id);
      return { id: state.id ?? "", outs: toHost(outputsOf(resource, state)) };
    }),

    read: guarded(async (id, props) => {
      const session = open(read);
      const state = stateOf(resource, id, fromHost(props));
      const importId = importIdOf(resource, state);
      const current = await (importId === undefined
        ? engine.read(session, resource, state, call(state.values))
        : engine.import(session, resource, importId, call(state.values)));
      if (current === undefined) return {};
      if (importId === undefined) refreshed.set(id, (refreshed.get(id) ?? 0) + 1);
      const inputs = inputsOf(resource.fields, current.values, regionInput(current, session));
      return { id: current.id ?? "", props: toHost(outputsOf(resource, current)), inputs: toHost(inputs) };
    }),

    update: guarded(async (id, olds, news) => {
      const prior = await recovered(stateOf(resource, id, fromHost(olds)));
      const values = fromHost(news);
      const session = open(read);
      noteUpdate(session, resource, prior, id);
      const state = await engine
        .update(session, resource, prior, values, call(values))
        .catch((error) => throwPartialState(error, news));
      return { outs: toHost(outputsOf(resource, state)) };
    }),

    delete: guarded(async (id, props) => {
      const state = stateOf(resource, id, fromHost(props));
      const session = open(read);
      const keptOf = keptElsewhere(session, resource, state, { owner: id });
      await engine.delete(session, resource, state, { ...call(state.values), keptOf });
      if (!keptOf(id)) noteDeleted(session, resource, state, id);
    }),
  };

  /**
   * Throws the error with the partial state. The host stores its properties unchanged, so they have to contain `__provider`.
   */
  function throwPartialState(error: unknown, { [providerKey]: provider = null }: Properties): never {
    if (!(error instanceof OperationError) || error.state?.id === undefined) throw error;
    const properties = { ...toHost(outputsOf(resource, error.state)), [providerKey]: provider };
    throw resourceInitFailed(error, error.state.id, properties);
  }
}
