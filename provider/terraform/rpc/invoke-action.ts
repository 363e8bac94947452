import { InputError } from "../../core/error.ts";
import { inWordsOf, type Text } from "../../core/wording.ts";
import { check } from "../../definition/check.ts";
import type { Action } from "../../definition/function.ts";
import { engine, graceMs, writtenObject } from "../../engine/engine.ts";
import {
  collectWarnings,
  errorDiagnostics,
  problemWarning,
  unknownTypeError,
  withDiagnostics,
} from "../codec/diagnostic.ts";
import { emptyShape, inputShape } from "../codec/schema.ts";
import { decodeRecord } from "../codec/value.ts";
import type { Diagnostic, DynamicValue, InvokeAction_Event } from "../tfplugin6/tfplugin6.ts";
import { type ProviderConfiguration, requireSession } from "./configure-provider.ts";
import { byTerraformType, type Handlers } from "./handler.ts";

/** Returns the handlers of calls about actions. Engines print progress, so it must not contain configured values. */
export function actionHandlers(
  actions: readonly Action[],
  { session }: Pick<ProviderConfiguration, "session">,
): Pick<Handlers, "validateActionConfig" | "planAction" | "invokeAction"> {
  const byType = byTerraformType(actions);

  /** Validates a configuration; sends no request. Unknown values are valid. */
  async function validate(type: string, config: DynamicValue | undefined) {
    const action = byType.get(type);
    if (action === undefined)
      return { diagnostics: errorDiagnostics(unknownTypeError("action", type), emptyShape) };
    const shape = inputShape(action.fields);
    return withDiagnostics(shape, (diagnostics) => {
      const values = decodeRecord(config, shape) ?? {};
      const { problems, warnings } = check(action, values);
      diagnostics.push(...warnings.map((each) => problemWarning(writtenObject(action, values), each, shape)));
      if (problems.length > 0) throw new InputError(problems);
      return {};
    });
  }

  return {
    validateActionConfig: ({ typeName = "", config }) => validate(typeName, config),
    planAction: ({ actionType = "", config }) => validate(actionType, config),

    // Terraform treats a stream without `completed` as success and panics on an event without a type.
    async *invokeAction({ actionType = "", config }, call) {
      const action = byType.get(actionType);
      if (action === undefined) {
        yield {
          completed: { diagnostics: errorDiagnostics(unknownTypeError("action", actionType), emptyShape) },
        };
        return;
      }
      const shape = inputShape(action.fields);
      const progress = channel<string>();
      const diagnostics: Diagnostic[] = [];
      const run = async () => {
        const inputs = decodeRecord(config, shape) ?? {};
        const report = (status: Text) => progress.put(inWordsOf("terraform", status));
        const options = {
          stop: call.signal,
          graceMs: graceMs.terraform,
          report,
          warn: collectWarnings(diagnostics),
        };
        await engine.invoke(requireSession(session(call)), action, inputs, options);
      };
      const done = run()
        .catch((error) => void diagnostics.push(...errorDiagnostics(error, shape)))
        .finally(progress.end);
      let last: string | undefined;
      for await (const message of progress.all) {
        // After a stop, progress would make the engine end the stream and discard the final diagnostics.
        if (message !== last && !call.signal.aborted)
          yield { progress: { message } } satisfies InvokeAction_Event;
        last = message;
      }
      await done;
      yield { completed: { diagnostics } };
    },
  };
}

/** Creates an unbounded queue between a producer and one asynchronous consumer. */
function channel<T>(): { put(item: T): void; end(): void; readonly all: AsyncIterable<T> } {
  const waiting: T[] = [];
  let ended = false;
  let wake = Promise.withResolvers<void>();
  const notify = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  return {
    put(item) {
      waiting.push(item);
      notify();
    },
    end() {
      ended = true;
      notify();
    },
    all: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const { promise } = wake;
          yield* waiting.splice(0);
          if (waiting.length === 0 && ended) return;
          await promise;
        }
      },
    },
  };
}
