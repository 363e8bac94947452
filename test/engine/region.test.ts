import { expect, test } from "@jest/globals";
import { InputError } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import { secret, UNKNOWN, type Value, type Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { resource } from "../support/cloud.ts";
import { openEveryKind } from "../support/every-kind.ts";

/** Tests the region of an object whose region is not configured. The default of the provider is In-Bangalore-1. */

const here = "In-Bangalore-1";

const there = "In-Hyderabad-1";

const idIn = (region: string, kind = "vpc") => `krn:vpc:${region}:1:2:${kind}:3`;

const subnet = { name: "a", cidr: "10.0.0.0/24", ipVersion: 4 };

const kinds = [
  ["subnet", "vpcId", "vpc", subnet],
  ["volume", "vpcId", "vpc", { name: "data", sizeGb: 1, volumeType: "ssd" }],
  ["lifecycle-rule", "bucketId", "bucket", { name: "old" }],
  ["port-security-groups", "portId", "port", { securityGroups: ["a"] }],
  ["instance-template", "vpcId", "vpc", { name: "t" }],
  ["image", "instanceId", "instance", { name: "golden" }],
] as const;

const stateIn = (region: string, values: Values): ResourceState => ({
  id: "id",
  task: undefined,
  values: { region, ...values },
  unread: [],
});

test.each(kinds)("a new %s is in the region of its %s", (kind, parent, type, values) => {
  const { session } = openEveryKind();
  const regionOf = (id: Value, from: typeof session | undefined) =>
    engine.plan(resource(kind), undefined, { ...values, [parent]: id } as Values, from).values.region;
  for (const from of [session, undefined]) {
    expect(regionOf(idIn(there, type), from)).toBe(there);
    expect(regionOf(secret(idIn(there, type)), from)).toBe(there);
    // The default may be that of another process: while the parent is unknown, so is the region.
    expect(regionOf(UNKNOWN, from)).toBe(UNKNOWN);
  }
  expect(regionOf(idIn("in-hyderabad-1", type), session)).toBe(there);
  // A short form is no name of a region.
  expect(regionOf(idIn("in-blr-1", type), session)).toBe(here);
  expect(regionOf("8d3f", session)).toBe(here);
  expect(regionOf("8d3f", undefined)).toBe(UNKNOWN);
});

test("a parent's region replaces a missing default region, and so may that of an unknown parent", () => {
  const { session } = openEveryKind({}, { region: undefined });
  const problems = (vpcId: Value) =>
    engine.plan(resource("subnet"), undefined, { ...subnet, vpcId }, session).problems.length;
  expect([problems(idIn(there)), problems(UNKNOWN), problems("8d3f")]).toEqual([0, 0, 1]);
});

test("a plan in another region than the parent is an error with both, for a create and a replacement", () => {
  const { session } = openEveryKind();
  const inputs = { ...subnet, vpcId: idIn(here), region: there };
  const problem =
    "is In-Hyderabad-1, but vpc_id is an ID in In-Bangalore-1: without region, the object is created in the region of its parent";
  const prior = stateIn(here, { ...subnet, vpcId: idIn(here) });
  for (const state of [undefined, prior]) {
    const { problems, obstacles } = engine.plan(resource("subnet"), state, inputs, session);
    expect(problems.map(({ path, problem }) => [path, inWordsOf("terraform", problem)])).toEqual([
      [["region"], problem],
    ]);
    expect(obstacles).toEqual(problems);
  }
  const attachment = { vpcId: idIn(here), volumeId: idIn(there, "volume"), instanceId: "i" };
  expect(engine.plan(resource("volume-attachment"), undefined, attachment, session).problems).toEqual([
    {
      path: ["volumeId"],
      problem: "is an ID in In-Hyderabad-1, but another parent of the object is in In-Bangalore-1",
    },
  ]);
});

test("an existing object keeps its region, and a plan without a replacement has no error", () => {
  const { session } = openEveryKind();
  const values = { vpcId: idIn(here), name: "data", sizeGb: 20, volumeType: "ssd" };
  const prior = stateIn(there, { ...values, availabilityZone: "nova", multiattach: false });
  const plan = engine.plan(
    resource("volume"),
    prior,
    { ...values, sizeGb: 30, availabilityZone: "nova", multiattach: false },
    session,
  );
  expect(plan).toMatchObject({ action: "update", problems: [], values: { region: there } });
});

test("a replacement without a parent keeps the recorded region where the engine passes it, and warns where it does not", () => {
  const { session } = openEveryKind();
  const vpc = resource("vpc");
  const prior = stateIn(there, { name: "shop", enabled: true, adminStateUp: true, ipVersion: 4 });
  const inputs = engine.check(vpc, { name: "other" }).inputs;
  const kept = engine.plan(vpc, prior, inputs, session, there);
  expect(kept).toMatchObject({ action: "replace", warnings: [], values: { region: there } });
  expect(engine.plan(vpc, undefined, inputs, session, there).values.region).toBe(there);
  const moved = engine.plan(vpc, prior, inputs, session);
  expect(moved.values.region).toBe(here);
  expect(
    moved.warnings.map(({ summary, detail }) => [
      inWordsOf("terraform", summary),
      inWordsOf("terraform", detail),
    ]),
  ).toEqual([
    [
      'The replacement moves the VPC "other" to another region',
      'The object is in In-Hyderabad-1, and the new one will be in In-Bangalore-1, the region of the provider. To keep its region, set region = "In-Hyderabad-1".',
    ],
  ]);
  const configured = engine.plan(vpc, prior, { ...inputs, region: here }, session);
  expect(configured.warnings).toEqual([]);
});

test("an id of another object in another region is a warning with kind and name", () => {
  const { session } = openEveryKind();
  const inputs = {
    name: "web",
    vpcId: idIn(here),
    subnetId: idIn(here, "subnet"),
    bootVolume: { imageKrn: idIn(there, "image"), sizeGb: 20, volumeType: "ssd" },
  };
  const { problems, warnings } = engine.plan(resource("instance"), undefined, inputs, session);
  expect(problems).toEqual([]);
  expect(
    warnings.map(({ summary, detail }) => [inWordsOf("terraform", summary), inWordsOf("terraform", detail)]),
  ).toEqual([
    [
      'The region of the instance "web" differs from that of its boot_volume.image_krn',
      "boot_volume.image_krn is an ID in In-Hyderabad-1, and region is In-Bangalore-1: the API may not find it.",
    ],
  ]);
});

test("a create in another region than the parent, unknown in the plan, sends no request", async () => {
  const cloud = openEveryKind();
  const failed = await cloud
    .run(cloud.create("subnet", { ...subnet, vpcId: idIn(here), region: there }))
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  expect(failed).toBeInstanceOf(InputError);
});
