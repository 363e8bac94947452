import {
  destructionOf,
  type PossibleEffect,
  possibleEffect,
} from "../../operation/destruction/destruction.ts";
import { allOperations, clientOperations, type NamedOperation } from "../../operation/operations.ts";
import { parameterSchema } from "../../operation/schema.ts";
import { secretParameters } from "../../operation/secret-field.ts";

/** Operations that the tools offer, and the reasons why they offer no others. */

/** Offer of an operation: the tools that call it, or the reason why none does. */
export type Offer = { readonly tools: readonly string[] } | { readonly reason: string };

/** Settings on which an offer depends. */
export interface OfferSettings {
  /** True if a delete that requires a one-time password can get one. */
  readonly hasPasswords: boolean;
}

const toolsBy: { readonly [E in PossibleEffect]: readonly string[] } = {
  reads: ["read_operation"],
  changes: ["change"],
  destroys: ["preview_destruction", "destroy"],
  "changes or destroys": ["change", "preview_destruction", "destroy"],
};

/** Names of the operations whose requests are known from the documents or from a client. */
const known: ReadonlySet<string> = new Set(clientOperations().map(({ name }) => name));

/** Returns the offer of an operation. */
export function offerOf(row: NamedOperation, { hasPasswords }: OfferSettings): Offer {
  const { name, operation } = row;
  const secret = secretParameters(row);
  const { required = [] } = parameterSchema(operation);
  const { object } = destructionOf(name) ?? {};
  const reasons = [
    [!known.has(name), "Neither the documents nor the emulator have it, and its request was never tried."],
    [operation.secrets.length > 0, "Its response contains a secret."],
    [required.some((parameter) => secret.includes(parameter)), "It needs a secret."],
    [operation.content !== undefined || operation.transfer !== undefined, "It transfers a content."],
    [typeof object === "string", String(object)],
    [
      operation.endpoint.semantics === "guarded-delete" && !hasPasswords,
      "It needs a one-time password, and the server has no setting for one.",
    ],
  ] as const;
  const [, reason] = reasons.find(([isMet]) => isMet) ?? [];
  return reason === undefined ? { tools: toolsBy[possibleEffect(row)] } : { reason };
}

/** Returns the operation of a name in the contract or in the client; undefined if there is none. */
export const operationNamed = (name: string): NamedOperation | undefined =>
  allOperations().find((row) => row.name === name || row.method === name);
