import { explain, InputError } from "../../provider/core/error.ts";
import { isRecord } from "../../provider/core/value.ts";
import { stateOf } from "../../provider/pulumi/pulumi.ts";
import { resourceOfPulumi } from "../../review/model/kind.ts";
import {
  isObject,
  type Json,
  malformed,
  objectOf,
  objectsOf,
  stringOf,
  stringsOf,
} from "../../review/read/json.ts";
import { decoded } from "../../review/read/pulumi-object.ts";
import { addressOf, typeOf } from "../../review/read/pulumi-step.ts";
import { UnreadableError } from "../../review/read/read.ts";
import { isIdentified, type Recorded, type StateFile } from "./recorded.ts";

/** Reads exports of Pulumi stacks. Secrets may be encrypted: their values are then not known. */

/** Returns true for the output of `pulumi stack export`, or a stack file of a backend. */
export const isPulumiState = (json: Json): boolean =>
  "version" in json && ("deployment" in json || "checkpoint" in json);

export function pulumiState(json: Json): StateFile {
  if (json.version !== 3 && json.version !== 4)
    throw new UnreadableError(`is a stack of version ${String(json.version)}; this version reads version 3`);
  const latest = objectOf(json.deployment ?? objectOf(json.checkpoint).latest);
  const manifest = objectOf(latest.manifest);
  const pending = objectsOf(latest.pending_operations).map(
    ({ resource, type }) =>
      `${addressOf(String(objectOf(resource).urn))} has a pending ${String(type)}, whose result is not known`,
  );
  const read = objectsOf(latest.resources).flatMap(recordedOf);
  return {
    engine: "pulumi",
    engineVersion: stringOf(manifest.version),
    objects: read.flatMap((one) => ("address" in one ? [one] : [])),
    gaps: [
      ...(isObject(latest.manifest) ? [] : ["the stack has no manifest"]),
      ...malformed(latest, "resources"),
      ...malformed(latest, "pending_operations"),
      ...read.flatMap((one) => ("gap" in one ? [one.gap] : [])),
      ...pending,
    ],
  };
}

/** Returns the object of a row, or the reason why it cannot be read; nothing for components and other providers. */
function recordedOf(row: Json): (Recorded | { readonly gap: string })[] {
  const urn = String(row.urn);
  const type = typeOf(urn);
  const resource = resourceOfPulumi(type);
  const address = addressOf(urn);
  if (resource === undefined && !/^kcloud:/i.test(type)) return [];
  if (row.custom !== true && resource !== undefined) return [{ gap: `${address} is no object` }];
  if (resource === undefined) return [{ gap: `${address} has a type that this version does not have` }];
  // An external object was only looked up: the stack does not manage it. A pending replacement has deleted its object.
  if (row.external === true || row.pendingReplacement === true) return [];
  const outputs = decoded(row.outputs ?? {});
  const byProperty = Object.values(objectOf(row.propertyDependencies)).flatMap(stringsOf);
  const dependsOn = [...new Set([...stringsOf(row.dependencies), ...byProperty])].map(addressOf);
  try {
    const state = stateOf(resource, String(row.id ?? ""), isRecord(outputs) ? outputs : {});
    if (!isIdentified(state)) return [{ gap: `${address} has no id` }];
    return [
      { address, resource, state, dependsOn, ...(row.delete === true && { isDeposed: true as const }) },
    ];
  } catch (error) {
    if (error instanceof InputError)
      return [{ gap: `${address} cannot be read: ${explain(error, "pulumi").detail}` }];
    throw error;
  }
}
