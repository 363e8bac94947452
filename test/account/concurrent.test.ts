import { expect, test } from "@jest/globals";
import { mapConcurrently } from "../../account/concurrent.ts";

test("results have the order of the items, and at most the limit run at the same time", async () => {
  let running = 0;
  let most = 0;
  const results = await mapConcurrently([5, 1, 3, 2, 4], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, item));
    running -= 1;
    return item * 10;
  });
  expect([results, most]).toEqual([[50, 10, 30, 20, 40], 2]);
});

test("the first failure is thrown", async () => {
  const failing = mapConcurrently([1, 2], 1, (item) => Promise.reject(new Error(`item ${item}`)));
  await expect(failing).rejects.toThrow("item 1");
});
