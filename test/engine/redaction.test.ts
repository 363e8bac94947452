import { expect, test } from "@jest/globals";
import { actions, lookups } from "../../functions/index.ts";
import { type Explanation, explain } from "../../provider/core/error.ts";
import { secret as marked, type Values } from "../../provider/core/value.ts";
import { inAllWords, inWordsOf, type Text } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Facts, factsInWordsOf } from "../../provider/platform/log.ts";
import type { Transport } from "../../provider/platform/ports.ts";
import { type Cloud, failure, kept, live, openCloud, resource } from "../support/cloud.ts";
import { openNetwork } from "../support/instance-world.ts";
import { makeMachine } from "../support/machine.ts";

/** Tests that texts that quote the API have no secrets, no control characters, and at most 300 quoted characters. */

const secret = "canary-one\ncanary-two";

/** Text that a hostile or broken API may return: a multi-line secret, an escape sequence, and excessive length. */
const hostile = `MYSTERY ${secret}\u001b]0;title\u0007\u009b31m\nnext line ${"long ".repeat(1_000)}`;

/** Opens a cloud that collects every user-visible text: progress, log, warnings. */
function collecting() {
  const texts: string[] = [];
  const log = (_: string, message: Text, facts: Facts = {}) => {
    texts.push(
      inWordsOf("terraform", message),
      ...Object.values(factsInWordsOf("terraform", facts)).map(String),
    );
  };
  const cloud = openCloud({}, {}, { log });
  const call = {
    stop: new AbortController().signal,
    report: (status: Text) => texts.push(inWordsOf("terraform", status)),
    warn: ({ summary, detail }: Explanation) => texts.push(inAllWords(summary), inAllWords(detail)),
  };
  cloud.session.learn(secret);
  const create = (kind: string, written: Values) =>
    engine.create(cloud.session, resource(kind), engine.check(resource(kind), written).inputs, call);
  /** Waits for the work, which may fail, and returns every text so far. */
  const all = async (work: Promise<unknown>): Promise<readonly string[]> => {
    const failed = await cloud.run(work).then(
      () => [],
      (error: unknown) => {
        const { summary, detail } = explain(error);
        return [summary, ...detail.split("\n")];
      },
    );
    return [...texts, ...failed];
  };
  return { cloud, call, create, all };
}

/**
 * Expects that texts with these words were shown, and that no text contains secrets, control characters or excessive quotes.
 */
function expectClean(texts: readonly string[], words: string): void {
  expect(texts.filter((text) => /canary|[\p{Cc}\u2028\u2029]/u.test(text) || text.length > 2_000)).toEqual(
    [],
  );
  expect(texts.filter((text) => text.includes(words))).not.toEqual([]);
}

const fault = (cloud: Cloud, target: string, kind: string, more: object = {}) =>
  cloud.emulator.faults.add({ target, kind, word: hostile, ...more });

test("an error in the 202 of a VPC create", async () => {
  const { cloud, create, all } = collecting();
  fault(cloud, "create_vpc", "error-in-200");
  fault(cloud, "get_vpc_list", "empty-list");
  expectClean(await all(create("vpc", { name: "net" })), "The API reports: MYSTERY *** ");
});

test("the status of a wait, in its progress, the log and the error", async () => {
  const { cloud, create, all } = collecting();
  fault(cloud, "search_vpc", "unknown-status");
  fault(cloud, "get_vpc_list", "unknown-status");
  fault(cloud, "get_vpc_task_status", "unknown-status");
  expectClean(await all(create("vpc", { name: "net" })), "MYSTERY ***");
});

test("the status in an action's wait", async () => {
  const { cloud, create, call, all } = collecting();
  await all(create("vpc", { name: "net", primarySubnet: { name: "first", cidr: "10.0.0.0/24" } }));
  const [vpc] = live(cloud, "vpc");
  const pause = () => cloud.run(cloud.session.ports.clock.sleep(1_000));
  const instanceId = await makeMachine(cloud.emulator, vpc?.krn ?? "", pause);
  fault(cloud, "get_instance", "unknown-status");
  const stop = actions.find(({ name }) => name === "instance-stop");
  if (stop === undefined) throw new Error("no such action");
  expectClean(await all(engine.invoke(cloud.session, stop, { instanceId }, call)), "MYSTERY ***");
});

test("the names among which a lookup found none", async () => {
  const { cloud, create, call, all } = collecting();
  await all(create("vpc", { name: `Name ${secret}\u009b31m` }));
  const vpc = lookups.find(({ name }) => name === "vpc");
  if (vpc === undefined) throw new Error("no such lookup");
  const texts = await all(engine.lookup(cloud.session, vpc, { name: "other" }, call));
  expectClean(texts.slice(-2), "Existing VPCs: Name *** 31m");
});

test("the id of a new object", async () => {
  const wrap = (transport: Transport): Transport => ({
    async send(request, signal) {
      const reply = await transport.send(request, signal);
      if (reply.kind !== "answer" || !request.url.endsWith("/volumes") || request.method !== "POST")
        return reply;
      return { ...reply, body: JSON.stringify({ id: "MYSTERY\u001b]0;title\u0007" }) };
    },
  });
  const world = openCloud({}, { settleSeconds: 1 }, { wrap });
  const vpcId = String((await world.run(world.create("vpc", { name: "net" }))).id);
  const create = world.create("volume", { vpcId, name: "data", sizeGb: 20, volumeType: "ssd" });
  const failed = await world.run(failure(create));
  expect(kept(failed).id).toContain("\u001b");
  expectClean(explain(failed).detail.split("\n"), "The object exists as MYSTERY ]0;title");
});

test("the reason of a failed instance, which its state shows", async () => {
  const wrap = (transport: Transport): Transport => ({
    async send(request, signal) {
      const reply = await transport.send(request, signal);
      if (reply.kind !== "answer") return reply;
      const words = JSON.stringify(`no access with ${hostile}`).slice(1, -1);
      return { ...reply, body: reply.body.replaceAll("failed because of the name", words) };
    },
  });
  const world = await openNetwork({}, {}, { wrap });
  const { cloud } = world;
  const failed = kept(await cloud.run(failure(world.create({ name: "web-fails", modelApiKey: secret }))));
  const read = await cloud.run(world.read(failed));
  const shown = [failed, read].map((state) => String(state?.values.failureReason));
  for (const text of shown) expectClean([text], "no access with MYSTERY *** ");
});

test("values that a program marked as secret inside a map or a list", async () => {
  const { cloud, call, create, all } = collecting();
  await all(create("vpc", { name: "net" }));
  const vpcId = live(cloud, "vpc")[0]?.krn ?? "";
  const metadata = { team: "orders", token: marked("canary-in-a-map"), list: "open" };
  const body = { message: "refused: canary-in-a-map of orders" };
  cloud.emulator.faults.add({ target: "create_volume", kind: "422", body });
  const volume = { vpcId, name: "data", sizeGb: 1, volumeType: "ssd", metadata };
  expectClean(await all(create("volume", volume)), "The API reports: refused: *** of orders.");
  const vpc = lookups.find(({ name }) => name === "vpc");
  if (vpc === undefined) throw new Error("no such lookup");
  const reason = { message: "refused: canary-of-a-lookup" };
  cloud.emulator.faults.add({ target: "get_vpc_list", kind: "422", body: reason });
  const asked = { name: marked("canary-of-a-lookup") };
  expectClean(await all(engine.lookup(cloud.session, vpc, asked, call)), "The API reports: refused: ***.");
});

test("the reason that the state of a failed object has for its next change", async () => {
  const { cloud, call, create, all } = collecting();
  await all(create("vpc", { name: "net" }));
  const vpcId = live(cloud, "vpc")[0]?.krn ?? "";
  for (const target of ["get_volume", "list_volumes"])
    fault(cloud, target, "unknown-status", { word: `error_${hostile}` });
  const made = kept(
    await cloud.run(failure(create("volume", { vpcId, name: "data", sizeGb: 1, volumeType: "ssd" }))),
  );
  const read = await cloud.run(engine.read(cloud.session, resource("volume"), made, call));
  for (const state of [made, read])
    expectClean([inAllWords(state?.failed ?? "")], "the API reports the status error_MYSTERY *** ");
});
