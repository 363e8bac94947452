import type { Plain } from "../../provider/core/value.ts";

/** Reference to another object of the stack; each adapter writes it in its own syntax. */
export interface Ref {
  readonly ref: string;
  /** Referenced property, in camelCase. */
  readonly property: string;
}

/** Value of a stack, with references at any depth of lists. */
export type WrittenValue = Plain | Ref | readonly WrittenValue[];
export type Written = { readonly [name: string]: WrittenValue };

/** Object of a stack: logical name, resource kind, properties in camelCase. */
export interface Item {
  readonly name: string;
  readonly resource: string;
  readonly inputs: Written;
}

export type Stack = readonly Item[];

/** Planned action of each object, by its logical name; unchanged objects are omitted. */
export type Planned = Readonly<Record<string, "create" | "update" | "replace" | "delete">>;

export interface CommandResult {
  readonly ok: boolean;
  /** Everything the engine printed. */
  readonly output: string;
}

/** Folder in which one engine works on one stack, with the emulator at a given address. */
export interface Workspace {
  /** Writes the program of the stack; deployed objects stay in the state. */
  write(stack: Stack): Promise<void>;
  /** Returns the actions of an apply, after a refresh. */
  plan(): Promise<Planned>;
  /** Returns the names of the objects of which a refresh shows other attributes than the last apply recorded. */
  refreshed?(): Promise<readonly string[]>;
  apply(): Promise<CommandResult>;
  destroy(): Promise<CommandResult>;
  /** Returns the ids of deployed objects, by logical name. */
  ids(): Promise<Readonly<Record<string, string>>>;
  /** Imports existing objects; the stack that was written describes them. */
  import(
    objects: readonly { readonly name: string; readonly resource: string; readonly id: string }[],
  ): Promise<CommandResult>;
}

/** Engine and form of the program. These functions contain all differences between adapters. */
export interface Adapter {
  readonly name: string;
  /** Opens an empty workspace; `environment` holds provider settings by their environment variables. */
  open(folder: string, environment: Readonly<Record<string, string>>): Promise<Workspace>;
  /** True if an import is an apply, which also records fields that the API does not return. */
  readonly importsByApply?: true;
  /** Returns true for a kind of which an update records fields that an import left empty. Default: every kind. */
  readonly recordsByUpdate?: (kind: string) => boolean;
  /** Cells of the lifecycle table that are impossible with this engine, each with the reason. */
  readonly impossible: Readonly<Record<string, string>>;
}

export const isRef = (value: unknown): value is Ref =>
  typeof value === "object" && value !== null && "ref" in value && "property" in value;
