import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { ensureEngine } from "../../tools/engines/engine.ts";
import type { Item, Stack } from "../adapter/adapter.ts";
import { lifecycleCases } from "../adapter/lifecycle/lifecycle.ts";
import { createDraw, type Draw } from "../simulation/draw.ts";

/** Drawn edits of stacks of every kind. Each is rehearsed, then applied to its cloud, which decides open questions in another way. */

type Assume = NonNullable<EmulatorOptions["assume"]>;

/** Answers to open questions that differ from those of the rehearsal's emulator. */
const answers: readonly Assume[] = [
  { equalNames: false },
  { subnetDeleteWithPorts: "conflict" },
  { vpcDeleteWithGroups: "removes" },
  { vpcMakesDefaultGroup: true },
  { groupHasDefaultRules: true },
  { attachedRuleDelete: "detach" },
  { floatingIpDetach: "deletes" },
  { floatingIpDeletePort: "keeps" },
  { instanceDeleteFloatingIp: "keeps" },
  { batchNames: "continue" },
  { bootVolumeExtend: 409 },
  { usedDevice: "refuse" },
  { volumeDeleteWithSnapshots: "keeps" },
  { repeatedPower: 202 },
  { sshKeyNeedsCustomer: true },
  { instanceSpelling: "legacy" },
  { volumeSpelling: "alias" },
  { groupListShape: "items" },
  { bucketListShape: "array" },
  { podRead: "pod" },
  { vpcTaskShape: "flat" },
  { portSearchShape: "array" },
];

/** What happened to an object; "none" for an object that stayed as it was or was not created. */
export type Outcome = "none" | "created" | "changed" | "replaced" | "destroyed" | "failed";

/** What an apply did. */
export interface Happened {
  /** By the address of the object. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Comparable texts. */
  readonly errors: readonly string[];
  /** True if a second plan is empty; undefined after an apply that failed. */
  readonly isConverged: boolean | undefined;
}

/** Returns an error text without what differs between two clouds: identifiers, addresses and durations. */
export const comparable = (text: string): string =>
  text
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "ID")
    .replaceAll(/request-\d+/g, "request-N")
    .replaceAll(/\b\d+(\.\d+)? ?(ms|s|seconds|attempts)\b/g, "TIME")
    .replaceAll(/127\.0\.0\.1:\d+/g, "ADDRESS");

export interface Edit {
  readonly seed: string;
  readonly before: Stack;
  readonly after: Stack;
  /** Answers of the cloud; empty for those of the rehearsal. */
  readonly assume: Assume;
}

const network: Item = { name: "network", resource: "vpc", inputs: { name: "around" } };

/** Draws a stack of a few kinds and other inputs for some of its objects. */
export function drawEdit(seed: string): Edit {
  const draw = createDraw(seed);
  const chosen = pickSome(draw, lifecycleCases, draw.int(2, 5));
  const others = chosen.flatMap(({ dependencies = [] }) => dependencies);
  const own = (inputs: (one: (typeof chosen)[number]) => Item["inputs"] | null): Item[] =>
    chosen.flatMap((one) => {
      const written = inputs(one);
      return written === null ? [] : [{ name: one.resource, resource: one.resource, inputs: written }];
    });
  const before = own(({ inputs }) => (draw.chance(0.2) ? null : inputs));
  const after = own(({ inputs, update, replace, replaceSameName }) =>
    draw.pick([inputs, update ?? inputs, update ?? inputs, replace, replaceSameName, null]),
  );
  const assume = draw.chance(0.5) ? {} : Object.assign({}, ...pickSome(draw, answers, draw.int(1, 3)));
  return {
    ...{ seed, assume },
    before: [network, ...others, ...before],
    after: [...[network, ...others].map((item) => renamed(draw, item)), ...after],
  };
}

/** Gives a dependency another name now and then, which replaces objects of many kinds, and with them what refers to them. */
const renamed = (draw: Draw, item: Item): Item =>
  typeof item.inputs.name === "string" && draw.chance(0.1)
    ? { ...item, inputs: { ...item.inputs, name: `${item.inputs.name}-renamed` } }
    : item;

function pickSome<T>(draw: Draw, items: readonly T[], count: number): T[] {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(draw.int(0, left.length - 1), 1),
  ).flat();
}

/** Returns the seeds of drawn edits: `KCLOUD_TRUTH` of them, from `KCLOUD_TRUTH_SEED` on. */
export function drawnSeeds() {
  const count = Number(process.env.KCLOUD_TRUTH ?? 4);
  const first = Number(process.env.KCLOUD_TRUTH_SEED ?? Math.floor(Date.now() / 1000) % 100_000);
  return { count, first, seeds: Array.from({ length: count }, (_, index) => String(first + index)) };
}

/** Returns the engines that apply drawn edits in turn. */
export const enginesInTurn = async () =>
  [
    await ensureEngine("terraform"),
    await ensureEngine("pulumi"),
    await ensureEngine("opentofu"),
    await ensureEngine("pulumi"),
  ] as const;
