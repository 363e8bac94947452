import { InputError } from "../../core/error.ts";
import { check } from "../../definition/check.ts";
import type { Lookup } from "../../definition/function.ts";
import { engine, writtenObject } from "../../engine/engine.ts";
import { collectWarnings, problemWarning } from "../codec/diagnostic.ts";
import { definitionShape } from "../codec/schema.ts";
import { decodeRecord, encode } from "../codec/value.ts";
import { type ProviderConfiguration, requireSession } from "./configure-provider.ts";
import { type Handlers, typedHandlers } from "./handler.ts";

/** Returns the handlers of calls about data sources. */
export function dataSourceHandlers(
  lookups: readonly Lookup[],
  { session }: Pick<ProviderConfiguration, "session">,
): Pick<Handlers, "validateDataResourceConfig" | "readDataSource"> {
  const forDataSource = typedHandlers("data source", lookups, definitionShape);
  return {
    validateDataResourceConfig: forDataSource((lookup, { config }, _, diagnostics) => {
      const shape = definitionShape(lookup);
      const values = decodeRecord(config, shape) ?? {};
      const { problems, warnings } = check(lookup, values);
      diagnostics.push(...warnings.map((each) => problemWarning(writtenObject(lookup, values), each, shape)));
      if (problems.length > 0) throw new InputError(problems);
      return {};
    }),

    readDataSource: forDataSource(async (lookup, { config }, call, diagnostics) => {
      const shape = definitionShape(lookup);
      const inputs = decodeRecord(config, shape) ?? {};
      const results = await engine.lookup(requireSession(session(call)), lookup, inputs, {
        stop: call.signal,
        warn: collectWarnings(diagnostics),
      });
      return { state: encode({ ...inputs, ...results }, shape) };
    }),
  };
}
