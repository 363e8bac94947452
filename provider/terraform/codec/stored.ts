import { snakeCase } from "../../core/name.ts";
import type { ResourceState } from "../../core/state.ts";
import { isRecord, type Value } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import { upgraded, versionOf } from "../../definition/upgrade.ts";
import { DiagnosticError } from "./diagnostic.ts";
import { resourceShape } from "./schema.ts";
import { parseStored, toState } from "./state.ts";
import { decodeJson } from "./value.ts";

/**
 * Decodes the stored attributes of an object, of any schema version, in the current shape. JSON of the current version is decoded
 * unchanged, so that numbers stay exact. Throws `DiagnosticError` for a state of a newer version.
 */
export function decodeStored(resource: Resource, version: number, json: Uint8Array | undefined): Value {
  if (version > versionOf(resource))
    throw new DiagnosticError(
      "The state was written by a newer version",
      "Use that version of this provider, or a newer one.",
    );
  if (json === undefined || json.length === 0) return null;
  const current =
    version === versionOf(resource)
      ? json
      : Buffer.from(JSON.stringify(upgraded(resource, version, parseStored({ json }), snakeCase)));
  return decodeJson(current, resourceShape(resource));
}

/**
 * Returns the object of a state file from its attributes, as JSON, and its private bytes. Throws `DiagnosticError` for a state of a
 * newer version, and `InputError` for attributes of another form.
 */
export function storedState(
  resource: Resource,
  stored: { readonly version: number; readonly json: Uint8Array; readonly private: Uint8Array | undefined },
): ResourceState {
  const values = decodeStored(resource, stored.version, stored.json);
  return toState(isRecord(values) ? values : {}, stored.private);
}
