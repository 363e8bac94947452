import { expect, test } from "@jest/globals";
import { lookups } from "../../../functions/index.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { UNKNOWN, type Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Session } from "../../../provider/engine/session.ts";
import { requests } from "../../support/cloud.ts";
import { openProvider } from "../../support/engine/provider.ts";
import { instance, openNetwork } from "../../support/instance-world.ts";

/**
 * Tests tags that `default_tags` adds to the tags of a resource. The API cannot change tags of instances (docs/contract.md#6).
 */

const tags = (text: object) => ({ defaultTags: JSON.stringify(text) });
const both = ({ values }: ResourceState) => [values.tags, values.tagsAll];

test("an instance gets the provider's tags in addition to its own, which take precedence; the plan shows them", async () => {
  const { cloud, inputs, create } = await openNetwork({}, tags({ team: "orders", tier: "any" }));
  const written = { tags: { tier: "web" } };
  const { values } = engine.plan(instance, undefined, inputs(written), cloud.session);
  expect([values.tags, values.tagsAll]).toEqual([{ tier: "web" }, { team: "orders", tier: "web" }]);
  const state = await cloud.run(create(written));
  expect(both(state)).toEqual([{ tier: "web" }, { team: "orders", tier: "web" }]);
  expect(requests(cloud, "create_instance")[0]?.body).toMatchObject({
    tags: [
      { key: "team", value: "orders" },
      { key: "tier", value: "web" },
    ],
  });
});

const planOf = (session: Session, state: ResourceState | undefined, inputs: Values) => {
  const { action, values } = engine.plan(instance, state, inputs, session);
  return [action, values.tags, values.tagsAll];
};

test.each([
  ["some of its own", { tier: "web" }],
  ["one of its own with the same value", { team: "orders" }],
  ["none of its own", undefined],
])(
  "with %s, a second plan has nothing to do, also after a refresh and for other defaults",
  async (_, own) => {
    const { cloud, inputs, create, vpcId } = await openNetwork({}, tags({ team: "orders" }));
    const written: Values = own === undefined ? {} : { tags: own };
    const state = await cloud.run(create(written));
    const all = { team: "orders", ...own };
    for (const defaults of [{ team: "orders" }, { team: "billing", cost: "1" }, {}]) {
      const session = cloud.reopen(tags(defaults));
      const seen = await cloud.run(engine.read(session, instance, state, cloud.call));
      expect(planOf(session, seen, inputs(written))).toEqual(["none", own ?? null, all]);
      const tuned = inputs({ ...written, deletionProtection: true });
      const changed = await cloud.run(engine.update(session, instance, state, tuned, cloud.call));
      expect(both(changed)).toEqual([own ?? null, all]);
    }
    const imported = await cloud.run(
      engine.import(cloud.session, instance, `${vpcId},${state.id}`, cloud.call),
    );
    expect(imported.values.tagsAll).toEqual(all);
    const plain = own !== undefined && "tier" in own ? own : null;
    expect(imported.values.tags).toEqual(plain);
  },
);

test("a tag that was added outside the engine is drift", async () => {
  const { cloud, inputs, create } = await openNetwork({}, tags({ team: "orders" }));
  const state = await cloud.run(create({ tags: { tier: "web" } }));
  const { tagsAll: _, ...old } = state.values;
  const other = cloud.reopen(tags({}));
  const seen = await cloud.run(engine.read(other, instance, { ...state, values: old }, cloud.call));
  expect(seen?.values.tags).toEqual({ team: "orders", tier: "web" });
  expect(planOf(other, seen, inputs({ tags: { tier: "web" } }))[0]).toBe("replace");
});

test("a lookup returns every tag, those of the provider too", async () => {
  const { cloud, create, vpcId } = await openNetwork({}, tags({ team: "orders" }));
  const { id } = await cloud.run(create({ tags: { tier: "web" } }));
  const lookup = lookups.find(({ name }) => name === "instance");
  if (lookup === undefined) throw new Error("no such lookup");
  const found = await cloud.run(engine.lookup(cloud.reopen(), lookup, { vpcId, id: String(id) }, cloud.call));
  expect(found.tags).toEqual({ team: "orders", tier: "web" });
});

test("all tags are unknown while the provider's configuration or one tag is unknown", async () => {
  const { cloud, inputs } = await openNetwork({}, tags({ team: "orders" }));
  expect(engine.plan(instance, undefined, inputs(), undefined).values.tagsAll).toBe(UNKNOWN);
  const unknown = inputs({ tags: { tier: UNKNOWN } });
  expect(engine.plan(instance, undefined, unknown, cloud.session).values.tagsAll).toBe(UNKNOWN);
});

test("Terraform plans the merged tags, applies them, and then has nothing to do", async () => {
  const { cloud, written } = await openNetwork();
  const provider = openProvider(cloud);
  expect(await provider.configure({ defaultTags: { team: "orders" } })).toEqual([]);
  const config = { ...written, tags: { tier: "web" } };
  const all = { team: "orders", tier: "web" };
  expect((await provider.plan("instance", config)).values).toMatchObject({ tagsAll: all });
  const made = await cloud.run(provider.apply("instance", config));
  expect(made).toMatchObject({ diagnostics: [], values: { tags: { tier: "web" }, tagsAll: all } });
  const seen = await cloud.run(provider.read("instance", made));
  expect(await provider.plan("instance", config, seen)).toMatchObject({ values: seen.values, replaces: [] });
});
