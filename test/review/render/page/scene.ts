import { readFileSync } from "node:fs";
import type { Change } from "../../../../review/model/change.ts";
import type { Rehearsed } from "../../../../review/model/outcome.ts";
import type { Plan } from "../../../../review/model/plan.ts";
import { readPlan } from "../../../../review/read/read.ts";
import type { Report } from "../../../../review/report/report.ts";
import { changeOf, planOf, unchanged } from "../../change-of.ts";
import { rehearsalOf } from "../../rehearsal-of.ts";
import { reportOf } from "../outputs.ts";

/** Reports that the tests of the page open. */

const read = (name: string): string =>
  readFileSync(new URL(`../../fixture/${name}`, import.meta.url), "utf8");

const plansOf = (names: readonly string[]): Plan[] =>
  names.map((name) => readPlan(name.replace(/\..*/, ""), read(name)));

export const fixtures = (...names: readonly string[]): Report => reportOf(plansOf(names));

/** Returns a rehearsal that stops at the replaced volume, with everything that the page shows of one. */
export function failed(plan: Plan): Rehearsed {
  const whole = rehearsalOf(plan);
  const address = "kcloud_volume.orders";
  const last = whole.steps.findIndex((step) => step.address === address) + 1;
  const steps = whole.steps
    .slice(0, last + 1)
    .map((step, index) => (index === last ? { ...step, result: "failed" as const } : step));
  const reached = new Set(steps.map((step) => step.address));
  return {
    plan: plan.name,
    rehearsal: {
      ...whole,
      ...{ steps, isComplete: false, secondPlan: undefined },
      longestPath: steps.slice(1).map((step) => step.address),
      objects: whole.objects.map((object) => ({
        ...object,
        ...(object.address === address
          ? { class: "failed", assumptions: ["the zone has capacity"] }
          : object.class !== "untouched" && !reached.has(object.address)
            ? { class: "not reached" }
            : {}),
        isInterrupted: object.address === "kcloud_instance.worker",
      })),
      absent: ['the address 203.0.113.7 at the instance "machine"'],
      errors: [{ address, text: "The zone nova-2 has no capacity (409 Conflict, request r-17)." }],
      assumed: ["the size of the image", "the host keys of the machines"],
      unknown: ["quotas of the region"],
      unconfined: "programs have the network of this machine",
    },
  };
}

export const shop = fixtures("terraform-1.16.0.json");

const all = plansOf([
  "terraform-1.16.0.json",
  "pulumi.json",
  "opentofu-drift.json",
  "opentofu-moved.json",
  "terraform-errored.json",
  "terraform-actions.json",
]);

/** Report with every section: two engines, a rehearsal, drift, moves, an error, and a policy that changes. */
export const everything: Report = {
  ...reportOf(all, undefined, all.slice(0, 1).map(failed)),
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
