import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { type Between, openCloud, operationsOn } from "./cloud.ts";

/** Content of the document. */
export const letter = "Name: Ana\nCity: Pune\nThe order is late. Please answer soon.";

/** Inputs that each kind of document job needs. */
export const letterInputs = { language: "english", fileType: "Digital", content: letter };

/** Opens a cloud; returns the operations on document jobs. */
export function openDocuments(options: EmulatorOptions = {}, between: Between = {}) {
  const cloud = openCloud(options, {}, between);
  const on = (kind = "document-text") => operationsOn(cloud, kind, {}, cloud.reopen);
  const create = (written: Values, kind?: string) => on(kind).run.create(written);
  const read = (state: ResourceState, kind?: string) => on(kind).run.read(state);
  const plan = (state: ResourceState | undefined, written: Values, kind?: string) =>
    on(kind).plan(state, written);
  return { cloud, create, read, plan };
}
