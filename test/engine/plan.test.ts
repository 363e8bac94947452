import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import * as z from "zod/mini";
import { InputError } from "../../provider/core/error.ts";
import { term } from "../../provider/core/name.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import {
  hasUnknown,
  isSecret,
  mapValues,
  reveal,
  secret,
  UNKNOWN,
  type Value,
  type Values,
} from "../../provider/core/value.ts";
import { assignment, inWordsOf, joinTexts, perEngine, wording } from "../../provider/core/wording.ts";
import { check } from "../../provider/definition/check.ts";
import { computed, field, group } from "../../provider/definition/field.ts";
import { defineResource } from "../../provider/definition/resource.ts";
import { engine } from "../../provider/engine/engine.ts";
import { dataLoss, type Plan, plan, uncomparedWarnings } from "../../provider/engine/plan.ts";
import { resources } from "../../resources/index.ts";
import { type Cloud, live, openCloud, requests, resource } from "../support/cloud.ts";
import { openProvider } from "../support/engine/provider.ts";
import { expectGolden } from "../support/golden.ts";
import { openNetwork } from "../support/instance-world.ts";
import { withDriver } from "../support/pulumi/driver.ts";

/** Tests the warnings of a delete or replacement that destroys data, wherever the engine can show a warning. */

const vpcId = "krn:vpc:In-Bangalore-1:1:2:vpc:3";

const written = { vpcId, name: "data", sizeGb: 20, volumeType: "HNSS" };

const region = { region: "In-Bangalore-1" };

/** Returns the state after a create that matches the plan: each unknown value becomes `"chosen"`. */
function stateAfter(planned: Plan, unread: readonly string[] = []): ResourceState {
  const withChosen = (value: Value): Value => {
    if (value === UNKNOWN) return "chosen";
    if (Array.isArray(value)) return value.map(withChosen);
    return typeof value === "object" && value !== null && !isSecret(value)
      ? mapValues(value, withChosen)
      : value;
  };
  return { id: "id", task: undefined, values: withChosen(planned.values) as Values, unread };
}

const inputsOf = (kind: string, values: Values) => check(resource(kind), values).inputs;

const made = (kind: string, values: Values, unread: readonly string[] = []) =>
  stateAfter(plan(resource(kind), undefined, inputsOf(kind, values), { defaults: region }), unread);

const changed = (kind: string, from: Values, to: Values, unread: readonly string[] = []) =>
  plan(resource(kind), made(kind, from, unread), inputsOf(kind, to), { defaults: region });

const shown = ({ action, changes }: Plan) =>
  `${action} ${changes.map(({ path, effect }) => `${path.join(".")}:${effect}`).join(" ")}`.trim();

test("a new object has its inputs, its defaults and the provider's region; other values are unknown until the apply", () => {
  const planned = plan(resource("volume"), undefined, inputsOf("volume", written), { defaults: region });
  expect(planned).toMatchObject({ action: "create", changes: [], problems: [] });
  expect(planned.values).toEqual({
    ...written,
    region: "In-Bangalore-1",
    deletionProtection: null,
    availabilityZone: "nova",
    multiattach: false,
    description: null,
    metadata: null,
    qos: null,
    source: null,
    status: UNKNOWN,
  });
});

test("without a session the region of a new object is not known yet", () => {
  expect(plan(resource("volume"), undefined, inputsOf("volume", written)).values.region).toBe(UNKNOWN);
});

/** Arbitrary inputs of a volume, with every distinction that matters to a plan. */
const label = fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.string({ maxLength: 4 }), { maxKeys: 3 });

const volumes = fc.record({
  vpcId: fc.constant(vpcId),
  name: fc.string({ minLength: 1, maxLength: 8 }),
  sizeGb: fc.integer({ min: 1, max: 1000 }),
  volumeType: fc.constantFrom("HNSS", "ssd"),
  description: fc.option(fc.string({ maxLength: 4 })),
  metadata: fc.option(label),
  qos: fc.option(fc.record({ iops: fc.option(fc.record({ readIopsSec: fc.option(fc.nat(9)) })) })),
  multiattach: fc.option(fc.boolean()),
}) as fc.Arbitrary<Values>;

test("the plan of an applied plan is empty", () => {
  fc.assert(
    fc.property(volumes, (values) => {
      const planned = plan(resource("volume"), made("volume", values), inputsOf("volume", values), {
        defaults: region,
      });
      return planned.action === "none" && planned.changes.length === 0 && !hasUnknown(planned.values);
    }),
  );
});

test("the same arguments give the same plan, and the plan of a planned state is empty", () => {
  fc.assert(
    fc.property(volumes, volumes, (from, to) => {
      const prior = made("volume", from);
      const first = plan(resource("volume"), prior, inputsOf("volume", to), { defaults: region });
      const second = plan(resource("volume"), prior, inputsOf("volume", to), { defaults: region });
      expect(second).toEqual(first);
      const after = plan(resource("volume"), stateAfter(first), inputsOf("volume", to), { defaults: region });
      expect(after.action).toBe("none");
    }),
  );
});

test.each([
  ["subnet", "cidr", "10.0.1.7/16", "10.0.0.0/16"],
  ["subnet", "cidr", "2001:DB8::/32", "2001:db8:0::/32"],
  ["subnet", "gatewayIp", "2001:DB8::1", "2001:db8:0:0::1"],
  ["subnet", "description", "", null],
  ["subnet", "description", null, ""],
  ["volume", "metadata", {}, null],
  ["volume", "metadata", null, {}],
  ["volume", "metadata", { a: "1", b: "2" }, { b: "2", a: "1" }],
] as const)(
  "%s.%s: %j and %j mean the same, and the stored spelling is kept",
  (kind, name, before, after) => {
    const base: Record<string, Values> = {
      subnet: { vpcId, name: "a", cidr: "10.0.0.0/24" },
      volume: written,
    };
    const from = { ...base[kind], [name]: before } as Values;
    const planned = changed(kind, from, { ...base[kind], [name]: after } as Values);
    expect(shown(planned)).toBe("none");
    const storedValue = made(kind, from).values[name] ?? null;
    expect(planned.values[name]).toEqual(storedValue === null || after === null ? after : storedValue);
  },
);

test("an unordered list equals one with the same items in any order, each as often", () => {
  const listed = defineResource({
    name: "thing",
    category: "compute",
    about: "A thing.",
    timeouts: { create: 1, read: 1, update: 1, delete: 1 },
    fields: { tags: field(z.array(z.string()), "Tags.", { unordered: true, change: "update" }) },
  })({ create: async () => ({}), delete: async () => {}, update: async () => {} });
  const action = (before: string[], after: string[]) =>
    plan(listed, { id: "a", task: undefined, values: { tags: before }, unread: [] }, { tags: after }).action;
  expect(action(["a", "b", "b"], ["b", "a", "b"])).toBe("none");
  expect(action(["a", "b", "b"], ["a", "a", "b"])).toBe("update");
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 2 })), (tags) => action(tags, tags.toReversed()) === "none"),
  );
});

test("an unset field keeps the value that the API chose", () => {
  const prior = made("vpc", { name: "net" });
  const planned = plan(resource("vpc"), prior, inputsOf("vpc", { name: "net" }), {
    defaults: {
      region: "In-Hyderabad-1",
    },
  });
  expect(shown(planned)).toBe("none");
  expect(planned.values).toMatchObject({ region: "In-Bangalore-1", networkName: "chosen" });
});

test.each([
  ["volume", { name: "other" }, "update name:update"],
  ["volume", { sizeGb: 30 }, "update sizeGb:update"],
  ["volume", { volumeType: "ssd", metadata: { a: "1" } }, "update volumeType:update metadata:update"],
  ["volume", { multiattach: true }, "replace multiattach:replace"],
  ["volume", { qos: { iops: { readIopsSec: 1 } } }, "replace qos:replace"],
  ["volume", { source: { id: "x", type: "image" } }, "replace source:replace"],
  ["volume", { region: "In-Hyderabad-1" }, "replace region:replace"],
  ["volume", { name: UNKNOWN }, "update name:update"],
  ["volume", { sizeGb: UNKNOWN }, "update sizeGb:update"],
  ["volume", { vpcId: UNKNOWN }, "replace vpcId:replace"],
] as const)("%s with %p: %s", (kind, change, expected) => {
  expect(shown(changed(kind, written, { ...written, ...change } as Values))).toBe(expected);
});

test("an empty text and null are equal in every field of every resource", () => {
  const changed = (before: Value, after: Value, named = /./) =>
    resources.flatMap((resource) =>
      Object.keys(resource.fields).flatMap((name) => {
        if (!named.test(name)) return [];
        const values: Values = { [name]: before };
        const { changes } = plan(
          resource,
          { id: "id", task: undefined, values, unread: [] },
          { [name]: after },
        );
        return changes.some(({ path }) => path[0] === name) ? [`${resource.name}.${name}`] : [];
      }),
    );
  expect([changed(null, ""), changed("", null)]).toEqual([[], []]);
  expect(changed("a", "", /^name$/).length).toBeGreaterThan(10);
});

test("shrinking is rejected at plan time with path and remedy, and does not replace the object", () => {
  const planned = changed("volume", written, { ...written, sizeGb: 10 });
  expect(planned.problems).toEqual([
    {
      path: ["sizeGb"],
      problem: wording`cannot shrink from 20 to 10 GB: the volume is 20 GB now; set ${assignment("sizeGb", 20)}, or create a smaller volume and copy the data`,
    },
  ]);
  expect(planned.changes).toEqual([]);
});

test("every change of a resource without an update replaces it", () => {
  const from = { vpcId, name: "a", cidr: "10.0.0.0/24" };
  expect(shown(changed("subnet", from, { ...from, egress: false }))).toBe("replace egress:replace");
  expect(shown(changed("subnet", from, { ...from, cidr: "10.0.1.0/24" }))).toBe("replace cidr:replace");
});

test("a replacement plans a new object: computed values of the old one become unknown", () => {
  const planned = changed("vpc", { name: "net" }, { name: "other" });
  expect(planned.values).toMatchObject({ networkId: UNKNOWN, networkName: UNKNOWN, status: UNKNOWN });
  expect(planned.values.region).toBe("In-Bangalore-1");
});

test("an update keeps the values that the API chose, unless a change is declared to affect them", () => {
  const planned = changed("volume", written, { ...written, sizeGb: 30 });
  expect(planned.values).toMatchObject({ sizeGb: 30, region: "In-Bangalore-1", status: "chosen" });
});

test("a value that was never read is recorded and not sent, even if it differs from the default", () => {
  const unread = ["description", "enabled", "primarySubnet"];
  const planned = changed(
    "vpc",
    { name: "net" },
    { name: "net", enabled: false, description: "x", primarySubnet: { name: "a", cidr: "10.0.0.0/24" } },
    unread,
  );
  expect(planned.action).toBe("update");
  expect(planned.changes.map(({ path, recordOnly }) => [path.join("."), recordOnly])).toEqual([
    ["description", true],
    ["enabled", true],
    ["primarySubnet", true],
  ]);
  const known = changed("vpc", { name: "net" }, { name: "net", enabled: false });
  expect(shown(known)).toBe("replace enabled:replace");
  expect(uncomparedWarnings(made("vpc", { name: "net" }, unread), planned)).toEqual([
    { code: "not-compared", fields: unread, isSent: false },
  ]);
  expect(uncomparedWarnings(made("vpc", { name: "net" }, unread), known)).toEqual([]);
});

test("a secret value is compared by its content, and unchanged secret in the plan", () => {
  const same = changed("volume", written, { ...written, name: secret("data") });
  expect(shown(same)).toBe("none");
  expect(isSecret(same.values.name)).toBe(true);
  const other = changed("volume", written, { ...written, name: secret("other") });
  expect(shown(other)).toBe("update name:update");
  expect(isSecret(other.changes[0]?.after)).toBe(true);
});

test("a group that is secret as a whole is compared field by field", () => {
  const subnet = { name: "a", cidr: "10.0.0.0/24" };
  const from = { name: "net", primarySubnet: secret(subnet) };
  expect(shown(changed("vpc", from, { name: "net", primarySubnet: subnet }))).toBe("none");
  expect(shown(changed("vpc", from, from))).toBe("none");
  const other = { name: "net", primarySubnet: secret({ ...subnet, cidr: "10.0.1.0/24" }) };
  const planned = changed("vpc", { name: "net", primarySubnet: subnet }, other);
  expect(shown(planned)).toBe("replace primarySubnet.cidr:replace");
  expect(isSecret(planned.changes[0]?.after)).toBe(true);
  expect(reveal(planned.values.primarySubnet ?? null)).toMatchObject({ cidr: "10.0.1.0/24" });
});

test("the reasons of replacements and rejections have the expected texts", () => {
  const reasons = resources.flatMap(({ name, fields, replaceReason, holdsData }) => [
    ...(replaceReason === undefined ? [] : [wording`${name}: ${replaceReason}`]),
    ...(holdsData === undefined
      ? []
      : [`${name}: ${typeof holdsData === "object" ? holdsData.text : holdsData}`]),
    ...Object.entries(fields).flatMap(([path, { options }]) =>
      "replaceReason" in options ? [wording`${name}.${path}: ${options.replaceReason ?? ""}`] : [],
    ),
  ]);
  const shrunk = changed("volume", written, { ...written, sizeGb: 1 }).problems[0];
  const lines = [...reasons, wording`volume.${String(shrunk?.path)}: ${shrunk?.problem ?? ""}`];
  expectGolden("plan.txt", `${inWordsOf("pulumi", joinTexts(lines, "\n"))}\n`);
  for (const reason of reasons) expect(inWordsOf("pulumi", reason)).toMatch(/\.$/);
});

test("a computed field inside a new group is not known yet", () => {
  const holder = defineResource({
    name: "thing",
    category: "compute",
    about: "A thing.",
    timeouts: { create: 1, read: 1, update: 1, delete: 1 },
    fields: {
      part: group({ name: field(z.string(), "Name."), id: computed(z.string(), "Id.") }, "Part.", {
        optional: true,
        change: "update",
      }),
    },
  })({ create: async () => ({}), delete: async () => {}, update: async () => {} });
  const state: ResourceState = { id: "a", task: undefined, values: { part: null }, unread: [] };
  const planned = plan(holder, state, { part: { name: "p" } });
  expect(planned.values).toMatchObject({ part: { name: "p", id: UNKNOWN } });
  const unchanged = plan(
    holder,
    { ...state, values: { part: { name: "p", id: "1" } } },
    { part: { name: "p" } },
  );
  expect(unchanged).toMatchObject({ action: "none", values: { part: { name: "p", id: "1" } } });
});

test.each([{ deletionProtection: true }, { restartWhenChanged: { by: "1" } }, { powerState: "stopped" }])(
  "in the plan of the change %j of an instance, its addresses stay known",
  async (change) => {
    const { cloud, inputs, create } = await openNetwork();
    const state = await cloud.run(create());
    const instance = resource("instance");
    const { values } = engine.plan(instance, state, inputs(change), cloud.session);
    const unknown = Object.keys(values).filter((name) => values[name] === UNKNOWN);
    expect(unknown).toEqual("powerState" in change ? ["status"] : []);
  },
);

const state = (values: Values, more = {}) => ({ id: "krn:1", task: undefined, values, unread: [], ...more });

const bootVolume = { imageKrn: "krn:image", sizeGb: 10, volumeType: "ssd" };

const losses: readonly (readonly [noun: string, values: Values, lost: string | undefined])[] = [
  ["volume", {}, "The data on the volume is destroyed; take a backup or a copy first."],
  ["instance", { bootVolume }, "The data on the boot volume is destroyed."],
  ["instance", { bootVolume, deleteOnTermination: false }, undefined],
  ["instance", { volumeId: "krn:volume" }, undefined],
  ["instance-batch", {}, "The data on the boot volumes of its instances is destroyed."],
  ["instance-batch", { deleteOnTermination: false }, undefined],
  ["image", {}, "The existing image is destroyed; instances created from it are not affected."],
  ["ai-pod", {}, "The data on the disks of the pod is destroyed."],
  ["vpc", {}, undefined],
];

const lost = "The data on the volume is destroyed; take a backup or a copy first.";

const stored = { vpcId: "vpc-1", name: "data", sizeGb: 10, volumeType: "ssd", availabilityZone: "nova" };

const limited = { ...stored, qos: { iops: { readIopsSec: 5 } } };

describe("A delete or a replacement that destroys data has a warning, wherever the engine can show one", () => {
  test.each(losses)(
    "Terraform shows the warning in the plan of a destroy: %s %j",
    async (kind, values, lost) => {
      const provider = openProvider(openCloud());
      await provider.configure();
      const kept = {
        values: { id: "krn:1", name: "orders", ...values },
        private: undefined,
        diagnostics: [],
      };
      expect((await provider.plan(kind, undefined, kept)).diagnostics).toEqual(
        lost === undefined
          ? []
          : [
              `warning: Deleting the ${term(kind)} "orders" destroys its data: The ${term(kind)} "orders" (krn:1): ${lost}`,
            ],
      );
    },
  );

  test("every warning and every refusal of a destroy names kind, name and id", async () => {
    const provider = openProvider(openCloud());
    await provider.configure();
    const warned = new Set<string>();
    for (const { name: kind, fields, idField = "id", holdsData } of resources) {
      const named = Object.hasOwn(fields, "name");
      const object = `he ${term(kind)}${named ? ' "orders"' : ""} (krn:1)`;
      const destroy = async (more: Values) => {
        const values = { id: "krn:1", [idField]: "krn:1", ...(named ? { name: "orders" } : {}), ...more };
        return (await provider.plan(kind, undefined, { values, private: undefined, diagnostics: [] }))
          .diagnostics;
      };
      for (const text of await destroy({})) {
        expect(text).toContain(`: T${object}: `);
        const titled = `he ${term(kind)} ${named ? '"orders"' : idField === "id" ? "(krn:1)" : '"krn:1"'}`;
        expect(text.split(": ")[1]).toContain(titled);
        warned.add((text.split(": ")[1] ?? "").replace(titled, "he …"));
      }
      if (holdsData !== undefined)
        expect(await destroy({ deletionProtection: true })).toEqual([
          expect.stringContaining(`deletion_protection: is on for t${object}. `),
        ]);
    }
    expect([...warned].toSorted()).toEqual([
      "Deleting the … destroys its data",
      "Deleting the … requires a one-time password",
      "The … will not be deleted",
    ]);
  });

  test("objects of equal name have different titles: Terraform merges warnings of equal title", async () => {
    const provider = openProvider(openCloud());
    await provider.configure();
    const titles: string[] = [];
    for (const [kind, values] of [
      ["volume", { id: "krn:1", name: "orders" }],
      ["volume", { id: "krn:2", name: "orders" }],
      ["volume", { id: "krn:1", name: "orders" }],
    ] as const) {
      const { diagnostics } = await provider.plan(kind, undefined, {
        values,
        private: undefined,
        diagnostics: [],
      });
      titles.push(...diagnostics.map((text) => text.split(": ")[1] ?? ""));
    }
    expect(titles).toEqual([
      'Deleting the volume "orders" destroys its data',
      'Deleting the volume "orders" (krn:2) destroys its data',
      'Deleting the volume "orders" destroys its data',
    ]);
  });

  test("a name and an id of the API reach the plan of a destroy without terminal escape sequences", async () => {
    const provider = openProvider(openCloud());
    await provider.configure();
    for (const deletionProtection of [false, true]) {
      const values = { id: "krn:\u009b31m1", name: "data\u202e\u009b31m", deletionProtection };
      const { diagnostics } = await provider.plan("volume", undefined, {
        values,
        private: undefined,
        diagnostics: [],
      });
      expect(diagnostics).toEqual([expect.stringContaining('he volume "data 31m" (krn: 31m1)')]);
    }
  });

  test("an object that was never ready has no data to lose", () => {
    expect(
      dataLoss(resource("volume"), state({}, { failed: "the API reports the status error" })),
    ).toBeUndefined();
  });

  test("a replacement warns of the lost data for each field that forces it", () => {
    for (const [before, after] of [
      [stored, limited],
      [limited, { ...limited, qos: { iops: { readIopsSec: 6 } } }],
    ] as const) {
      const { changes } = plan(resource("volume"), state(before), after);
      expect(changes.map(({ effect, reason }) => [effect, reason])).toEqual([["replace", lost]]);
    }
  });

  test("Pulumi shows the warning of a replacement in the preview, but asks no plugin about a delete", () =>
    withDriver(async (driver) => {
      await driver.diff("Volume", stored, limited);
      expect(driver.logged.map(({ message }) => message)).toEqual([
        `Changing qos replaces the object. ${lost}`,
      ]);
    }));
});

describe("Deletion protection", () => {
  const volume = resource("volume");
  const network = { name: "net" };

  async function protectedVolume(cloud: Cloud): Promise<ResourceState> {
    const vpc = await cloud.run(cloud.create("vpc", network));
    return cloud.run(cloud.create("volume", written(String(vpc.id))));
  }

  const written = (vpcId: string, more = {}) => ({
    vpcId,
    name: "data",
    sizeGb: 10,
    volumeType: "ssd",
    deletionProtection: true,
    ...more,
  });

  const unprotect = perEngine({
    terraform:
      "Set deletion_protection = false and run terraform apply (or tofu apply) first, without the change that deletes or replaces the object",
    pulumi:
      "Set deletionProtection: false and run pulumi up first, without the change that deletes or replaces the object",
  });
  const onDelete = (id: unknown) => wording`is on for the volume "data" (${String(id)}). ${unprotect}`;
  const onReplace = wording`the change replaces the object, whose deletion protection is on. ${unprotect}`;

  test("exactly the resources that hold data have the field", async () => {
    const { resources } = await import("../../resources/index.ts");
    for (const { name, holdsData, fields } of resources)
      expect([name, Object.hasOwn(fields, "deletionProtection")]).toEqual([name, holdsData !== undefined]);
  });

  test("a protected object is not deleted, and nothing is sent", async () => {
    const cloud = openCloud();
    const state = await protectedVolume(cloud);
    expect(state.values.deletionProtection).toBe(true);
    const refusal = engine.delete(cloud.session, volume, state, cloud.call);
    await expect(refusal).rejects.toThrow(
      new InputError([{ path: ["deletionProtection"], problem: onDelete(state.id) }]),
    );
    expect(requests(cloud, "delete_volume")).toEqual([]);
  });

  test("protection is turned on and off in place, and is in no request", async () => {
    const cloud = openCloud();
    const state = await protectedVolume(cloud);
    const { inputs: off } = engine.check(
      volume,
      written(String(state.values.vpcId), { deletionProtection: false }),
    );
    const plan = engine.plan(volume, state, off, cloud.session);
    expect(plan).toMatchObject({
      action: "update",
      changes: [{ path: ["deletionProtection"], effect: "update", recordOnly: true }],
    });
    const since = cloud.emulator.log.entries().length;
    const open = await cloud.run(engine.update(cloud.session, volume, state, off, cloud.call));
    const sent = cloud.emulator.log.entries().slice(since);
    expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(open.values.deletionProtection).toBe(false);
    expect(JSON.stringify(cloud.emulator.log.entries())).not.toMatch(/deletion_?protection/i);
    await cloud.run(engine.delete(cloud.session, volume, open, cloud.call));
    expect(live(cloud, "volume")).toEqual([]);
  });

  test("a plan that replaces a protected object is rejected, even if the same change turns the protection off", async () => {
    const cloud = openCloud();
    const state = await protectedVolume(cloud);
    for (const deletionProtection of [true, false]) {
      const other = written(String(state.values.vpcId), { multiattach: true, deletionProtection });
      const plan = engine.plan(volume, state, engine.check(volume, other).inputs, cloud.session);
      expect(plan.problems).toEqual([
        {
          path: ["multiattach"],
          title: "Deletion is protected",
          problem: onReplace,
          remedies: [{ code: "unset-deletion-protection" }],
        },
      ]);
      expect(plan.action).not.toBe("replace");
    }
  });

  test("a change that turns the protection on and replaces the object is rejected", async () => {
    const cloud = openCloud();
    const made = await protectedVolume(cloud);
    const state = { ...made, values: { ...made.values, deletionProtection: false } };
    const other = written(String(made.values.vpcId), { multiattach: true, deletionProtection: true });
    const plan = engine.plan(volume, state, engine.check(volume, other).inputs, cloud.session);
    expect([plan.action, plan.problems.map(({ title }) => title)]).toEqual([
      "update",
      ["Deletion is protected"],
    ]);
  });

  test("a refresh keeps the protection, an import has none, and the next change records that of the configuration", async () => {
    const cloud = openCloud();
    const state = await protectedVolume(cloud);
    const seen = await cloud.run(engine.read(cloud.session, volume, state, cloud.call));
    expect(seen?.values.deletionProtection).toBe(true);
    const where = `${String(state.values.vpcId)},${state.id}`;
    const imported = await cloud.run(engine.import(cloud.session, volume, where, cloud.call));
    expect(imported.values.deletionProtection).toBeNull();
    const inputs = engine.check(volume, written(String(state.values.vpcId))).inputs;
    expect(engine.plan(volume, imported, inputs, cloud.session).changes).toMatchObject([
      { path: ["deletionProtection"], recordOnly: true },
    ]);
  });
});
