import type { Plain } from "../../provider/core/value.ts";

/** A reference to another object of the stack, in whatever way a adapter writes one. */
export interface Ref {
  readonly ref: string;
  /** The property referred to, in camelCase. */
  readonly property: string;
}

/** A value of a stack, with references in any depth of lists. */
export type WrittenValue = Plain | Ref | readonly WrittenValue[];
export type Written = { readonly [name: string]: WrittenValue };

/** One object as a stack writes it: logical name, noun, properties in camelCase. */
export interface Item {
  readonly name: string;
  readonly resource: string;
  readonly inputs: Written;
}

export type Stack = readonly Item[];

/** What a plan says of each object, by its logical name; what is left alone is not in it. */
export type Planned = Readonly<Record<string, "create" | "update" | "replace" | "delete">>;

export interface CommandResult {
  readonly ok: boolean;
  /** Everything the engine printed. */
  readonly output: string;
}

/** A folder in which one engine works on one stack, against the emulator at a given address. */
export interface Workspace {
  /** Puts the stack where the engine reads it; forgets nothing that is deployed. */
  write(stack: Stack): Promise<void>;
  /** What an apply would do, after a refresh. */
  plan(): Promise<Planned>;
  apply(): Promise<CommandResult>;
  destroy(): Promise<CommandResult>;
  /** The cloud's ids of what is deployed, by logical name. */
  ids(): Promise<Readonly<Record<string, string>>>;
  /** Brings existing objects under management; the stack that was written describes them. */
  import(
    objects: readonly { readonly name: string; readonly resource: string; readonly id: string }[],
  ): Promise<CommandResult>;
}

/** An engine with the way into it: all that differs between adapters is behind these functions. */
export interface Adapter {
  readonly name: string;
  /** Opens an empty workspace; `settings` are provider settings by their environment variables. */
  open(folder: string, environment: Readonly<Record<string, string>>): Promise<Workspace>;
  /** Cells of the lifecycle table that this engine makes impossible, each with its reason. */
  readonly impossible: Readonly<Record<string, string>>;
}

export const isRef = (value: unknown): value is Ref =>
  typeof value === "object" && value !== null && "ref" in value && "property" in value;
