import type { Revision } from "./revision.ts";
import type { Stack } from "./stack.ts";

/** State that an engine stores of one object. */
export interface StoredObject {
  readonly name: string;
  readonly state: object;
}

/** A folder in which an engine works on one stack. Commands that fail reject. */
export interface Project {
  /** Writes the stack's program; keeps the state. */
  write(stack: Stack): Promise<void>;
  apply(): Promise<void>;
  /** Changes that an apply would make, after a refresh: one line for each object that is not left alone. */
  plan(): Promise<readonly string[]>;
  destroy(): Promise<void>;
  /** Name in the program and id of each object in the state. */
  ids(): Promise<readonly (readonly [name: string, id: string])[]>;
  /** The stored state of the objects, as the engine writes it. */
  state(): Promise<readonly StoredObject[]>;
}

/** A way from a program to the provider of a revision. */
export interface Adapter {
  /** Opens an empty folder; `settings` are provider settings by their environment variables. */
  open(revision: Revision, folder: string, settings: Readonly<Record<string, string>>): Promise<Project>;
}
