import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { live, openCloud, requests, resource, settle } from "../../support/cloud.ts";
import { openLifecycle } from "../../support/lifecycle-world.ts";

/**
 * Tests deletes of objects that only listings show, before a listing shows them: absence does not prove that a request with an
 * ambiguous response was executed.
 */

/** Listing lag in ms, within `settle_seconds` and beyond it. */
const lags = { within: 60_000, beyond: 600_000 };

/** Kinds without their own read route, with the operation that deletes one. */
const kinds = [
  ["subnet", "delete_subnet"],
  ["security-group", "delete_security_group"],
  ["ssh-key", "delete_ssh_key"],
] as const;

/** Opens a world with one object of the kind, which no listing shows until the lag in ms has passed. */
async function withUnlisted(kind: string, listingLagMs: number) {
  const world = await openLifecycle(kind, { taskMs: 0 });
  const { cloud } = world;
  cloud.emulator.configure({ listingLagMs });
  const { id = "" } = world.state;
  const isThere = () =>
    live(cloud, kind === "instance-batch" ? "instance" : kind.replaceAll("-", "_")).some(
      (row) => row.krn.endsWith(id) || JSON.stringify(row).includes(id),
    );
  return { ...world, id, isThere };
}

test.each(kinds)("a new %s stays in the state until a delete finds it (%s)", async (kind, target) => {
  for (const fault of ["404", "html-404", "html-403", "307"]) {
    const { cloud, remove, isThere } = await withUnlisted(kind, lags.within);
    cloud.emulator.faults.add({ target, kind: fault, when: "before", times: 1 });
    expect(isThere()).toBe(true);
    await cloud.run(remove());
    expect([fault, isThere(), cloud.warnings]).toEqual([fault, false, []]);
  }
});

test.each(kinds)(
  "a %s that its delete does not find leaves the state after settle_seconds, with its id and import (%s)",
  async (kind, target) => {
    const { cloud, remove, id } = await withUnlisted(kind, lags.beyond);
    cloud.emulator.faults.add({ target, kind: "404", times: 1 });
    const began = cloud.elapsed();
    await cloud.run(remove({ timeout: 300 }));
    expect(cloud.elapsed() - began).toBeGreaterThan(100_000);
    expect(cloud.warnings).toEqual([
      {
        summary: expect.stringMatching(/^The .+ was not found to be deleted$/),
        detail: expect.stringMatching(
          / was not found, and no listing shows it\..* import it \(terraform import /,
        ),
      },
    ]);
    expect(cloud.warnings[0]?.detail).toContain(id);
  },
);

test("a 404 is no proof if the detach before it had no clear response", async () => {
  const { cloud, remove } = await openLifecycle("security-group-rule", { taskMs: 0 });
  await settle(cloud);
  cloud.emulator.faults.add({ target: "detach_rule", kind: "html-403", when: "before", times: 1 });
  cloud.emulator.faults.add({ target: "delete_rule", kind: "404", times: 1 });
  await cloud.run(remove());
  expect(live(cloud, "security_group_rule")).toEqual([]);
});

test("the delete of an old rule whose group was deleted is sent again after a 404", async () => {
  const { cloud, remove } = await openLifecycle("security-group-rule", { taskMs: 0 });
  await settle(cloud);
  for (const { krn } of live(cloud, "security_group")) cloud.emulator.inventory.remove(krn);
  cloud.emulator.faults.add({ target: "delete_rule", kind: "404", times: 1 });
  await cloud.run(remove());
  expect(live(cloud, "security_group_rule")).toEqual([]);
});

test("only consecutive errors inside a 200 end a delete: another response between them starts the count again", async () => {
  const cloud = openCloud();
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const written = { vpcId, name: "data", sizeGb: 20, volumeType: "HNSS" };
  const state = await cloud.run(cloud.create("volume", written));
  const kinds = ["refusal-in-200", "refusal-in-200", "503", "refusal-in-200"];
  for (const [before, kind] of kinds.entries())
    cloud.emulator.faults.add({
      target: "delete_volume",
      kind,
      word: "quota exceeded",
      from: before + 1,
      times: 1,
    });
  await cloud.run(engine.delete(cloud.session, resource("volume"), state, cloud.call));
  expect(requests(cloud, "delete_volume")).toHaveLength(5);
  expect(live(cloud, "volume")).toEqual([]);
});
