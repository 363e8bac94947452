import { describe, expect, test } from "@jest/globals";
import { ConfigError, explain, InputError } from "../../../provider/core/error.ts";
import type { Value, Values } from "../../../provider/core/value.ts";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { isRef } from "../../adapter/adapter.ts";
import { lifecycleCases } from "../../adapter/lifecycle/lifecycle.ts";
import { failure, kept, live, openCloud, resource } from "../../support/cloud.ts";
import { openEveryKind } from "../../support/every-kind.ts";
import { idOf } from "../../support/problem.ts";

const net = { name: "net" };

test.each([
  ["503", "after"],
  ["504", "after"],
  ["reset", "after"],
  ["cut-json", "after"],
  ["html-200", "after"],
  ["empty-200", "after"],
] as const)(
  "a create answered by %s %s its effect is resolved by a search and never sent twice",
  async (kind, when) => {
    const cloud = openCloud({ listingLagMs: 5_000 });
    cloud.emulator.faults.add({ target: "create_vpc", kind, when });
    const made = await cloud.run(cloud.create("vpc", net));
    expect(live(cloud, "vpc").map(({ krn }) => krn)).toEqual([made.id]);
    const sent = cloud.emulator.log.entries().filter(({ operation }) => operation === "create_vpc");
    expect(sent).toHaveLength(1);
    expect(cloud.warnings.map(({ summary }) => summary)).toContain('The VPC "net" was found by search');
  },
);

test("a create whose request was lost before its execution reports that the object may exist, and is not sent again", async () => {
  const cloud = openCloud();
  cloud.emulator.faults.add({ target: "create_vpc", kind: "reset", when: "before" });
  const failed = await cloud.run(failure(cloud.create("vpc", net)));
  expect(failed.existence).toEqual({ is: "may exist" });
  expect(explain(failed).summary).toBe('Creating the VPC "net" failed');
  expect(live(cloud, "vpc")).toHaveLength(0);
  expect(cloud.emulator.log.entries().filter(({ operation }) => operation === "create_vpc")).toHaveLength(1);
});

test("a failed search is not treated as empty: nothing is sent", async () => {
  const cloud = openCloud();
  cloud.emulator.faults.add({ target: "get_vpc_list", kind: "500" });
  const failed = await cloud.run(failure(cloud.create("vpc", net)));
  expect(failed.existence).toEqual({ is: "nothing created" });
  expect(cloud.emulator.log.entries().some(({ operation }) => operation === "create_vpc")).toBe(false);
});

test("an existing object with that name stops the create with the import command", async () => {
  const cloud = openCloud();
  const made = await cloud.run(cloud.create("vpc", net));
  const failed = await cloud.run(failure(cloud.create("vpc", net)));
  expect(explain(failed).detail.replaceAll(String(made.id), "ID")).toBe(
    [
      "An object with this name already exists.",
      "The object exists as ID and was not changed.",
      "Import it if nothing manages it (terraform import kcloud_vpc.NAME 'ID', or tofu import with the same arguments), or choose another name, or set adopt_existing = true to adopt it. If this run replaces it, remove create_before_destroy from the lifecycle of this resource and of those that depend on it, to which it extends; if another resource of this configuration gives up the object or its name in this run, run again.",
    ].join("\n"),
  );
  expect(live(cloud, "vpc")).toHaveLength(1);
});

test("adopt_existing adopts only an object that equals the configuration", async () => {
  const cloud = openCloud({}, { adoptExisting: true });
  const vpc = await cloud.run(cloud.create("vpc", net));
  const data = { vpcId: String(vpc.id), name: "data", sizeGb: 20, volumeType: "HNSS" };
  const made = await cloud.run(cloud.create("volume", data));
  const volume = resource("volume");
  const later = (written: Values) => {
    const { inputs } = engine.check(volume, written);
    return engine.create(cloud.reopen({ adoptExisting: true }), volume, inputs, cloud.call);
  };
  const again = await cloud.run(later(data));
  expect(again.id).toBe(made.id);
  expect(cloud.warnings.at(-1)?.summary).toBe('The volume "data" existed and was adopted');
  const failed = await cloud.run(failure(later({ ...data, sizeGb: 30 })));
  expect(inWordsOf("terraform", failed.step)).toBe(
    "an object with this name already exists with different size_gb",
  );
  expect(live(cloud, "volume")).toHaveLength(1);
});

test("a VPC stopped before its task names it is found by the task in the next run", async () => {
  const cloud = openCloud({ taskMs: 60_000 });
  const stop = new AbortController();
  const vpc = resource("vpc");
  const { inputs } = engine.check(vpc, net);
  const report = () => stop.abort();
  const failed = await cloud.run(
    failure(engine.create(cloud.session, vpc, inputs, { stop: stop.signal, report })),
  );
  expect(failed.state?.id).toBeUndefined();
  expect(failed.state?.task).toMatch(/./);
  expect(failed.step).toMatch(
    `the ID of the new object is not known; its task is ${failed.state?.task}; last seen: vpc pending`,
  );
  const state = kept(failed);
  const read = await cloud.run(engine.read(cloud.session, vpc, state, cloud.call));
  expect(read?.id).toBe(live(cloud, "vpc")[0]?.krn);
});

test("a deadline ends the wait, stores the id and reports the last status", async () => {
  const cloud = openCloud();
  const vpc = await cloud.run(cloud.create("vpc", net));
  cloud.emulator.configure({ taskMs: 3_600_000 });
  const volume = resource("volume");
  const { inputs } = engine.check(volume, {
    vpcId: String(vpc.id),
    name: "data",
    sizeGb: 20,
    volumeType: "HNSS",
  });
  const failed = await cloud.run(
    failure(engine.create(cloud.session, volume, inputs, { ...cloud.call, timeout: 30 })),
  );
  expect(explain(failed).detail).toContain("The timeout of 30 s expired.");
  expect(failed.state?.id).toBe(live(cloud, "volume")[0]?.krn);
});

test("concurrent creates share one search and create one object each", async () => {
  const cloud = openCloud();
  const vpc = await cloud.run(cloud.create("vpc", net));
  const before = cloud.emulator.log.entries().length;
  const names = Array.from({ length: 20 }, (_, index) => `data-${index}`);
  await cloud.run(
    Promise.all(
      names.map((name) =>
        cloud.create("volume", { vpcId: String(vpc.id), name, sizeGb: 1, volumeType: "HNSS" }),
      ),
    ),
  );
  expect(live(cloud, "volume")).toHaveLength(20);
  const requests = cloud.emulator.log.entries().slice(before);
  const listings = requests.filter(({ operation }) => operation === "list_volumes");
  expect(requests.length).toBe(20 + listings.length);
  expect(listings.length).toBeLessThan(10);
});

describe("Settings that a create needs", () => {
  const without = {
    region: { region: undefined },
    accountId: { accountId: undefined },
    user: { user: undefined },
    accessKey: { accessKey: undefined, secretKey: undefined },
  } as const;

  const cases = lifecycleCases.flatMap(({ resource: kind, inputs, dependencies = [] }) =>
    Object.entries(without).map(([setting, given]) => {
      const kinds = new Map(dependencies.map(({ name, resource }) => [name, resource]));
      const resolved = (value: unknown): Value => {
        if (Array.isArray(value)) return value.map(resolved);
        return isRef(value) ? idOf(kinds.get(value.ref) ?? "vpc") : (value as Value);
      };
      const written: Values = Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => [name, resolved(value)]),
      );
      return { kind, setting, given, written };
    }),
  );

  test.each(cases)(
    "the plan of a $kind reports a missing $setting if and only if the create needs it",
    async ({ kind, setting, given, written }) => {
      const cloud = openEveryKind({}, given);
      const definition = resource(kind);
      const { problems, warnings } = engine.plan(definition, undefined, written, cloud.session);
      const isSaid =
        problems.some(({ path }) => path[0] === setting) ||
        warnings.some(
          ({ detail }) =>
            setting === "accessKey" && inWordsOf("terraform", detail).includes("SERVICE_ACCESS_KEY"),
        );
      const isMissing = (error: unknown) =>
        (error instanceof ConfigError || error instanceof InputError) &&
        error.problems.some(({ path }) => path[0] === setting);
      const fails = await cloud.run(cloud.create(kind, written)).then(
        () => false,
        (error) => isMissing(error) || isMissing(error.cause),
      );
      expect(isSaid).toBe(fails);
    },
  );
});
