import { type Explanation, InputError } from "../../core/error.ts";
import { terraformType } from "../../core/name.ts";
import type { Values } from "../../core/value.ts";
import { check } from "../../definition/check.ts";
import type { Lookup } from "../../definition/function.ts";
import { engine } from "../../engine/engine.ts";
import { diagnosed, errorDiagnostics, noSuch, problemWarnings, warning } from "../codec/diagnostic.ts";
import { answeredShape, nothing } from "../codec/schema.ts";
import { decodeRecord, encode } from "../codec/value.ts";
import type { Diagnostic, DynamicValue } from "../tfplugin6/tfplugin6.ts";
import type { Call } from "../transport/grpc.ts";
import { type Configuration, configured } from "./configure-provider.ts";
import type { Handlers } from "./handler.ts";

/** What engines ask about data sources: lookups that change nothing. */
export function lookupHandlers(
  lookups: readonly Lookup[],
  { session }: Pick<Configuration, "session">,
): Pick<Handlers, "validateDataResourceConfig" | "readDataSource"> {
  const byType = new Map(lookups.map((lookup) => [terraformType(lookup.name), lookup]));
  type Request = { typeName?: string | undefined; config?: DynamicValue | undefined };

  const about =
    <A extends object>(
      run: (lookup: Lookup, written: Values, call: Call, diagnostics: Diagnostic[]) => Promise<A> | A,
    ) =>
    ({ typeName = "", config }: Request, call: Call) => {
      const lookup = byType.get(typeName);
      if (lookup !== undefined) {
        const shape = answeredShape(lookup);
        return diagnosed(shape, (diagnostics) =>
          run(lookup, decodeRecord(config, shape) ?? {}, call, diagnostics),
        );
      }
      return Promise.resolve({ diagnostics: errorDiagnostics(noSuch("data source", typeName), nothing) });
    };

  return {
    validateDataResourceConfig: about((lookup, written, _, diagnostics) => {
      const { problems, warnings } = check(lookup, written);
      diagnostics.push(...problemWarnings(warnings, answeredShape(lookup)));
      if (problems.length > 0) throw new InputError(problems);
      return {};
    }),

    readDataSource: about(async (lookup, written, call, diagnostics) => {
      const warn = ({ summary, detail }: Explanation) => {
        diagnostics.push(warning(summary, detail, [], nothing));
      };
      const found = await engine.lookup(configured(session(call)), lookup, written, {
        stop: call.signal,
        warn,
      });
      return { state: encode({ ...written, ...found }, answeredShape(lookup)) };
    }),
  };
}
