import { expect, test } from "@jest/globals";
import { formats } from "../../account/command/format.ts";
import {
  addressKey,
  type Block,
  type Expression,
  projectOf,
  referencesOf,
} from "../../account/export/project.ts";
import { orphansAmong } from "../../account/orphans.ts";
import { comparable } from "../../provider/core/krn.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import { isRecord, type Value, type Values } from "../../provider/core/value.ts";
import { hasGivenId } from "../../provider/definition/resource.ts";
import { engine, readOnly, type Session } from "../../provider/engine/engine.ts";
import { read } from "./account.ts";
import { type DrawnAccount, drawAccount, removeKeptPorts } from "./drawn.ts";

/** `KCLOUD_ACCOUNTS=200` draws that many accounts instead of a few. */
const count = Number(process.env.KCLOUD_ACCOUNTS ?? 6);
const first = Number(process.env.KCLOUD_ACCOUNT_SEED ?? Math.floor(Date.now() / 1000) % 100_000);
const seeds = Array.from({ length: count }, (_, index) => String(first + index));

/** Fields that an apply after an import may record: no route returns them, and the test adds the last one. */
const recorded = ["primarySubnet", "floatingIp", "forceDestroy"];

/** Returns the value of an expression; references have the values of the imported objects. */
function evaluated(expression: Expression, states: ReadonlyMap<string, ResourceState>): Value {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "reference": {
      const state = states.get(addressKey(expression.to));
      if (state === undefined) throw new Error(`reference to ${addressKey(expression.to)} before its import`);
      const whole: Value = { ...state.values, id: state.id ?? null };
      return expression.path.reduce<Value>(
        (value, part) => (isRecord(value) ? (value[part] ?? null) : null),
        whole,
      );
    }
    case "list":
      return expression.items.map((item) => evaluated(item, states));
    default:
      return Object.fromEntries(expression.entries.map(([name, part]) => [name, evaluated(part, states)]));
  }
}

/** Returns the blocks in force, each after those to which it refers. */
function inOrder(blocks: readonly Block[]): Block[] {
  const ordered: Block[] = [];
  const left = new Set(blocks);
  while (left.size > 0) {
    const waiting = new Set([...left].map(addressKey));
    const ready = [...left].filter((block) => !referencesOf(block).some((to) => waiting.has(addressKey(to))));
    if (ready.length === 0) throw new Error("a cycle of references");
    for (const block of ready) {
      left.delete(block);
      ordered.push(block);
    }
  }
  return ordered;
}

/** Imports the exported blocks, plans and applies them. Returns the imported states in the order of the imports. */
async function imported({ cloud }: DrawnAccount, blocks: readonly Block[]) {
  const session = cloud.reopen();
  const states = new Map<string, ResourceState>();
  for (const block of inOrder(blocks)) {
    const { resource, importId, ignored } = block;
    const state = await cloud.run(engine.import(session, resource, importId, cloud.call));
    states.set(addressKey(block), state);
    const written: Values = Object.fromEntries(
      block.inputs.map(([name, value]) => [name, evaluated(value, states)]),
    );
    const kept: Values = Object.fromEntries(ignored.map((name) => [name, state.values[name] ?? null]));
    const { inputs, problems } = engine.check(resource, written);
    expect([addressKey(block), problems]).toEqual([addressKey(block), []]);
    // A person adds it to a bucket whose content is to be deleted.
    const added: Values = "forceDestroy" in resource.fields ? { forceDestroy: true } : {};
    const wanted = { ...inputs, ...kept, ...added };
    const plan = engine.plan(resource, state, wanted, session);
    const sent = plan.changes.filter(
      ({ path, recordOnly }) => !recordOnly || !recorded.includes(String(path[0])),
    );
    expect([addressKey(block), plan.problems, sent.map(({ path }) => path)]).toEqual([
      addressKey(block),
      [],
      [],
    ]);
    if (plan.action === "none") continue;
    const applied = await cloud.run(engine.update(session, resource, state, wanted, cloud.call));
    states.set(addressKey(block), applied);
    expect([addressKey(block), engine.plan(resource, applied, wanted, session).action]).toEqual([
      addressKey(block),
      "none",
    ]);
  }
  return { session, states };
}

/** Deletes the objects of the blocks, each as soon as those that refer to it are deleted, as engines do. */
async function destroyed(
  { cloud }: DrawnAccount,
  blocks: readonly Block[],
  { session, states }: { session: Session; states: ReadonlyMap<string, ResourceState> },
): Promise<void> {
  const work = new Map<string, Promise<void>>();
  for (const block of inOrder(blocks).toReversed()) {
    const key = addressKey(block);
    const referrers = blocks.filter((other) => referencesOf(other).some((to) => addressKey(to) === key));
    const remove = async () => {
      await Promise.all(referrers.map((referrer) => work.get(addressKey(referrer))));
      await engine.delete(session, block.resource, states.get(key) as ResourceState, cloud.call);
    };
    work.set(key, remove());
  }
  await cloud.run(Promise.all(work.values()));
}

test.each(seeds)(
  "account %s: its export is stable, imports without a change, and is destroyed",
  async (seed) => {
    const account = await drawAccount(seed);
    const { cloud } = account;
    const before = JSON.stringify(cloud.emulator.inventory.list());
    const session = readOnly(cloud.reopen());
    const inventory = await read(cloud, {}, session);
    expect(inventory.gaps.filter(({ isIncomplete }) => isIncomplete)).toEqual([]);
    const project = projectOf(session, inventory.objects);
    const again = projectOf(session, (await read(cloud, {}, readOnly(cloud.reopen()))).objects);
    for (const { write } of Object.values(formats))
      expect([...write(again, "kind")]).toEqual([...write(project, "kind")]);
    const blocks = project.blocks.filter(({ problems }) => problems.length === 0);
    const { session: writing, states } = await imported(account, blocks);
    expect(JSON.stringify(cloud.emulator.inventory.list())).toBe(before);
    const ids = new Set([...states.values()].map(({ id }) => id));
    removeKeptPorts(cloud.emulator, (subnet) => ids.has(subnet));
    await destroyed(account, blocks, { session: writing, states });
  },
);

test.each(seeds)(
  "account %s: the orphans of drawn states are the objects that no state has",
  async (seed) => {
    const { cloud, draw, objects, ownerOf } = await drawAccount(seed);
    const managed = objects.filter(() => draw.chance(0.6));
    const files = [0, 1].map((half) => ({
      engine: "terraform" as const,
      objects: managed.filter((_, index) => index % 2 === half),
      gaps: [],
    }));
    const session = readOnly(cloud.reopen());
    const inventory = await read(cloud, {}, session);
    const { orphans } = orphansAmong(session, inventory, files, Number.MAX_SAFE_INTEGER);
    const left = objects.filter((object) => !managed.includes(object));
    const isOf = (id: string, kind: string) =>
      left.some(
        ({ resource, state }) => resource.name === kind && comparable(state.id ?? "") === comparable(id),
      );
    const isLeft = (address: string | undefined) => left.some((object) => object.address === address);
    const wrong = orphans.filter(({ object: { id, resource } }) =>
      hasGivenId(resource) ? !isOf(id, resource.name) : !isLeft(ownerOf(id)) && !isOf(id, resource.name),
    );
    expect(wrong.map(({ object: { resource, name } }) => `${resource.name} ${name}`)).toEqual([]);
    const listed = new Set(inventory.objects.map(({ resource, id }) => `${resource.name} ${comparable(id)}`));
    const found = new Set(
      orphans.map(({ object: { resource, id } }) => `${resource.name} ${comparable(id)}`),
    );
    const keyOf = (kind: string, id: string | undefined) => `${kind} ${comparable(id ?? "")}`;
    const managedKeys = new Set(managed.map(({ resource, state }) => keyOf(resource.name, state.id)));
    const names = new Set(
      managed.flatMap(({ resource, state }) => (resource.name === "floating-ip" ? [state.values.name] : [])),
    );
    /** Keys of the objects that count as made with another one. */
    const parts = new Set(
      inventory.objects.flatMap(({ resource, id, state: { values, candidates } }) => {
        // The import of an unmanaged VPC brings its first subnet with it.
        const [subnet] = (candidates?.primarySubnet as Values[] | undefined) ?? [];
        if (resource.name === "vpc" && !managedKeys.has(keyOf("vpc", id)))
          return subnet === undefined ? [] : [keyOf("subnet", String(subnet.id))];
        // A port of a device or with an address, and one on which a managed address was reserved.
        const isPart = (values.deviceId ?? values.floatingIpAddress ?? null) !== null;
        return resource.name === "port" && (isPart || names.has(values.name ?? null))
          ? [keyOf("port", id)]
          : [];
      }),
    );
    const missed = left
      .map(({ resource, state }) => keyOf(resource.name, state.id))
      .filter((key) => listed.has(key) && !found.has(key) && !parts.has(key));
    expect(missed).toEqual([]);
  },
);
