import { expect, test } from "@jest/globals";
import { relationsOf } from "../../../review/model/relation.ts";
import { changeOf } from "../change-of.ts";

/** Plans with very many objects of one count. */

/** Limit of the CPU time in s: many times that of linear growth, a fraction of that of quadratic growth. */
const limit = 5;

/** Returns the result of a function. Throws if the function needs more CPU time than the limit. */
function limited<T>(run: () => T): T {
  const start = process.cpuUsage();
  const result = run();
  const seconds = process.cpuUsage(start).user / 1e6;
  if (seconds > limit) throw new Error(`took ${seconds} s`);
  return result;
}

const volume = { vpcId: "vpc-one", name: "data", sizeGb: 10, volumeType: "ssd" };

test("objects of a count of 30,000 refer to those of another count with the same index", () => {
  const one = changeOf("volume", undefined, volume);
  const all = (name: string, dependsOn: readonly string[]) =>
    Array.from({ length: 30_000 }, (_, at) => ({
      ...one,
      address: `kcloud_volume.${name}[${at}]`,
      dependsOn,
    }));
  const [targets, users] = [all("used", []), all("user", ["kcloud_volume.used"])];
  const single = { ...one, address: "kcloud_volume.single", dependsOn: ["kcloud_volume.used"] };
  const relations = relationsOf([...targets, ...users, single]);
  const [first] = targets;
  expect(limited(() => first && relations.directDependentsOf(first))).toEqual([users[0], single]);
});
