import type { Problem } from "../../core/error.ts";
import { equal, type Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import type { ObjectShape } from "../../definition/shape.ts";
import type { ResourceIdentityData } from "../tfplugin6/tfplugin6.ts";
import { DiagnosticError } from "./diagnostic.ts";
import { identityShape } from "./schema.ts";
import { decodeRecord, encode } from "./value.ts";

/**
 * Resource identities: parents, id and region of an object, stored with its state. Engines store the identity of
 * each response and drop an identity that a response omits, so every response about an existing object contains it.
 */

/** Returns true if every part of an identity is known: OpenTofu rejects a plan with a partial one. */
const isComplete = (values: Values, { fields }: ObjectShape): boolean =>
  Object.keys(fields).every((name) => typeof values[name] === "string" && values[name] !== "");

/** Returns a problem for each part that differs from the stored identity. A part that the latter lacks may be added. */
const identityChanges = (before: Values, after: Values, { fields }: ObjectShape): Problem[] =>
  Object.keys(fields).flatMap((name) => {
    const known = before[name] ?? null;
    return known === null || equal(known, after[name] ?? null)
      ? []
      : [{ path: [name], problem: "has changed" }];
  });

/** Encodes the identity of an object; undefined while one of its parts is unknown, and for a kind without identity. */
export function identityOf(resource: Resource, values: Values | undefined): ResourceIdentityData | undefined {
  const shape = identityShape(resource);
  if (values === undefined || resource.stateOnly || !isComplete(values, shape)) return undefined;
  return { identityData: encode(values, shape) };
}

/** Encodes the identity of an object after a read. Throws `DiagnosticError` if it differs from the stored one. */
export function unchangedIdentity(
  resource: Resource,
  values: Values,
  before: ResourceIdentityData | undefined,
): ResourceIdentityData | undefined {
  const shape = identityShape(resource);
  const known = decodeRecord(before?.identityData, shape);
  const changes = known === undefined ? [] : identityChanges(known, values, shape);
  if (changes.length > 0)
    throw new DiagnosticError(
      "The state and its identity differ",
      `The state names another object than its identity: ${changes.map(({ path }) => path.join(".")).join(", ")}. Remove it from the state and import it again.`,
    );
  return identityOf(resource, values);
}

/** Decodes the identity that an import requests into the id, the region and the other values of the object. */
export function identityTarget(
  resource: Resource,
  identity: ResourceIdentityData,
): { id: string; region: string | undefined; values: Values } {
  const { id, region, ...values } = decodeRecord(identity.identityData, identityShape(resource)) ?? {};
  return { id: String(id ?? ""), region: typeof region === "string" ? region : undefined, values };
}
