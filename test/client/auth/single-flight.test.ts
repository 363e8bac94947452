import { expect, test } from "@jest/globals";
import { singleFlight } from "../../../provider/client/auth/single-flight.ts";

test("a caller with an aborted signal starts no request", async () => {
  let started = 0;
  const flight = singleFlight(async () => {
    started += 1;
  });
  await expect(flight.join(AbortSignal.abort("stopped"))).rejects.toBe("stopped");
  expect(started).toBe(0);
});
