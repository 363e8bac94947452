import proto, { type InvokeRequest, type InvokeResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import { functions, lookups } from "../../../functions/index.ts";
import { InputError } from "../../core/error.ts";
import { pulumiCall, pulumiFunction } from "../../core/name.ts";
import { secret, type Values } from "../../core/value.ts";
import type { PureFunction } from "../../definition/function.ts";
import { engine } from "../../engine/engine.ts";
import { withoutNull } from "../pulumi.ts";
import { holdsSecret, markSecrets } from "../secret.ts";
import { type PluginContext, runOperation, sessionOf } from "./context.ts";
import { checkFailure } from "./failure.ts";
import { structOf, valuesOf } from "./struct.ts";
import { findByToken } from "./token.ts";

/** Lookups, which send read requests, and pure functions, by token. */
const callables = [
  ...lookups.map((lookup) => ({ name: pulumiFunction(lookup.name), definition: lookup })),
  ...functions.map((definition) => ({ name: pulumiCall(definition.name), definition })),
];

/** Runs a lookup or a pure function. Problems of the arguments become failures of the response, not errors. */
export async function invoke(context: PluginContext, request: InvokeRequest): Promise<InvokeResponse> {
  const { definition } = findByToken(callables, (token) => token, request.getTok());
  const args = valuesOf(request.getArgs());
  try {
    const result =
      "run" in definition
        ? calculate(definition, args)
        : await runOperation(context, "", 0, async (call) => {
            const found = await engine.lookup(sessionOf(context), definition, args, call);
            return markSecrets(definition.fields, withoutNull(found) as Values, [args]);
          });
    return new proto.InvokeResponse().setReturn(structOf(result));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const failures = error.problems.map((problem) => checkFailure(definition, args, problem));
    return new proto.InvokeResponse().setFailuresList(failures);
  }
}

/** Runs a pure function. Its result is secret if any argument is. */
function calculate(definition: PureFunction, args: Values): Values {
  const result = withoutNull(engine.calculate(definition, args));
  return { result: Object.values(args).some(holdsSecret) ? secret(result) : result };
}
