import type { Resource } from "../../definition/resource.ts";
import { resourceShape } from "../codec/schema.ts";
import { decodeStored } from "../codec/stored.ts";
import { encode } from "../codec/value.ts";
import type { UpgradeResourceState_Request, UpgradeResourceState_Response } from "../tfplugin6/tfplugin6.ts";

/** Upgrades stored state of any schema version to the current one. Engines call it before every use of a state. */
export function upgradeResourceState(
  resource: Resource,
  { version = 0, rawState }: UpgradeResourceState_Request,
): UpgradeResourceState_Response {
  const state = decodeStored(resource, version, rawState?.json);
  return { upgradedState: encode(state, resourceShape(resource)) };
}
