import { readFileSync } from "node:fs";
import type { Change } from "../../../../review/model/change.ts";
import { readPlan } from "../../../../review/read/read.ts";
import type { Report } from "../../../../review/report/report.ts";
import { changeOf, planOf, unchanged } from "../../change-of.ts";
import { reportOf } from "../outputs.ts";

/** Reports that the tests of the page open. */

const read = (name: string): string =>
  readFileSync(new URL(`../../fixture/${name}`, import.meta.url), "utf8");

export const fixtures = (...names: readonly string[]): Report =>
  reportOf(names.map((name) => readPlan(name.replace(/\..*/, ""), read(name))));

export const shop = fixtures("terraform-1.16.0.json");

/** Report with every section: two engines, drift, moves, an error, and a policy that changes. */
export const everything: Report = {
  ...fixtures(
    "terraform-1.16.0.json",
    "pulumi.json",
    "opentofu-drift.json",
    "opentofu-moved.json",
    "terraform-errored.json",
    "terraform-actions.json",
  ),
  policyChanges: { trusted: false, lines: ["Adds a waiver of DATA-01 for kcloud_volume.*"] },
  since: {
    added: ["shop: create kcloud_volume.new"],
    changed: [],
    removed: ["shop: update kcloud_volume.old"],
  },
};

export const volume = (index: number) => ({
  vpcId: "vpc-of-all",
  name: `data-${index}`,
  sizeGb: 10,
  volumeType: "ssd",
});

/** Returns a report with the given numbers of creates, updates and deletes of volumes in one VPC. */
export function many(count: number): Report {
  const changes = Array.from({ length: count }, (_, index): Change => {
    const [from, to] = [volume(index), { ...volume(index), sizeGb: 20 }];
    const more = { address: `kcloud_volume.data[${index}]` };
    return index % 3 === 0
      ? changeOf("volume", undefined, to, more)
      : changeOf("volume", from, index % 3 === 1 ? to : undefined, more);
  });
  const vpc = unchanged("vpc", { name: "net" }, { address: "kcloud_vpc.net", id: "vpc-of-all" });
  return reportOf([planOf([vpc, ...changes])]);
}
