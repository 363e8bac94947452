import { expect, test } from "@jest/globals";
import * as z from "zod/mini";
import { computed } from "../../../provider/definition/field.ts";
import { mergeState } from "../../../provider/engine/state/state.ts";

test("a computed value that a response masks keeps the recorded one, and is shown while none is recorded", () => {
  const fields = { portId: computed(z.string(), "ID of the port.") };
  const masked = { portId: "krn:vpc:In-Bangalore-1:***:***:port:1" };
  const recorded = { portId: "krn:vpc:In-Bangalore-1:000000000000:c:port:1" };
  expect(mergeState(fields, masked, recorded)).toEqual(recorded);
  expect(mergeState(fields, masked, {})).toEqual(masked);
});
