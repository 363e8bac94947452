import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks.js";
import { functions, lookups } from "../../../functions/index.ts";
import { fieldName, pascalCase, pulumiFunction } from "../../core/name.ts";
import type { Plain } from "../../core/value.ts";
import type { PureFunction } from "../../definition/function.ts";
import { engine } from "../../engine/engine.ts";
import { realPorts } from "../../platform/real-ports.ts";
import { errorText, withoutNull } from "../../pulumi/pulumi.ts";
import { createSessionCache } from "../configuration.ts";
import { fromHost, toHost } from "../value.ts";

/**
 * Functions of the dynamic classes. A dynamic provider has no invoke, so they run in the process of the program with the
 * stack's configuration, in previews too, and send only read requests. In a unit test with mocks they send no request: the
 * mocks return the result, as for the plugin.
 */

const session = createSessionCache(realPorts, process.env, () => {});

/** Runs a function with plain arguments. Throws an `Error` with the text for the user as its message. */
export async function invoke<T>(name: string, args: object): Promise<T> {
  const pureFunction = functions.find((candidate) => fieldName(candidate.name) === name);
  if (pureFunction !== undefined) return calculate(pureFunction, args) as T;
  const lookup = lookups.find((candidate) => pascalCase(candidate.name) === name);
  if (lookup === undefined) throw new TypeError(`no lookup ${name}`);
  if (pulumi.runtime.getMonitor() instanceof MockMonitor)
    return pulumi.runtime.invoke(pulumiFunction(lookup.name), args) as Promise<T>;
  const config = new pulumi.Config("kcloud");
  try {
    const open = session((key) => config.get(key.slice("kcloud:".length)));
    const call = { stop: new AbortController().signal };
    const found = await engine.lookup(open, lookup, fromHost(args as { [name: string]: Plain }), call);
    return toHost(withoutNull(found) as typeof found) as T;
  } catch (error) {
    throw new Error(errorText(error));
  }
}

function calculate(definition: PureFunction, args: object): object {
  try {
    return { result: withoutNull(engine.calculate(definition, fromHost(args as { [name: string]: Plain }))) };
  } catch (error) {
    throw new Error(errorText(error));
  }
}

/** Runs a function with outputs as arguments, once the arguments and the dependencies are known. */
export const invokeOutput = <T>(
  name: string,
  args: object,
  opts: pulumi.InvokeOutputOptions | undefined,
): pulumi.Output<T> => {
  const ids = pulumi
    .output(opts?.dependsOn ?? [])
    .apply((after) => pulumi.all([after].flat().map((resource) => (resource as pulumi.CustomResource).id)));
  return pulumi.all([args, ids]).apply(([known]) => invoke<T>(name, known)) as pulumi.Output<T>;
};
