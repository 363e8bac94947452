import { isRecord, type Values } from "../../provider/core/value.ts";
import type { ApplyState, StateObject } from "../model/apply-state.ts";
import { resourceOfTerraform } from "../model/kind.ts";
import { sensitiveIn } from "../model/redaction.ts";
import { isObject, type Json, malformed, objectOf, objectsOf, stringOf } from "./json.ts";
import { UnreadableError } from "./not-reviewable.ts";
import { isPulumiState } from "./pulumi.ts";
import { decoded } from "./pulumi-object.ts";
import { addressOf, typeOf } from "./pulumi-step.ts";
import { isTerraformState, rowsOfState, sensitiveOutputs, sensitiveTexts } from "./terraform-state.ts";
import { fromTerraform, shapeOf } from "./value.ts";

/** Reads the state after an apply, of which a report needs addresses, ids, and what the next apply replaces. */

/** Throws `UnreadableError`, whose message follows the name of the file. */
export function readApplyState(text: string): ApplyState {
  const json = stateJson(text);
  if (isTerraformState(json)) return terraformState(json);
  if (isPulumiState(json)) return pulumiState(json);
  throw new UnreadableError(
    "is neither a state of Terraform or OpenTofu (show -json, state pull) nor an export of a Pulumi stack (pulumi stack export)",
  );
}

/** Parses a state of any engine. Throws `UnreadableError`, whose message follows the name of the file. */
export function stateJson(text: string): Json {
  const json = parsed(text);
  if (!isObject(json)) throw new UnreadableError("is JSON, but not an object");
  if ("encrypted_data" in json)
    throw new UnreadableError("is encrypted: pass the output of tofu state pull, which decrypts it");
  return json;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UnreadableError("is not JSON, or is truncated");
  }
}

function terraformState(json: Json): ApplyState {
  if ("resources" in json && json.version !== 4)
    throw new UnreadableError(`is a state of version ${String(json.version)}; this version reads version 4`);
  const rows = rowsOfState(json);
  return {
    engine: "terraform",
    objects: rows.map(({ address, type, deposed, isTainted, attributes }) => ({
      ...{ address, type, deposed, isTainted, isDeleted: false, inputs: valuesOf(type, attributes) },
      id: stringOf(objectOf(attributes).id),
    })),
    lineage: stringOf(json.lineage),
    serial: typeof json.serial === "number" ? json.serial : undefined,
    pending: [],
    secrets: new Set([...rows.flatMap((row) => [...sensitiveTexts(row)]), ...sensitiveOutputs(json)]),
    problems: malformed(json, "resources"),
  };
}

/** Returns the values of an object of this provider. Others may store values that are not those of the plan, as older SDKs do. */
function valuesOf(type: string, attributes: unknown): Values | undefined {
  const resource = resourceOfTerraform(type);
  const values = resource && fromTerraform(attributes, {}, shapeOf(resource));
  return isRecord(values) ? values : undefined;
}

function pulumiState(json: Json): ApplyState {
  const deployment = objectOf(json.deployment);
  const secrets = new Set<string>();
  const objects = objectsOf(deployment.resources).flatMap((row): StateObject[] => {
    const { urn, custom, external } = row;
    const address = stringOf(urn);
    // A component is no object, and an external object was only looked up.
    if (custom !== true || external === true || address === undefined) return [];
    const inputs = decoded(row.inputs);
    const outputs = decoded(row.outputs);
    for (const values of [inputs, outputs])
      if (isRecord(values)) for (const secret of sensitiveIn(values)) secrets.add(secret);
    return [
      {
        address: addressOf(address),
        type: typeOf(address),
        id: stringOf(row.id),
        deposed: row.delete === true ? "" : undefined,
        isTainted: row.taint === true,
        isDeleted: row.pendingReplacement === true,
        inputs: isRecord(inputs) ? inputs : undefined,
      },
    ];
  });
  return {
    engine: "pulumi",
    objects,
    pending: objectsOf(deployment.pending_operations).map(({ resource, type }) => ({
      address: addressOf(String(objectOf(resource).urn)),
      operation: stringOf(type) ?? "operation",
    })),
    secrets,
    lineage: undefined,
    serial: undefined,
    problems: [...malformed(deployment, "resources"), ...malformed(deployment, "pending_operations")],
  };
}
