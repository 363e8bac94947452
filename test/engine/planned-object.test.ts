import { expect, test } from "@jest/globals";
import { UNKNOWN, type Values } from "../../provider/core/value.ts";
import { holdersFor, planObject } from "../../provider/engine/engine.ts";
import { forgetCreate } from "../../provider/engine/planned-name.ts";
import { openCloud, resource } from "../support/cloud.ts";

/** Tests plans with `adopt_existing`, in which no two resources may manage one object. */

const vpc = (nth: number) => `krn:vpc:In-Bangalore-1:000000000000:y:vpc:${nth}`;

const settings = { adoptExisting: true };

test("an object in an unknown VPC may equal an object of any VPC until it is created", () => {
  const { session } = openCloud({}, settings);
  const volume = resource("volume");
  const values = { name: "data", sizeGb: 1, volumeType: "ssd" };
  const planned = (id: string | undefined, vpcId: Values[string]) =>
    planObject(session, volume, { id, values: { ...values, vpcId } }, { owner: id });
  expect([planned("one", vpc(1)), planned("two", vpc(2))]).toEqual([[], []]);
  const others = (vpcId: Values[string]) =>
    Object.keys(holdersFor(session, volume, { ...values, vpcId }, {}));
  expect([others(vpc(1)), others(vpc(2)), others(UNKNOWN)]).toEqual([["one"], ["two"], ["one", "two"]]);
  expect(planned(undefined, vpc(2))).toMatchObject([{ path: ["name"] }]);
  expect([planned(undefined, vpc(3)), planned(undefined, UNKNOWN)]).toEqual([[], []]);
  const state = { id: "three", task: undefined, values: { ...values, vpcId: vpc(3) }, unread: [] };
  forgetCreate(session, volume, state);
  expect(planned("three", vpc(3))).toEqual([]);
});
