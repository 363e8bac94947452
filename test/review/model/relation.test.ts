import { expect, test } from "@jest/globals";
import { settingsOf } from "../../../review/gate/policy.ts";
import { runRules } from "../../../review/gate/run.ts";
import type { Change } from "../../../review/model/change.ts";
import { makeReport } from "../../../review/report/make.ts";
import { changeOf, planOf, unchanged } from "../change-of.ts";

/** References between objects in the report. */

const subnet = { vpcId: "vpc-one", name: "inner", cidr: "10.0.0.0/24" };

const volume = { vpcId: "vpc-one", name: "data", sizeGb: 10, volumeType: "ssd" };

/** Returns the references of a report as sentences. */
function references(changes: readonly Change[]) {
  const plans = [planOf(changes)];
  const report = makeReport(plans, { results: runRules(plans, settingsOf({})) });
  const { graph = { unchanged: [], edges: [], omitted: 0 } } = report;
  const objects = [...report.changes, ...graph.unchanged].map(({ address }) => address);
  return {
    edges: graph.edges.map(([from = -1, to = -1]) => `${objects[from]} needs ${objects[to]}`),
    unchanged: graph.unchanged.map(({ address }) => address),
  };
}

test("a report shows references from and to changed objects, by id and by configuration", () => {
  const vpc = unchanged("vpc", { name: "net" }, { address: "kcloud_vpc.net", id: "vpc-one" });
  const idle = unchanged("subnet", subnet, { address: "kcloud_subnet.idle", id: "subnet-idle" });
  const resized = changeOf(
    "volume",
    volume,
    { ...volume, sizeGb: 20 },
    { address: "kcloud_volume.data", id: "volume-data" },
  );
  const attached = changeOf(
    "volume",
    undefined,
    { ...volume, vpcId: "vpc-other", name: "more" },
    { address: "kcloud_volume.more", dependsOn: ["kcloud_volume.data"] },
  );
  expect(references([vpc, idle, resized, attached])).toEqual({
    edges: ["kcloud_volume.data needs kcloud_vpc.net", "kcloud_volume.more needs kcloud_volume.data"],
    // The subnet refers to the VPC, but neither of them changes.
    unchanged: ["kcloud_vpc.net"],
  });
});
