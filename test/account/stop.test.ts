import { expect, test } from "@jest/globals";
import { isStop } from "../../account/stop.ts";
import { OperationError, StopError } from "../../provider/core/error.ts";

test("only an interrupt of the user is one: not the end of a timeout, and no other error", () => {
  const failed = (cause: unknown) =>
    new OperationError(
      { doing: "listing", step: "stopped", existence: { is: "unknown" }, remedies: [] },
      cause,
    );
  const errors = [
    failed(new StopError("stop")),
    failed(new StopError("deadline", 1)),
    failed("stop"),
    "stop",
  ];
  expect(errors.map(isStop)).toEqual([true, false, false, false]);
});
