import type { Block } from "../../../account/export/project.ts";
import { resource } from "../../support/cloud.ts";

/** Returns a block without inputs, except for the given properties. */
export const blockOf = (kind: string, name: string, properties: Partial<Block> = {}): Block => ({
  kind,
  name,
  resource: resource(kind),
  title: name,
  importId: `id-of-${name}`,
  vpc: undefined,
  inputs: [],
  ignored: [],
  problems: [],
  ...properties,
});
