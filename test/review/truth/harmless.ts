import { createEmulator } from "../../../emulator/emulator.ts";
import { readPlan } from "../../../review/read/read.ts";
import type { ReportFinding } from "../../../review/report/report.ts";
import type { Item, WrittenValue } from "../../adapter/adapter.ts";
import { createDraw, type Draw } from "../../simulation/draw.ts";
import { findingsOf } from "./compare.ts";
import { type EngineName, openWorkspace } from "./engine.ts";
import { changed, inNetwork, item, of, ubuntu } from "./part.ts";
import type { Version, WrittenOutput } from "./program.ts";
import { settingsOf } from "./record.ts";

/** Harmless edits drawn by seed: whatever the review reports about one of them has no high severity. */

type Inputs = Readonly<Record<string, WrittenValue | undefined>>;

const rule = (name: string, port: number, range: string, more: Inputs = {}): Item =>
  changed(
    item(name, "security-group-rule", {
      ...inNetwork,
      securityGroupId: of("web"),
      direction: "ingress",
      protocol: "tcp",
      portRangeMin: port,
      portRangeMax: port,
      remoteIpPrefix: range,
    }),
    more,
  );

/** Stack of a shop. */
const shop: readonly Item[] = [
  item("net", "vpc", { name: "net" }),
  item("front", "subnet", { ...inNetwork, name: "front", cidr: "10.0.1.0/24" }),
  item("web", "security-group", { ...inNetwork, name: "web" }),
  rule("https", 443, "0.0.0.0/0"),
  rule("ssh", 22, "10.0.0.0/8"),
  rule("database", 5432, "10.0.0.0/16", { description: "Database" }),
  rule("ping", 8, "10.0.0.0/8", { protocol: "icmp" }),
  item("host", "instance", {
    ...inNetwork,
    name: "host",
    instanceType: "c1.small",
    subnetId: of("front"),
    sshkeyName: "demo-key",
    securityGroups: [of("web")],
    bootVolume: { imageKrn: ubuntu, sizeGb: 10, volumeType: "ssd" },
    powerState: "running",
    userData: "#!/bin/sh\necho hello\n",
  }),
  item("spare", "instance", {
    ...inNetwork,
    name: "spare",
    instanceType: "c1.small",
    subnetId: of("front"),
    sshkeyName: "demo-key",
    securityGroups: [of("web")],
    bootVolume: { imageKrn: ubuntu, sizeGb: 10, volumeType: "ssd" },
    powerState: "stopped",
  }),
  item("data", "volume", { ...inNetwork, name: "data", sizeGb: 10, volumeType: "ssd", description: "Data" }),
  item("held", "volume-attachment", { ...inNetwork, volumeId: of("data"), instanceId: of("host") }),
  item("address", "floating-ip", {
    ...inNetwork,
    name: "address",
    subnetId: of("front"),
    portId: of("host", "portId"),
  }),
  item("reserved", "floating-ip", { ...inNetwork, name: "reserved", subnetId: of("front") }),
  item("backups", "bucket", { name: "backups", versioning: true, tags: { team: "shop" } }),
  item("notes", "object", { bucketId: of("backups"), key: "notes.txt", content: "hello" }),
  item("limits", "bucket-policy", { bucketId: of("backups"), readWriteIps: ["10.0.0.0/16", "192.0.2.7"] }),
  item("aging", "lifecycle-rule", { bucketId: of("backups"), name: "aging", noncurrentDays: 30 }),
  item("reader", "account-policy", {
    name: "reader",
    statements: JSON.stringify([
      { Effect: "Allow", Action: ["s3:GetObject"], Resource: "backups/notes.txt" },
    ]),
  }),
  item("reports", "access-key", { name: "reports" }),
  item("site", "bucket", { name: "site", anonymousAccess: true }),
];

/** Edit of a shop that puts nothing at risk. */
type Edit = (draw: Draw) => {
  readonly inputs?: Readonly<Record<string, Inputs>>;
  readonly added?: readonly Item[];
  readonly outputs?: readonly WrittenOutput[];
  readonly moves?: Readonly<Record<string, string>>;
};

const edits: readonly Edit[] = [
  // Rules that allow less, or the same with another description.
  () => ({ inputs: { https: { remoteIpPrefix: "192.0.2.0/24" } } }),
  () => ({ inputs: { ssh: { remoteIpPrefix: "10.1.0.0/16" } } }),
  () => ({ inputs: { database: { description: "Database of the shop" } } }),
  () => ({ added: [rule("metrics", 9100, "10.0.0.0/16")] }),
  () => ({ added: [rule("pings", 11, "0.0.0.0/0", { protocol: "icmp" })] }),
  () => ({ added: [rule("out", 443, "0.0.0.0/0", { direction: "egress" })] }),
  // Changes in place that lose nothing.
  (draw) => ({ inputs: { data: { sizeGb: draw.int(11, 40) } } }),
  () => ({ inputs: { data: { description: "Data of the shop", metadata: { team: "shop" } } } }),
  () => ({ inputs: { backups: { tags: { team: "shop", tier: "cold" } } } }),
  () => ({ inputs: { site: { anonymousAccess: false } } }),
  () => ({ inputs: { aging: { noncurrentDays: 60 } } }),
  () => ({ inputs: { aging: { enabled: false } } }),
  () => ({ inputs: { limits: { readWriteIps: ["10.0.0.0/16"] } } }),
  () => ({ inputs: { spare: { powerState: "running" } } }),
  () => ({ inputs: { reserved: { portId: of("spare", "portId") } } }),
  () => ({ inputs: { notes: { content: "another text" } } }),
  // New objects.
  (draw) => ({
    added: [
      item("more", "volume", { ...inNetwork, name: "more", sizeGb: draw.int(1, 9), volumeType: "standard" }),
    ],
  }),
  () => ({ added: [item("archive", "bucket", { name: "archive" })] }),
  () => ({ added: [item("page", "object", { bucketId: of("backups"), key: "page.txt", content: "new" })] }),
  () => ({ added: [item("inner", "port", { ...inNetwork, name: "inner", subnetId: of("front") })] }),
  () => ({ added: [item("second", "access-key", { name: "second" })] }),
  () => ({
    added: [changed(shop.find(({ name }) => name === "host") as Item, { name: "host-2" })].map((one) => ({
      ...one,
      name: "host2",
    })),
  }),
  // Another region.
  () => ({
    added: [
      item("far", "vpc", { name: "far", region: "In-Hyderabad-1" }),
      item("far_front", "subnet", {
        vpcId: of("far"),
        name: "far-front",
        cidr: "10.9.1.0/24",
        region: "In-Hyderabad-1",
      }),
    ],
  }),
  // Outputs of values that are no secrets.
  () => ({ outputs: [{ name: "url", text: "https://shop.example.com/login?lang=en", shows: "plain" }] }),
  () => ({ outputs: [{ name: "region", text: "In-Bangalore-1", shows: "plain" }] }),
  () => ({ outputs: [{ name: "token", text: "canary-output-token-Vw35nB", shows: "marked" }] }),
  // Other names in the configuration.
  ...["data", "backups", "host", "web", "reports", "address", "net"].map((from) => () => ({
    moves: { [`${from}_moved`]: from },
  })),
];

/** Returns a stack whose objects have other names in the configuration. */
function moved(stack: readonly Item[], moves: Readonly<Record<string, string>>): readonly Item[] {
  const names = new Map(Object.entries(moves).map(([to, from]) => [from, to]));
  const renamed = (value: WrittenValue): WrittenValue => {
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value !== "object" || value === null || !("ref" in value)) return value;
    return { ...value, ref: names.get(String(value.ref)) ?? value.ref } as WrittenValue;
  };
  return stack.map(({ name, resource, inputs }) => ({
    name: names.get(name) ?? name,
    resource,
    inputs: Object.fromEntries(Object.entries(inputs).map(([input, value]) => [input, renamed(value)])),
  }));
}

const version = (stack: readonly Item[], turn: 0 | 1, more: Partial<Version> = {}): Version => ({
  ...{ stack, turn, concealments: {}, actions: [], outputs: [], moves: {} },
  ...more,
});

/** Draws a harmless edit: the first creation of a stack, or several edits of one. */
export function drawHarmless(seed: number): { readonly before: Version; readonly after: Version } {
  const draw = createDraw(`harmless ${seed}`);
  const isFirst = draw.chance(0.25);
  // To create a public bucket is not harmless.
  let stack = isFirst ? shop.filter(({ name }) => name !== "site") : shop;
  const moves: Record<string, string> = {};
  const outputs = new Map<string, WrittenOutput>();
  for (let nth = draw.int(1, 4); nth > 0; nth--) {
    const edit = draw.pick(edits)(draw);
    stack = stack.map((one) => changed(one, edit.inputs?.[one.name] ?? {}));
    stack = [...stack, ...(edit.added ?? []).filter(({ name }) => stack.every((one) => one.name !== name))];
    for (const output of edit.outputs ?? []) outputs.set(output.name, output);
    Object.assign(moves, isFirst ? {} : edit.moves);
  }
  return {
    before: version(isFirst ? [] : shop, 0),
    after: version(moved(stack, moves), 1, { moves, outputs: [...outputs.values()] }),
  };
}

/** Returns the findings of high and critical severity about the harmless edit of a seed, planned by a real engine. */
export async function violationsOf(seed: number, engine: EngineName): Promise<readonly ReportFinding[]> {
  const { before, after } = drawHarmless(seed);
  const emulator = createEmulator({ taskMs: 20, seed: `harmless ${seed}` });
  const server = await emulator.listen();
  const workspace = await openWorkspace(engine, settingsOf(server.url), () => emulator.password());
  try {
    await workspace.apply(before);
    const findings = findingsOf(readPlan(engine, await workspace.plan(after)));
    return findings.filter(({ severity }) => severity === "high" || severity === "critical");
  } finally {
    await workspace.close();
    await server.close();
  }
}
