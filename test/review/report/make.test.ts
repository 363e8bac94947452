import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { reportOf } from "../render/outputs.ts";

/** Differences that several changes share, and reports with many changes. */

const differencesIn = (text: string, key?: string) =>
  reportOf([readPlan("shop", text)], key).changes.map(({ differences }) => differences);

test("entries of a map keep the order of their own change, for any order of the changes", () => {
  const volume = (nth: number, names: readonly string[]) => {
    const metadata = (value: string) => Object.fromEntries(names.map((name) => [name, value]));
    return {
      address: `kcloud_volume.data[${nth}]`,
      mode: "managed",
      type: "kcloud_volume",
      change: {
        actions: ["update"],
        before: { name: `data-${nth}`, metadata: metadata("old") },
        after: { name: `data-${nth}`, metadata: metadata("new") },
      },
    };
  };
  const rows = [volume(0, ["a", "b"]), volume(1, ["b", "a"])];
  for (const resource_changes of [rows, rows.toReversed()]) {
    const text = JSON.stringify({ format_version: "1.2", planned_values: {}, resource_changes });
    const names = differencesIn(text).map((differences) => differences.map(({ name }) => name));
    expect(names).toEqual([
      ["metadata.a", "metadata.b"],
      ["metadata.b", "metadata.a"],
    ]);
  }
});
