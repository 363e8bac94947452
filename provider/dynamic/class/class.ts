import type * as pulumi from "@pulumi/pulumi";
import { dynamicProvider } from "../../core/name.ts";
import { logicalName } from "../value.ts";

/**
 * What a dynamic class registers beside its properties: the text its handlers are loaded by, written by hand since
 * Pulumi's own would be kilobytes of serialised code (pulumi.md 1.3), and, where no name is given, the program's
 * name for it, which Pulumi tells to nobody.
 */
export function dynamicOf(
  resource: string,
  name: string,
  args: object | undefined,
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.Inputs {
  const given = (args as { readonly name?: unknown } | undefined)?.name ?? opts?.id;
  return { __provider: dynamicProvider(resource), ...(given === undefined ? { [logicalName]: name } : {}) };
}
