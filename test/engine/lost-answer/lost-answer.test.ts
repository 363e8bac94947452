import { expect, test } from "@jest/globals";
import { OperationError } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { lifecycleCases } from "../../adapter/lifecycle/lifecycle.ts";
import { resource } from "../../support/cloud.ts";
import { type LifecycleWorld, openLifecycle } from "../../support/lifecycle-world.ts";

/**
 * Each request of an update or a delete of each kind, answered by something else than the API before it was executed: it
 * is sent again as soon as reads show that it was not executed, unless its semantics forbid that.
 */

const verbs = ["update", "remove"] as const;
type Verb = (typeof verbs)[number];

const faults = ["500", "reset", "cut-length", "empty-200", "no-content", "refusal-in-200"];
/** Answers that are those of the API for a route whose responses have no body. */
const accepted = ["empty-200", "no-content"];

/** Answers after which a request is not sent again: an action, a cancel, or one whose result no read shows. */
const once: Readonly<Record<string, readonly string[]>> = {
  "update ai-pod update_pod": faults,
  "update floating-ip attach_floating_ip": faults,
  "remove inference-task cancel_inference_task": faults,
  "update security-group-rule attach_rule": accepted,
  "update instance control_instance": accepted,
  "update instance-batch delete_instance": ["refusal-in-200"],
};
/** Accepted requests whose result no read shows: nothing proves that they were not executed. */
const unseen: readonly string[] = [
  "update account-policy update_account_policy",
  "update ai-pod update_pod",
  "remove inference-task cancel_inference_task",
  "update security-group-rule detach_rule",
  "remove security-group-rule detach_rule",
  "remove security-group-rule delete_rule",
];
/** Limits in seconds: sent again, not sent again, and not sent again after the API accepted it. */
const limits = { again: 60, once: 135, accepted: 315 };
/** Maximum number of one-time passwords of one delete. */
const passwords = 3;

/** Requests that change nothing, and those that open a session. */
const isRead = (operation: string) => /^(get|list|search|activate)_/.test(operation);

const krns = ({ cloud }: LifecycleWorld) => cloud.emulator.inventory.list().map(({ krn }) => krn);
const sentSince = ({ cloud }: LifecycleWorld, from: number) =>
  cloud.emulator.log
    .entries()
    .slice(from)
    .flatMap(({ operation = "" }) => (isRead(operation) ? [] : operation));

const open = (kind: string) => {
  const world = openLifecycle(
    kind,
    { assume: { podRead: "pod" } },
    { otpCommand: "print one" },
    { command: async () => ({ status: 0, output: (await world).cloud.emulator.password() }) },
  );
  return world;
};

/** Runs the verb without a fault; returns the operations that it sends. */
async function operationsOf(kind: string, verb: Verb): Promise<readonly string[]> {
  const world = await open(kind);
  if (verb === "update" && world.updated === undefined) return [];
  const before = world.cloud.emulator.log.count();
  await world.cloud.run<unknown>(world[verb]());
  return [...new Set(sentSince(world, before))];
}

/** Returns true if the plan of the changed inputs is empty after a refresh. */
async function isChanged({ cloud, updated = {} }: LifecycleWorld, kind: string, state: ResourceState) {
  const session = cloud.reopen();
  const read = await cloud.run(engine.read(session, resource(kind), state, cloud.call));
  return engine.plan(resource(kind), read, updated, session).action === "none";
}

const rows = (
  await Promise.all(
    lifecycleCases.flatMap(({ resource }) =>
      verbs.map(async (verb) =>
        (await operationsOf(resource, verb)).map((operation) => [resource, verb, operation] as const),
      ),
    ),
  )
).flat();

test("every kind that has a route to change or delete it is in the table", () => {
  expect(rows.length).toBeGreaterThan(35);
  for (const name of [...Object.keys(once), ...unseen])
    expect(rows.map(([kind, verb, operation]) => `${verb} ${kind} ${operation}`)).toContain(name);
});

test.each(rows)("%s: %s, where %s is not executed", async (kind, verb, operation) => {
  const name = `${verb} ${kind} ${operation}`;
  for (const fault of faults) {
    const world = await open(kind);
    const { cloud } = world;
    const objects = krns(world);
    cloud.emulator.faults.add({ target: operation, kind: fault, when: "before", times: 1 });
    const before = cloud.emulator.log.count();
    const began = cloud.elapsed();
    let after: ResourceState | undefined;
    let failed: OperationError | undefined;
    try {
      after = await cloud.run<ResourceState | undefined>(world[verb]());
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      failed = error;
    }
    const seconds = (cloud.elapsed() - began) / 1000;
    const sent = sentSince(world, before).filter((each) => each === operation).length;
    const about = { fault, sent, seconds, failed: failed?.message };
    if (once[name]?.includes(fault)) {
      expect(about).toMatchObject({ sent: 1 });
      expect(seconds).toBeLessThan(accepted.includes(fault) ? limits.accepted : limits.once);
    } else if (resource(kind).otpDelete === true && verb === "remove") {
      expect(sent).toBeLessThanOrEqual(passwords);
    } else if (!(unseen.includes(name) && accepted.includes(fault))) {
      expect(about).toMatchObject({ failed: undefined });
      expect(sent).toBeGreaterThanOrEqual(2);
      expect(seconds).toBeLessThanOrEqual(limits.again);
      if (after === undefined) expect(objects.some((krn) => !krns(world).includes(krn))).toBe(true);
      else expect([fault, await isChanged(world, kind, after)]).toEqual([fault, true]);
    }
  }
});
