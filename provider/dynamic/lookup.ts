import * as pulumi from "@pulumi/pulumi";
import { functions, lookups } from "../../functions/index.ts";
import { fieldName, pascalCase } from "../core/name.ts";
import type { Plain } from "../core/value.ts";
import type { PureFunction } from "../definition/function.ts";
import { engine } from "../engine/engine.ts";
import { realPorts } from "../platform/real-ports.ts";
import { present } from "../pulumi/state.ts";
import { textOf } from "../pulumi/text.ts";
import { createSessions } from "./configuration.ts";
import { fromHost, toHost } from "./value.ts";

/**
 * Lookups of the dynamic face. A dynamic provider has none, so they are asked in the program's own process, with
 * the stack's configuration; in previews too, since they change nothing.
 */

const session = createSessions(realPorts, process.env, () => {});

/** `args` are plain. Throws an `Error` whose message is for the user. */
export async function lookUp<T>(name: string, args: object): Promise<T> {
  const calculation = functions.find((candidate) => fieldName(candidate.name) === name);
  if (calculation !== undefined) return calculated(calculation, args) as T;
  const lookup = lookups.find((candidate) => pascalCase(candidate.name) === name);
  if (lookup === undefined) throw new TypeError(`no lookup ${name}`);
  const config = new pulumi.Config("kcloud");
  try {
    const open = session((key) => config.get(key.slice("kcloud:".length)));
    const call = { stop: new AbortController().signal };
    const found = await engine.lookup(open, lookup, fromHost(args as { [name: string]: Plain }), call);
    return toHost(present(found) as typeof found) as T;
  } catch (error) {
    throw new Error(textOf(error));
  }
}

/** A calculation, by the rules and with the texts of the plugin. */
function calculated(asked: PureFunction, args: object): object {
  try {
    return { result: present(engine.calculate(asked, fromHost(args as { [name: string]: Plain }))) };
  } catch (error) {
    throw new Error(textOf(error));
  }
}

/** The same for arguments that are known later, or not in this preview. */
export const lookUpOutput = <T>(
  name: string,
  args: object,
  opts: pulumi.InvokeOutputOptions | undefined,
): pulumi.Output<T> => {
  const ids = pulumi
    .output(opts?.dependsOn ?? [])
    .apply((after) => pulumi.all([after].flat().map((resource) => (resource as pulumi.CustomResource).id)));
  return pulumi.all([args, ids]).apply(([known]) => lookUp<T>(name, known)) as pulumi.Output<T>;
};
