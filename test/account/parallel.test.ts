import { expect, test } from "@jest/globals";
import { inParallel } from "../../account/parallel.ts";

test("at most the given number runs at once, and the results have the order of the items", async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([3, 1, 2, 0], 2, async (turns) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    running -= 1;
    return turns * 10;
  });
  expect(results).toEqual([30, 10, 20, 0]);
  expect(most).toBe(2);
});

test("without items nothing runs", async () => {
  expect(await inParallel([], 8, () => Promise.reject(new Error("ran")))).toEqual([]);
});

test("after a failure no other item begins, and the error is thrown when the running ones have ended", async () => {
  const events: string[] = [];
  const run = inParallel([1, 2, 3, 4], 2, async (item) => {
    events.push(`begins ${item}`);
    if (item === 1) throw new Error("the first failed");
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    events.push(`ends ${item}`);
  });
  await expect(run).rejects.toThrow("the first failed");
  expect(events).toEqual(["begins 1", "begins 2", "ends 2"]);
});
