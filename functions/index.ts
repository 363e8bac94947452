import type { Action, Ephemeral, Lookup, PureFunction } from "../provider/definition/function.ts";
import { lookupsOf } from "../provider/engine/lookup/lookup.ts";
import { resources } from "../resources/index.ts";
import { accessKeyDeleteAll } from "./access-key-delete-all.ts";
import { accessToken } from "./access-token.ts";
import { aiPodRestart, aiPodStart, aiPodStop } from "./ai-pod-power.ts";
import { buckets } from "./buckets.ts";
import { buildIdFunction } from "./build-id.ts";
import { checkpointDelete, checkpoints } from "./checkpoints.ts";
import { documentResult, documentResultUrl } from "./document-result.ts";
import { image, images } from "./images.ts";
import { instanceRestart, instanceStart, instanceStop } from "./instance-power.ts";
import { instanceType, instanceTypes } from "./instance-types.ts";
import { objectSession } from "./object-session.ts";
import { objectCopy, objectMove, objectRename } from "./object-transfer.ts";
import { objectAddress, objectContent, objects } from "./objects.ts";
import { parseIdFunction } from "./parse-id.ts";
import { regions } from "./regions.ts";
import { sshKeys } from "./ssh-keys.ts";
import { subnetsFunction } from "./subnets.ts";
import { userDataFunction } from "./user-data.ts";
import { volumeTypes } from "./volume-types.ts";

const customLookups: readonly Lookup[] = [
  image,
  images,
  instanceType,
  instanceTypes,
  sshKeys,
  volumeTypes,
  regions,
  buckets,
  objects,
  objectContent,
  checkpoints,
  documentResult,
];

/**
 * Names of the custom lookups, which replace derived ones of the same name: those of images include public images.
 */
const customNames = new Set(customLookups.map(({ name }) => name));

/** All lookups (data sources, invokes). Most are derived from the resources. */
export const lookups: readonly Lookup[] = [
  ...resources.flatMap(lookupsOf).filter(({ name }) => !customNames.has(name)),
  ...customLookups,
];

/** All actions: operations on request, which no state records. */
export const actions: readonly Action[] = [
  instanceStart,
  instanceStop,
  instanceRestart,
  aiPodStart,
  aiPodStop,
  aiPodRestart,
  accessKeyDeleteAll,
  objectMove,
  objectCopy,
  objectRename,
  checkpointDelete,
];

/** All functions: calculations that depend only on their arguments. */
export const functions: readonly PureFunction[] = [
  parseIdFunction,
  buildIdFunction,
  subnetsFunction,
  userDataFunction,
];

/** All ephemeral resources: available during a run and stored in no state. */
export const ephemerals: readonly Ephemeral[] = [
  accessToken,
  objectAddress,
  objectSession,
  documentResultUrl,
];
