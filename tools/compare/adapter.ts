import type { Revision } from "./revision.ts";
import type { Stack } from "./stack.ts";

/** State that an engine stores of one object. */
export interface StoredObject {
  readonly name: string;
  readonly state: object;
}

/** Folder in which an engine manages one stack. A method rejects if its command fails. */
export interface Project {
  /** Writes the program of the stack; does not change the state. */
  write(stack: Stack): Promise<void>;
  apply(): Promise<void>;
  /** Returns the changes that an apply would make after a refresh: one line for each object that would change. */
  plan(): Promise<readonly string[]>;
  destroy(): Promise<void>;
  /** Returns the name in the program and the id of each object in the state. */
  ids(): Promise<readonly (readonly [name: string, id: string])[]>;
  /** Returns the stored state of the objects in the format of the engine. */
  state(): Promise<readonly StoredObject[]>;
}

/** Combination of an engine and a kind of program, with which the provider of a revision is used. */
export interface Adapter {
  /** Opens a project in an empty folder. `settings` are provider settings by their environment variables. */
  open(revision: Revision, folder: string, settings: Readonly<Record<string, string>>): Promise<Project>;
}
