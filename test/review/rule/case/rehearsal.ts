import type { Change } from "../../../../review/model/change.ts";
import type { Plan } from "../../../../review/model/plan.ts";
import type { Rehearsal } from "../../../../review/model/rehearsal.ts";
import { changeOf, planOf, unchanged } from "../../change-of.ts";
import { objectsWith, rehearsalOf, rehearsed } from "../../rehearsal-of.ts";
import type { RuleCase } from "./case.ts";

/** Cases of the rules about rehearsals. */

const volume = { vpcId: "vpc-1", name: "data", sizeGb: 10 };
const instance = { vpcId: "vpc-1", name: "web", instanceType: "c1.small", powerState: "running" };
const grown = changeOf("volume", volume, { ...volume, sizeGb: 20 });
const replaced = changeOf("volume", volume, { ...volume, availabilityZone: "b" });
const web = unchanged("instance", instance);
const restarted = changeOf("instance", instance, { ...instance, powerState: "stopped" });
const key = (name: string): Change => changeOf("ssh-key", undefined, { name });

const [data, machine] = [grown.address, web.address];
const one = planOf([grown]);
const swap = planOf([replaced]);
const keys = planOf(Array.from({ length: 7 }, (_, index) => key(`k${index}`)));
const done = { result: "done", start: 0, end: 1 } as const;
const quota = { address: data, text: "the quota of the region is exceeded\n(request r-1)" };
/** Outcome of an apply whose step at the volume fails. */
const failing = (plan: Plan, errors: Rehearsal["errors"] = [quota]): Partial<Rehearsal> => ({
  isComplete: false,
  secondPlan: undefined,
  errors,
  objects: objectsWith(plan, data, { class: "failed" }),
});

type Finds = RuleCase["finds"][number];

/** Name of a case, its plan, its rehearsal as it differs from a good one, the findings, and settings. */
type Row = readonly [
  name: string,
  plan: Plan,
  more: Partial<Rehearsal> | undefined,
  finds: Finds | readonly Finds[],
  settings?: RuleCase["settings"],
];

const casesOf = (rule: string, rows: readonly Row[]): RuleCase[] =>
  rows.map(([name, plan, more, finds, settings]) => ({
    ...{ rule, name, plans: [plan], finds: [finds].flat() },
    rehearsals: more === undefined ? [] : [rehearsed(plan, more)],
    ...(settings && { settings }),
  }));

const required = { requireRehearsal: true };

export const rehearsalCases: readonly RuleCase[] = [
  ...casesOf("RUN-01", [
    [
      "an update that a quota refuses",
      one,
      failing(one),
      'The rehearsed apply fails at volume "data": the quota of the region is exceeded\n(request r-1).',
    ],
    ["an apply to the end", one, {}, []],
    ["no rehearsal", one, undefined, []],
    [
      "an error without an address",
      one,
      { ...failing(one, [{ text: "The plugin crashed!" }]), objects: rehearsalOf(one).objects },
      "The rehearsed apply fails: The plugin crashed!",
    ],
    [
      "an error at an object that is in no plan",
      one,
      { errors: [{ address: "kcloud_port.gone", text: "no" }] },
      "The rehearsed apply fails at kcloud_port.gone: no.",
    ],
    [
      "a failed object, and one error without an address",
      one,
      failing(one, [{ text: "409 Conflict" }]),
      'The rehearsed apply fails at volume "data": 409 Conflict.',
    ],
    [
      "a failed object, and two errors without an address",
      one,
      failing(one, [{ text: "409" }, { text: "500" }]),
      [
        'The rehearsed apply fails at volume "data": its error is one of those without an address.',
        "The rehearsed apply fails: 409.",
        "The rehearsed apply fails: 500.",
      ],
    ],
    [
      "a failed object without an error",
      one,
      failing(one, []),
      'fails at volume "data": there is no error text.',
    ],
    [
      "a failed step of an apply that says it is complete",
      one,
      { steps: [{ ...done, address: data, action: "update", result: "failed" }] },
      'fails at volume "data": there is no error text.',
    ],
    [
      "an apply that did not end, without an error",
      one,
      { isComplete: false },
      "The rehearsed apply of plan stops before the end, and there is no error text.",
    ],
    [
      "objects that were not reached, without an error",
      one,
      { objects: objectsWith(one, data, { class: "not reached" }) },
      "stops before the end, and there is no error text.",
    ],
    [
      "a replacement that fails after the delete",
      swap,
      { ...failing(swap), steps: [{ ...done, address: data, action: "delete" }] },
      {
        severity: "critical",
        text: "(request r-1). The old object is deleted by then.",
      },
    ],
    [
      "a replacement whose create is missing although it says that it is done",
      swap,
      { errors: [{ text: "x" }], steps: [{ ...done, address: data, action: "delete" }] },
      [
        "The rehearsed apply fails: x.",
        { severity: "critical", text: 'fails at volume "data": its replacement is not created.' },
      ],
    ],
    [
      "a replacement that fails before the delete",
      swap,
      {
        ...failing(swap),
        steps: [
          { ...done, address: data, action: "create" },
          { ...done, address: data, action: "delete", result: "failed" },
        ],
      },
      'fails at volume "data": the quota',
    ],
    [
      "a failure after the delete of another object",
      planOf([grown, changeOf("ssh-key", { name: "old" }, undefined)]),
      {
        errors: [quota],
        steps: [{ ...done, address: "kcloud_ssh_key.old", action: "delete" }],
      },
      'fails at volume "data": the quota',
    ],
    [
      "a failure that an assumption decided",
      one,
      {
        ...failing(one),
        objects: objectsWith(one, data, { class: "failed", assumptions: ["volumes grow online", "quotas"] }),
      },
      {
        confidence: "needs a live check",
        text: "This depends on assumptions about the cloud: volumes grow online, quotas.",
      },
    ],
  ]),
  ...casesOf("RUN-02", [
    [
      "one key that is not reached",
      keys,
      { objects: objectsWith(keys, "kcloud_ssh_key.k3", { class: "not reached" }) },
      'The rehearsed apply of plan ends before 1 object: ssh key "k3".',
    ],
    [
      "seven keys that are not reached",
      keys,
      { objects: rehearsalOf(keys).objects.map((object) => ({ ...object, class: "not reached" as const })) },
      'ends before 7 objects: ssh key "k0", ssh key "k1", ssh key "k2", ssh key "k3", ssh key "k4" and 2 more.',
    ],
    ["all keys created", keys, {}, []],
  ]),
  ...casesOf("RUN-03", [
    [
      "a machine that the plan does not change",
      planOf([grown, web]),
      { objects: objectsWith(planOf([grown, web]), machine, { isInterrupted: true }) },
      {
        severity: "high",
        text: 'Instance "web" is stopped or restarted during the rehearsed apply, although the plan does not change it.',
      },
    ],
    [
      "a machine that the plan changes",
      planOf([restarted]),
      { objects: objectsWith(planOf([restarted]), machine, { isInterrupted: true }) },
      'Instance "web" is stopped or restarted during the rehearsed apply.',
    ],
    [
      "a machine in no plan",
      one,
      {
        objects: [
          ...rehearsalOf(one).objects,
          {
            address: "kcloud_instance.x",
            kind: "instance",
            class: "untouched",
            isInterrupted: true,
            assumptions: [],
          },
        ],
      },
      { severity: "high", text: "kcloud_instance.x is stopped" },
    ],
    ["a machine that runs", planOf([grown, web]), {}, []],
  ]),
  ...casesOf("RUN-04", [
    [
      "an address that is absent",
      one,
      { absent: ['the address 203.0.113.7 at the instance "web"'] },
      'During a part of the rehearsed apply, this is absent: the address 203.0.113.7 at the instance "web".',
    ],
    ["no absent connection", one, {}, []],
  ]),
  ...casesOf("RUN-05", [
    [
      "a volume that a second plan changes",
      one,
      { secondPlan: [data, data, "kcloud_port.x"] },
      [
        'A plan after the rehearsed apply changes volume "data" again.',
        "A plan after the rehearsed apply changes kcloud_port.x again.",
      ],
    ],
    ["no second plan", one, { secondPlan: undefined }, "The rehearsal of plan has no plan after the apply."],
    ["no second plan after a failure", one, failing(one), []],
    ["an empty second plan", one, {}, []],
  ]),
  ...casesOf("RUN-06", [
    [
      "a replacement in the plan that was an update in the rehearsal",
      swap,
      { differences: [`${data}: replace in the given plan, update in the rehearsed one`] },
      `The rehearsed plan differs from the reviewed one. ${data}: replace in the given plan, update in the rehearsed one.`,
    ],
    [
      "a change that the rehearsal does not have",
      one,
      { objects: [], steps: [], longestPath: [] },
      'The plan has the action update for volume "data"; in the rehearsal, there is no such object.',
    ],
    [
      "a delete that the rehearsal has as an update",
      planOf([changeOf("volume", volume, undefined)]),
      { objects: rehearsalOf(one).objects },
      'The plan has the action delete for volume "data"; in the rehearsal, it is changed.',
    ],
    [
      "an object that only the rehearsal changes",
      planOf([grown, web]),
      { objects: objectsWith(planOf([grown, web]), machine, { class: "replaced" }) },
      'The plan has no action for instance "web"; in the rehearsal, it is replaced.',
    ],
    [
      "an object that only the rehearsal has",
      planOf([]),
      { objects: rehearsalOf(one).objects },
      `The plan has no action for ${data}; in the rehearsal, it is changed.`,
    ],
    ["a failed object", one, failing(one), []],
    [
      "a replacement whose new object was not reached",
      swap,
      {
        objects: rehearsalOf(swap).objects.map((object) => ({ ...object, class: "destroyed" as const })),
        isComplete: false,
      },
      [],
    ],
    [
      "a step of an object that is nowhere else",
      one,
      {
        steps: [
          ...rehearsalOf(one).steps,
          { address: "kcloud_vpc.ghost", action: "delete", result: "done", start: 8, end: 9 },
        ],
      },
      "The plan has no action for kcloud_vpc.ghost; in the rehearsal, a step has the action delete.",
    ],
    [
      "every action",
      planOf([
        grown,
        web,
        key("new"),
        changeOf("ssh-key", { name: "old" }, undefined),
        changeOf("ssh-key", { name: "kept" }, undefined, { action: "forget" }),
        { ...unchanged("ssh-key", { name: "moved" }), previousAddress: "kcloud_ssh_key.before" },
      ]),
      {},
      [],
    ],
  ]),
  ...casesOf("RUN-07", [
    [
      "an object that is lost after a fault",
      one,
      {
        drill: {
          seed: 1,
          runs: [
            { request: "createVolume", fault: "timeout", problem: 'the volume "data" is in no state' },
            { request: "updateVolume", fault: "502" },
          ],
        },
      },
      'After a fault (timeout) of the request createVolume: the volume "data" is in no state.',
    ],
    [
      "faults that the next run repairs",
      one,
      { drill: { seed: 1, runs: [{ request: "updateVolume", fault: "502" }] } },
      [],
    ],
  ]),
  ...casesOf("RUN-08", [
    [
      "programs with the network of the machine",
      one,
      { unconfined: "programs have the network of this machine" },
      "The rehearsal of plan was not confined: programs have the network of this machine.",
    ],
    ["confined programs", one, {}, []],
  ]),
  ...casesOf("RUN-09", [
    [
      "a plan without a rehearsal",
      one,
      undefined,
      "plan has no rehearsal; the policy requires one",
      required,
    ],
    ["a rehearsed plan", one, {}, [], required],
    ["a rehearsed plan that does not converge", one, { secondPlan: [data] }, [], required],
    ["no requirement", one, undefined, []],
    ["a plan without changes", planOf([web]), undefined, [], required],
    ["a failing rehearsal", one, failing(one), "has a rehearsal that does not reach the end", required],
    [
      "a rehearsal of another plan",
      one,
      { differences: ["x: create in the given plan, nothing in the rehearsed one"] },
      "has a rehearsal of another plan",
      required,
    ],
    [
      "a rehearsal without the objects of the plan",
      one,
      { objects: [], steps: [], longestPath: [] },
      "has a rehearsal of another plan",
      required,
    ],
  ]),
];
