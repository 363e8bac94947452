import { expect, test } from "@jest/globals";
import { actions } from "../../functions/index.ts";
import { explain, OperationError } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { lifecycleCases } from "../adapter/lifecycle/lifecycle.ts";
import { failure, resource } from "../support/cloud.ts";
import { type LifecycleWorld, openLifecycle } from "../support/lifecycle-world.ts";

/**
 * Tests each request of an update or a delete of each kind with a response that is not from the API. A request that was not
 * executed is sent again as soon as reads show that, unless its semantics forbid it; an executed request is recognized as done.
 */

const verbs = ["update", "remove"] as const;
type Verb = (typeof verbs)[number];

const faults = ["500", "cut-length", "empty-200", "refusal-in-200"];
/** Responses that equal those of the API for a route without response bodies. */
const accepted = ["empty-200"];

/** Requests that are not sent again after some responses: an action, a cancel, or one whose result no read shows. */
const once: Readonly<Record<string, readonly string[]>> = {
  "update ai-pod update_pod": faults,
  "update floating-ip attach_floating_ip": faults,
  "remove inference-task cancel_inference_task": faults,
  "update security-group-rule attach_rule": accepted,
  "update instance control_instance": accepted,
  "update instance-batch delete_instance": ["refusal-in-200"],
};
/** Accepted requests whose result no read shows, so that nothing proves that they were not executed. */
const unobservable: readonly string[] = [
  "update account-policy update_account_policy",
  "update ai-pod update_pod",
  "remove inference-task cancel_inference_task",
  "update security-group-rule detach_rule",
  "remove security-group-rule detach_rule",
  "remove security-group-rule delete_rule",
];
/**
 * Kinds without an authoritative listing, or without one once they are detached, whose 404 must last for `settle_seconds`, and
 * kinds without one while they are new,
 * because a delete with a one-time password is not sent again.
 */
const unlisted: readonly string[] = [
  "access-key",
  "account-policy",
  "account-policy-attachment",
  "ai-pod",
  "bucket-policy",
  "security-group-rule",
];
/**
 * Time limits in seconds for a request that is sent again, not sent again, not sent again after the API accepted it, and
 * rejected.
 */
const limits = { again: 60, once: 135, accepted: 315, refused: 10 };
/** Maximum number of one-time passwords of one delete. */
const passwords = 3;

/** Returns true for operations that change nothing, and for those that open a session. */
const isRead = (operation: string) => /^(get|list|search|activate)_/.test(operation);

const isGuarded = (kind: string, verb: Verb) => verb === "remove" && resource(kind).otpDelete === true;

/** Returns the KRNs of objects that are not deleted; a cancelled task still counts. */
const krns = ({ cloud }: LifecycleWorld) =>
  cloud.emulator.inventory.list().flatMap(({ krn, deletingAt }) => (deletingAt === undefined ? krn : []));
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
  for (const name of [...Object.keys(once), ...unobservable])
    expect(rows.map(([kind, verb, operation]) => `${verb} ${kind} ${operation}`)).toContain(name);
});

/** Runs the verb with one fault of the operation; returns the sent requests, the new state, and the world after it. */
async function runWith(
  kind: string,
  verb: Verb,
  operation: string,
  fault: string,
  when: "before" | "after",
  times = 1,
) {
  const world = await open(kind);
  const { cloud } = world;
  const objects = krns(world);
  cloud.emulator.faults.add({ target: operation, kind: fault, when, times, word: "over quota" });
  const before = cloud.emulator.log.count();
  const began = cloud.elapsed();
  let state: ResourceState | undefined;
  let failed: OperationError | undefined;
  try {
    state = await cloud.run<ResourceState | undefined>(world[verb]());
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    failed = error;
  }
  const seconds = (cloud.elapsed() - began) / 1000;
  const sent = sentSince(world, before).filter((each) => each === operation).length;
  return {
    about: { fault, sent, seconds, failed: failed && explain(failed).detail },
    /** Returns true if the object was deleted, or has its changed values. */
    isDone: () =>
      state === undefined ? objects.some((krn) => !krns(world).includes(krn)) : isChanged(world, kind, state),
  };
}

test.each(rows)("%s: %s, where %s is not executed", async (kind, verb, operation) => {
  const name = `${verb} ${kind} ${operation}`;
  for (const fault of faults) {
    const { about, isDone } = await runWith(kind, verb, operation, fault, "before");
    const { sent, seconds } = about;
    if (once[name]?.includes(fault)) {
      expect(about).toMatchObject({ sent: 1 });
      expect(seconds).toBeLessThan(accepted.includes(fault) ? limits.accepted : limits.once);
    } else if (isGuarded(kind, verb)) {
      expect(sent).toBeLessThanOrEqual(passwords);
    } else if (!(unobservable.includes(name) && accepted.includes(fault))) {
      expect(about).toMatchObject({ failed: undefined });
      expect(sent).toBeGreaterThanOrEqual(2);
      expect(seconds).toBeLessThanOrEqual(limits.again);
      expect([fault, await isDone()]).toEqual([fault, true]);
    }
  }
});

test.each(rows)("%s: %s, where %s is executed and its response is lost", async (kind, verb, operation) => {
  for (const fault of ["500", "reset"]) {
    const { about, isDone } = await runWith(kind, verb, operation, fault, "after");
    expect(about).toMatchObject({ failed: undefined });
    expect(about.seconds).toBeLessThan(unlisted.includes(kind) ? limits.once : limits.again);
    expect([fault, await isDone()]).toEqual([fault, true]);
  }
});

/** Pre-signed URLs belong to a storage host, whose texts are not quoted. */
const isOfStorageHost = (operation: string) => operation === "put_object_content";

test.each(rows.filter(([, , operation]) => !isOfStorageHost(operation)))(
  "%s: %s, where every %s is refused inside a 200, fails within seconds with the reason",
  async (kind, verb, operation) => {
    const { about, isDone } = await runWith(kind, verb, operation, "refusal-in-200", "before", 1_000);
    expect(about.failed).toContain("The API reports: over quota. (status 200, ");
    expect(about.seconds).toBeLessThan(limits.refused);
    if (isGuarded(kind, verb)) expect(about.sent).toBe(1);
    if (verb === "remove") expect(await isDone()).toBe(false);
  },
);

const toInstance = ({ id }: ResourceState) => ({ instanceId: String(id) });
const toPod = ({ id }: ResourceState) => ({ aiPodId: String(id) });
const toOther = ({ values }: ResourceState): Values => ({
  bucketId: values.bucketId ?? "",
  key: values.key ?? "",
  toKey: "other",
});
const checkpoint = "chat-small-001";

/** Actions with the kind of an object that they need, the operation that they send, and their inputs. */
const actionRows: readonly (readonly [string, string, string, (state: ResourceState) => Values])[] = [
  ["instance-start", "instance", "control_instance", toInstance],
  ["instance-stop", "instance", "control_instance", toInstance],
  ["instance-restart", "instance", "control_instance", toInstance],
  ["ai-pod-start", "ai-pod", "update_pod", toPod],
  ["ai-pod-stop", "ai-pod", "update_pod", toPod],
  ["ai-pod-restart", "ai-pod", "update_pod", toPod],
  ["access-key-delete-all", "access-key", "delete_all_access_keys", () => ({ accountId: "000000000000" })],
  ["object-move", "object", "move_object", toOther],
  ["object-copy", "object", "move_object", toOther],
  ["object-rename", "object", "rename_object", toOther],
  [
    "checkpoint-delete",
    "inference-task",
    "delete_checkpoint",
    () => ({ name: checkpoint, confirmName: checkpoint }),
  ],
];

test("every action is in the table", () => {
  expect(actionRows.map(([name]) => name).toSorted()).toEqual(actions.map(({ name }) => name).toSorted());
});

test.each(actionRows)(
  "%s of an object (%s), where every %s is refused inside a 200, fails within a minute with the reason",
  async (name, kind, operation, inputsOf) => {
    const { cloud, state } = await open(kind);
    const action = actions.find((known) => known.name === name);
    if (action === undefined) throw new Error(`no action ${name}`);
    if (name.endsWith("-start")) cloud.emulator.inventory.change(String(state.id), { running: false });
    cloud.emulator.faults.add({ target: operation, kind: "refusal-in-200", word: "over quota" });
    const began = cloud.elapsed();
    const failed = await cloud.run(
      failure(engine.invoke(cloud.session, action, inputsOf(state), cloud.call)),
    );
    expect(explain(failed).detail).toContain("The API reports: over quota. (status 200, ");
    expect((cloud.elapsed() - began) / 1000).toBeLessThan(limits.again);
  },
);
