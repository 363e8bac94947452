import { type Explanation, InputError } from "../../core/error.ts";
import { terraformType } from "../../core/name.ts";
import { check } from "../../definition/check.ts";
import type { Action } from "../../definition/function.ts";
import { engine } from "../../engine/engine.ts";
import { diagnosed, errorDiagnostics, noSuch, problemWarnings, warning } from "../codec/diagnostic.ts";
import { askedShape, nothing } from "../codec/schema.ts";
import { decodeRecord } from "../codec/value.ts";
import type { Diagnostic, DynamicValue, InvokeAction_Event } from "../tfplugin6/tfplugin6.ts";
import { type Configuration, configured } from "./configure-provider.ts";
import type { Handlers } from "./handler.ts";

/** Actions: what is done on request. Progress is shown as it comes, so nothing of a configuration is in it. */
export function actionHandlers(
  actions: readonly Action[],
  { session }: Pick<Configuration, "session">,
): Pick<Handlers, "validateActionConfig" | "planAction" | "invokeAction"> {
  const byType = new Map(actions.map((action) => [terraformType(action.name), action]));

  /** Says what is wrong with it; sends nothing. What is not known yet is never wrong. */
  async function checked(type: string, config: DynamicValue | undefined) {
    const action = byType.get(type);
    if (action === undefined) return { diagnostics: errorDiagnostics(noSuch("action", type), nothing) };
    const shape = askedShape(action.fields);
    return diagnosed(shape, (diagnostics) => {
      const { problems, warnings } = check(action, decodeRecord(config, shape) ?? {});
      diagnostics.push(...problemWarnings(warnings, shape));
      if (problems.length > 0) throw new InputError(problems);
      return {};
    });
  }

  return {
    validateActionConfig: ({ typeName = "", config }) => checked(typeName, config),
    planAction: ({ actionType = "", config }) => checked(actionType, config),

    // A stream that ends without `completed` counts as a success, an event without a type ends Terraform.
    async *invokeAction({ actionType = "", config }, call) {
      const action = byType.get(actionType);
      if (action === undefined) {
        yield { completed: { diagnostics: errorDiagnostics(noSuch("action", actionType), nothing) } };
        return;
      }
      const shape = askedShape(action.fields);
      const progress = channel<string>();
      const diagnostics: Diagnostic[] = [];
      const warn = ({ summary, detail }: Explanation) => {
        diagnostics.push(warning(summary, detail, [], nothing));
      };
      const run = async () => {
        const written = decodeRecord(config, shape) ?? {};
        const to = { stop: call.signal, report: progress.put, warn };
        await engine.invoke(configured(session(call)), action, written, to);
      };
      const done = run()
        .catch((error) => void diagnostics.push(...errorDiagnostics(error, shape)))
        .finally(progress.end);
      let last: string | undefined;
      for await (const message of progress.all) {
        // Progress after a stop makes the engine break off, and what is known at the end is never shown.
        if (message !== last && !call.signal.aborted)
          yield { progress: { message } } satisfies InvokeAction_Event;
        last = message;
      }
      await done;
      yield { completed: { diagnostics } };
    },
  };
}

/** What is put in comes out in its order, as soon as somebody asks. */
function channel<T>(): { put(item: T): void; end(): void; readonly all: AsyncIterable<T> } {
  const waiting: T[] = [];
  let ended = false;
  let wake = Promise.withResolvers<void>();
  const stir = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  return {
    put(item) {
      waiting.push(item);
      stir();
    },
    end() {
      ended = true;
      stir();
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
