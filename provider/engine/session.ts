import { type Client, openClient } from "../client/client.ts";
import type { Given } from "../config/config.ts";
import type { ResourceState, UnconfirmedChange } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import { type Log, noLog } from "../platform/log.ts";
import type { Ports } from "../platform/ports.ts";
import { createHeldObjects, type HeldObjects } from "./held-object.ts";
import { createPlannedObjects, type PlannedLists, type PlannedObjects } from "./planned-object.ts";
import { createListings, type Listings } from "./shared-listing.ts";

/** Record of an object that a create of this process made or adopted. */
export interface Owned {
  readonly isAdopted: boolean;
  /** Time of the create that the state records; undefined for an adopted object. */
  readonly createdAt?: number | undefined;
}

/** Object that leaves its name: a delete or a rename in progress, or a rename that ended. */
export interface Leaving {
  readonly id: string;
  readonly scope: string;
  /** Ids of its parents. */
  readonly parents: readonly string[];
  readonly values: Values;
  /** Id after a rename; undefined for a delete. */
  readonly to: string | undefined;
  /** True once the rename ended, with or without success. */
  readonly isOver: boolean;
}

/** Records of objects: changes that this process made, and observations from responses. Times are monotonic, in ms. */
interface ObjectRecords {
  /** Time of each create in this process, by `plainId`: parts of the API may not show a new object yet. */
  readonly createdAt: Map<string, number>;
  /** Last change of each object by a request that must not be sent twice, by `plainId`. */
  readonly sentOnce: Map<string, { readonly at: number } & Omit<UnconfirmedChange, "sentAt">>;
  /** Objects that creates of this process made or adopted, by `addressKey`: no other resource may adopt or delete them. */
  readonly owned: Map<string, Owned>;
  /** Objects whose delete the API accepted in this process, by `addressKey`. */
  readonly acceptedDeletes: Set<string>;
  /** Time of the last delete in this process of an object below a parent, by `plainId` of the parent. */
  readonly childDeletedAt: Map<string, number>;
  /** Objects without a delete route that this process removed from the state, by id: a matching create resumes them. */
  readonly retained: Map<string, { readonly scope: string; readonly values: Values }>;
  /** Objects that the API reported as gone, or whose work was cancelled, by `addressKey`: the search of a create ignores them. */
  readonly gone: Set<string>;
  /** Keys of at most two objects that reads showed, by kind and region. */
  readonly shownBy: Map<string, Set<string>>;
  /** Time at which a route other than that of the read showed an object, by `addressKey`. */
  readonly listedAt: Map<string, number>;
}

/** Operations that run in this process. */
interface RunningOperations {
  /** Inputs of running creates by listing scope: no two of them may match the same object. */
  readonly creating: Map<string, Set<Values>>;
  /** Objects that this process deletes or renames, by scope and id. */
  readonly leaving: Map<string, Leaving>;
}

/** Records of the plans of this process: objects of the state and of the configuration that they compared. */
interface PlanRecords {
  readonly objects: PlannedObjects;
  /** Objects of the state that this process has compared or plans to delete. */
  readonly held: HeldObjects;
  /** Entries of the state whose object another entry has too, by kind and keys of the object. */
  readonly several: Map<string, Map<string, Pick<ResourceState, "id" | "values">>>;
  /** Values of fields that should be distinct, each with the objects that have it: true for one that is created. */
  readonly distinctValues: Map<string, Map<string, boolean>>;
  /** Lists of objects that several resources of the configuration can set. */
  readonly lists: PlannedLists;
  /** Descriptions of the objects whose replacement would fail after their delete, by their ids as `comparable` spells them. */
  readonly failing: Map<string, string>;
}

/** Client of one provider configuration, with the in-memory records of its run. A process may have several. */
export interface Session extends Client {
  readonly listings: Listings;
  /** Observed duration in ms of each kind of wait in this process: the expected duration of the next one. */
  readonly typicalDurations: Map<string, number>;
  readonly objects: ObjectRecords;
  readonly running: RunningOperations;
  readonly plans: PlanRecords;
  readonly messages: {
    /** Keys of the warnings that this process has given and gives only once per kind. */
    readonly warnedKinds: Set<string>;
    /** Ids of the objects in the titles of warnings, by the description without an id. */
    readonly titled: Map<string, string>;
  };
  /** Accounts of the states that were read in this process. */
  readonly stateAccounts: Set<string>;
}

/** Returns the session for reads only: a request that may change something fails before it is sent. */
export const readOnly = (session: Session): Session => ({ ...session, isReadOnly: true });

/**
 * Opens a session with these settings; sends nothing. `adapter` names the caller. Throws `ConfigError` for invalid
 * settings.
 */
export function openSession(given: Given, ports: Ports, log: Log = noLog, adapter?: string): Session {
  return {
    ...openClient(given, ports, log, adapter),
    listings: createListings(ports.clock),
    typicalDurations: new Map(),
    objects: {
      createdAt: new Map(),
      sentOnce: new Map(),
      owned: new Map(),
      acceptedDeletes: new Set(),
      childDeletedAt: new Map(),
      retained: new Map(),
      gone: new Set(),
      shownBy: new Map(),
      listedAt: new Map(),
    },
    running: { creating: new Map(), leaving: new Map() },
    plans: {
      objects: createPlannedObjects(),
      held: createHeldObjects(),
      several: new Map(),
      distinctValues: new Map(),
      lists: new Map(),
      failing: new Map(),
    },
    messages: { warnedKinds: new Set(), titled: new Map() },
    stateAccounts: new Set(),
  };
}
