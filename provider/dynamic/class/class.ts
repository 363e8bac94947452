import type * as pulumi from "@pulumi/pulumi";
import { dynamicProvider } from "../../core/name.ts";
import { logicalNameKey } from "../value.ts";

/**
 * Returns the inputs that a dynamic class registers in addition to its properties: the code that loads its handlers (one
 * line instead of the kilobytes that Pulumi would serialize) and, without a given name, the name of the resource in the
 * program, which Pulumi does not pass to a handler.
 */
export function dynamicInputs(
  resource: string,
  name: string,
  args: object | undefined,
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.Inputs {
  const configured = (args as { readonly name?: unknown } | undefined)?.name ?? opts?.id;
  return {
    __provider: dynamicProvider(resource),
    ...(configured === undefined ? { [logicalNameKey]: name } : {}),
  };
}
