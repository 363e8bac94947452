import { expect, test } from "@jest/globals";
import * as z from "zod/mini";
import { computed } from "../../../provider/definition/field.ts";
import { mergeState } from "../../../provider/engine/state/merge.ts";

test("a computed value that a response masks keeps the recorded one, and is shown while none is recorded", () => {
  const fields = { portId: computed(z.string(), "ID of the port.") };
  const masked = { portId: "krn:vpc:In-Bangalore-1:***:***:port:1" };
  const recorded = { portId: "krn:vpc:In-Bangalore-1:000000000000:c:port:1" };
  expect(mergeState(fields, masked, recorded)).toEqual(recorded);
  expect(mergeState(fields, masked, {})).toEqual(masked);
});

test("a computed value with the id of another object replaces the recorded one", () => {
  const fields = { portId: computed(z.string(), "ID of the port.") };
  const idOf = (port: string) => ({ portId: `krn:vpc:In-Bangalore-1:000000000000:c:port:${port}` });
  expect(mergeState(fields, idOf("2"), idOf("1"))).toEqual(idOf("2"));
});
