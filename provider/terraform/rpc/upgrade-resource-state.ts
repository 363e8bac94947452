import { snakeCase } from "../../core/name.ts";
import type { Value } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import { upgraded, versionOf } from "../../definition/upgrade.ts";
import { DiagnosticError } from "../codec/diagnostic.ts";
import { resourceShape } from "../codec/schema.ts";
import { parseStored } from "../codec/state.ts";
import { decodeJson, encode } from "../codec/value.ts";
import type { UpgradeResourceState_Request, UpgradeResourceState_Response } from "../tfplugin6/tfplugin6.ts";

/** Upgrades stored state of any schema version to the current one. Engines call it before every use of a state. */
export function upgradeResourceState(
  resource: Resource,
  { version = 0, rawState }: UpgradeResourceState_Request,
): UpgradeResourceState_Response {
  if (version > versionOf(resource))
    throw new DiagnosticError(
      "The state was written by a newer version",
      "Use that version of this provider, or a newer one.",
    );
  const state = rawState?.json ? upgradedState(resource, version, rawState.json) : null;
  return { upgradedState: encode(state, resourceShape(resource)) };
}

/** Returns the state in the current shape. Decodes JSON of the current version unchanged, so that numbers stay exact. */
function upgradedState(resource: Resource, version: number, json: Uint8Array): Value {
  const current =
    version === versionOf(resource)
      ? json
      : Buffer.from(JSON.stringify(upgraded(resource, version, parseStored({ json }), snakeCase)));
  return decodeJson(current, resourceShape(resource));
}
