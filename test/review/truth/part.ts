import type { Item, Written, WrittenValue } from "../../adapter/adapter.ts";
import type { Draw } from "../../simulation/draw.ts";
import type { ClassName } from "./class.ts";
import type { EngineName } from "./engine.ts";
import type { InvokedAction, WrittenOutput } from "./program.ts";

/** Parts of drawn stacks: objects and their inputs. */

/** Object put into a bucket by a program, which no engine manages. */
export interface ForeignObject {
  /** Name of the bucket in the stack. */
  readonly bucket: string;
  readonly key: string;
}

/** Objects that do not refer to those of other groups, with their edit. */
export interface Group {
  readonly before: readonly Item[];
  readonly after: readonly Item[];
  readonly foreign?: readonly ForeignObject[];
  /** Dangers that no plan can show, by the name of the object, with the reason. */
  readonly hidden?: Readonly<Record<string, Partial<Record<ClassName, string>>>>;
  readonly actions?: readonly InvokedAction[];
  /** Outputs after the edit. */
  readonly outputs?: readonly WrittenOutput[];
  /** Set if no value of its objects is concealed. */
  readonly isKnown?: true;
  /** Secrets that the edit may publish, by the name of the object or the output. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/**
 * Returns a group with the edit that a draw selects by its name. `edits` returns the objects after it, or the group if others exist
 * before it; an edit without an entry changes nothing.
 */
export function edited(
  draw: Draw,
  names: readonly string[],
  before: readonly Item[],
  edits: Readonly<Record<string, () => readonly Item[] | Group>>,
): Group {
  const after = edits[draw.pick(names)]?.() ?? before;
  return "before" in after ? after : { before, after };
}

/** Draws a group for an engine. `id` is the prefix of the names of its objects. */
export type GroupOf = (draw: Draw, id: string, engine: EngineName) => Group;

export const of = (ref: string, property = "id"): WrittenValue => ({ ref, property });
export const item = (name: string, resource: string, inputs: Written): Item => ({ name, resource, inputs });
export const inNetwork = { vpcId: of("net") };
export const ubuntu = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";

/** Returns an object with some inputs changed; undefined removes one. */
export function changed(one: Item, inputs: Readonly<Record<string, WrittenValue | undefined>>): Item {
  const all = Object.entries({ ...one.inputs, ...inputs }).filter(([, value]) => value !== undefined);
  return { ...one, inputs: Object.fromEntries(all) as Written };
}

/** Inputs that are written only if they have a value. */
export const given = (inputs: Readonly<Record<string, WrittenValue | undefined>>): Written =>
  Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined)) as Written;

export const cloudName = (name: string): string => name.replaceAll("_", "-");

export function volumeItem(draw: Draw, name: string): Item {
  return item(name, "volume", {
    ...inNetwork,
    name: cloudName(name),
    sizeGb: draw.int(1, 40),
    volumeType: draw.pick(["ssd", "standard"]),
    ...given({
      metadata: draw.chance(0.3) ? { team: "orders" } : undefined,
      multiattach: draw.chance(0.2) ? true : undefined,
    }),
  });
}

/** Returns an instance with a new boot volume. */
export function machineItem(draw: Draw, name: string, more: Written = {}): Item {
  return item(name, "instance", {
    ...inNetwork,
    name: cloudName(name),
    instanceType: "c1.small",
    subnetId: of("front"),
    sshkeyName: "demo-key",
    securityGroups: [of("closed")],
    bootVolume: { imageKrn: ubuntu, sizeGb: 10, volumeType: "ssd" },
    ...given({
      deleteOnTermination: draw.pick([undefined, true, false]),
      floatingIp: draw.chance(0.5) ? true : undefined,
      powerState: draw.pick([undefined, "running", "running"]),
      userData: draw.chance(0.3) ? "#!/bin/sh\necho hello\n" : undefined,
    }),
    ...more,
  });
}
