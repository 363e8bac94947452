import { expect, test } from "@jest/globals";
import { explain, InputError } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, live, openCloud, requests, resource } from "../support/cloud.ts";
import { md5, openBucket, stored } from "../support/object-world.ts";

/** Creates and renames to a name that another object has, which the same run may delete or rename. */

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9hXNvlSfF+1GkUdv9XqLYrB2U1zrMkL/2AZVnIYf4Y a@b";

const named: readonly (readonly [kind: string, inputs: Values])[] = [
  ["ssh-key", { name: "main", publicKey }],
  ["vpc", { name: "main" }],
  ["bucket", { name: "main-data" }],
];

/** Deletes the object while its equal is created, beginning with one of the two. Returns the id of the new object. */
async function renameAddress(kind: string, inputs: Values, first: "delete" | "create") {
  const cloud = openCloud({ assume: { otpRequired: false } }, { otpRequired: false });
  const old = await cloud.run(cloud.create(kind, inputs));
  const began = cloud.elapsed();
  const destroy = () => engine.delete(cloud.session, resource(kind), old, cloud.call);
  const make = () => cloud.create(kind, inputs);
  const [, made] = await cloud.run(
    first === "delete"
      ? Promise.all([destroy(), make()])
      : Promise.all([make(), destroy()]).then(([made, done]) => [done, made] as const),
  );
  const read = await cloud.run(engine.read(cloud.reopen(), resource(kind), made, cloud.call));
  const ids = live(cloud, kind.replace("-", "_")).map(({ krn }) => krn);
  return { read, ids, made, old, seconds: (cloud.elapsed() - began) / 1000 };
}

test.each(
  named.flatMap(([kind, inputs]) =>
    (["delete", "create"] as const).map((first) => ({ kind, inputs, first })),
  ),
)(
  "a create waits while the same run deletes the object of its name: $kind, $first first",
  async ({ kind, inputs, first }) => {
    const { read, ids, made, old, seconds } = await renameAddress(kind, inputs, first);
    expect(made.id).not.toBe(old.id);
    expect([read?.id, ids.length]).toEqual([made.id, 1]);
    expect(seconds).toBeLessThan(30);
  },
);

test("a create waits for the delete of what is in the object of its name, then for that of the object", async () => {
  const cloud = openCloud();
  const old = await cloud.run(cloud.create("vpc", { name: "main" }));
  const inside = { vpcId: String(old.id), name: "inner", cidr: "10.0.1.0/24" };
  const subnet = await cloud.run(cloud.create("subnet", inside));
  cloud.emulator.faults.add({ target: "delete_subnet", kind: "409", times: 8 });
  const destroy = async () => {
    await engine.delete(cloud.session, resource("subnet"), subnet, cloud.call);
    await engine.delete(cloud.session, resource("vpc"), old, cloud.call);
  };
  const [made] = await cloud.run(Promise.all([cloud.create("vpc", { name: "main" }), destroy()]));
  expect(live(cloud, "vpc").map(({ krn }) => krn)).toEqual([made.id]);
});

test("a create waits while the same run renames the object of its name, however far the rename is", async () => {
  for (let delayMs = -1_500; delayMs <= 1_500; delayMs += 100) {
    const cloud = openCloud();
    const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
    const written = { vpcId: String(vpc.id), name: "c", sizeGb: 10, volumeType: "ssd" };
    const old = await cloud.run(cloud.create("volume", written));
    const { inputs } = engine.check(resource("volume"), { ...written, name: "b" });
    // With every other delay the rename takes several seconds.
    if (delayMs % 200 === 0) cloud.emulator.faults.add({ target: "update_volume", kind: "429", times: 4 });
    const after = (ms: number) => cloud.session.ports.clock.sleep(Math.max(0, ms));
    const rename = after(-delayMs).then(() =>
      engine.update(cloud.session, resource("volume"), old, inputs, cloud.call),
    );
    const made = after(delayMs).then(() => cloud.create("volume", written));
    await cloud.run(Promise.all([rename, made]));
    expect(live(cloud, "volume").map(({ name }) => name)).toEqual(["b", "c"]);
  }
});

test("a create of a name that another object has is refused after two seconds, if this run does not delete the object", async () => {
  const cloud = openCloud();
  await cloud.run(cloud.create("vpc", { name: "main" }));
  const began = cloud.elapsed();
  const found = await failure(cloud.run(cloud.create("vpc", { name: "main" })));
  expect(found.step).toBe("an object with this name already exists");
  expect(cloud.elapsed() - began).toBeLessThan(3_000);
});

/** Returns the problem of a rename that was refused, as Terraform shows it. */
const refusal = async (renamed: Promise<unknown>): Promise<string> => {
  const { cause } = await failure(renamed);
  return cause instanceof InputError ? inWordsOf("terraform", explain(cause).detail) : "not refused";
};

test("a rename to the key of an object is refused, whatever the object contains, and the state keeps the own object", async () => {
  const { cloud, create, update } = await openBucket();
  const state = await create({ content: "hello", key: "a" });
  await create({ content: "hello", key: "b" });
  const renamed = await failure(update(state, { content: "hello", key: "b" }));
  expect(explain(renamed).detail).toContain(
    'key: "b" is the key of another object, which the rename would overwrite: choose another one, or first rename or delete that object, in a run of its own',
  );
  expect(explain(renamed).detail).toMatch(/\nNothing was changed\.$/);
  expect(renamed.existence).toEqual({ is: "nothing changed" });
  expect(renamed.state).toMatchObject({ id: "a", values: { key: "a" } });
  expect(stored(cloud)).toEqual([
    ["a", md5("hello")],
    ["b", md5("hello")],
  ]);
  expect(requests(cloud, "rename_object")).toEqual([]);
});

test("keys that shift by one are renamed in one run, the last one first", async () => {
  const { cloud, create, update } = await openBucket();
  const [a, b, c] = [
    await create({ content: "1", key: "a" }),
    await create({ content: "2", key: "b" }),
    await create({ content: "3", key: "c" }),
  ];
  const remove = engine.delete(cloud.session, resource("object"), c, cloud.call);
  const renames = [update(a, { content: "1", key: "b" }), update(b, { content: "2", key: "c" })];
  await Promise.all([...renames, cloud.run(remove)]);
  expect(stored(cloud).toSorted()).toEqual([
    ["b", md5("1")],
    ["c", md5("2")],
  ]);
});

test("a rename in a chain whose last target stays taken fails, and changes nothing", async () => {
  const { cloud, create, update } = await openBucket();
  const [a, b] = [await create({ content: "1", key: "a" }), await create({ content: "2", key: "b" })];
  await create({ content: "3", key: "c" });
  const before = stored(cloud);
  const began = cloud.elapsed();
  const [first, second] = await Promise.all([
    refusal(update(a, { content: "1", key: "b" })),
    refusal(update(b, { content: "2", key: "c" })),
  ]);
  expect(first).toMatch(/^key: "b" is the key of another object/);
  expect(second).toMatch(/^key: "c" is the key of another object/);
  expect(stored(cloud)).toEqual(before);
  expect(cloud.elapsed() - began).toBeLessThan(10_000);
});

test("keys that two objects exchange are refused with the advice to use a temporary key", async () => {
  const { cloud, create, update } = await openBucket();
  const [a, b] = [await create({ content: "1", key: "a" }), await create({ content: "2", key: "b" })];
  const before = stored(cloud);
  const refused = await Promise.all([
    refusal(update(a, { content: "1", key: "b" })),
    refusal(update(b, { content: "2", key: "a" })),
  ]);
  expect(refused).toEqual([
    'key: "b" is renamed in this run too, in a circle ("a" to "b" to "a"): rename one of these objects to a temporary key first, in a run of its own',
    'key: "a" is renamed in this run too, in a circle ("b" to "a" to "b"): rename one of these objects to a temporary key first, in a run of its own',
  ]);
  expect(stored(cloud)).toEqual(before);
});
