import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Between, openCloud, resource } from "./cloud.ts";

/** Content of the document. */
export const letter = "Name: Ana\nCity: Pune\nThe order is late. Please answer soon.";

/** Inputs that each kind of document job needs. */
export const letterInputs = { language: "english", fileType: "Digital", content: letter };

/** Opens a cloud; returns the operations on document jobs. */
export function openDocuments(options: EmulatorOptions = {}, between: Between = {}) {
  const cloud = openCloud(options, {}, between);
  const create = (written: Values, kind = "document-text") => cloud.run(cloud.create(kind, written));
  const read = (state: ResourceState, kind = "document-text") =>
    cloud.run(engine.read(cloud.reopen(), resource(kind), state, cloud.call));
  const plan = (state: ResourceState | undefined, written: Values, kind = "document-text") =>
    engine.plan(resource(kind), state, engine.check(resource(kind), written).inputs, cloud.session);
  return { cloud, create, read, plan };
}
