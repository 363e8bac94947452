import { lookups } from "../../functions/index.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, openCloud } from "./cloud.ts";

export function find(cloud: Cloud, name: string, written: Values, session = cloud.session) {
  const lookup = lookups.find((candidate) => candidate.name === name);
  if (lookup === undefined) throw new Error(`no lookup ${name}`);
  return cloud.run(engine.lookup(session, lookup, written, cloud.call));
}

export async function withVpcs(...names: string[]) {
  const cloud = openCloud();
  for (const name of names) await cloud.run(cloud.create("vpc", { name }));
  return cloud;
}
