import { snakeCase } from "../../core/name.ts";
import type { ResourceState } from "../../core/state.ts";
import { isRecord, type Value } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import { type Stored, upgraded, versionOf } from "../../definition/upgrade.ts";
import { DiagnosticError } from "./diagnostic.ts";
import { resourceShape } from "./schema.ts";
import { parseStored, toState } from "./state.ts";
import { decodeJson, decodeParsed } from "./value.ts";

/**
 * Decodes the stored attributes of an object, of any schema version, in the current shape. JSON of the current version is decoded
 * unchanged, so that numbers stay exact. Throws `DiagnosticError` for a state of a newer version.
 */
export function decodeStored(resource: Resource, version: number, json: Uint8Array | undefined): Value {
  requireKnownVersion(resource, version);
  if (json === undefined || json.length === 0) return null;
  const current =
    version === versionOf(resource)
      ? json
      : Buffer.from(JSON.stringify(upgraded(resource, version, parseStored({ json }), snakeCase)));
  return decodeJson(current, resourceShape(resource));
}

function requireKnownVersion(resource: Resource, version: number): void {
  if (version > versionOf(resource))
    throw new DiagnosticError(
      "The state was written by a newer version",
      "Use that version of this provider, or a newer one.",
    );
}

/**
 * Returns the object of a state file from its attributes, as parsed JSON, and its private bytes. Throws `DiagnosticError` for a state of a
 * newer version, and `InputError` for attributes of another form.
 */
export function storedState(
  resource: Resource,
  stored: {
    readonly version: number;
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly private: Uint8Array | undefined;
  },
): ResourceState {
  const { version, attributes } = stored;
  requireKnownVersion(resource, version);
  const current =
    version === versionOf(resource)
      ? attributes
      : upgraded(resource, version, attributes as Stored, snakeCase);
  const values = decodeParsed(current, resourceShape(resource));
  return toState(isRecord(values) ? values : {}, stored.private);
}
