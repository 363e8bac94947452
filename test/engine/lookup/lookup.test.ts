import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { Values } from "../../../provider/core/value.ts";
import { type Cloud, failure, requests } from "../../support/cloud.ts";
import { find, withVpcs } from "../../support/lookup.ts";

/** Sleeps 6 s, so that earlier listings are no longer shared. */
const later = (cloud: Cloud) => cloud.run(cloud.session.ports.clock.sleep(6_000));

test("lookups of a run share one listing, and the next listing has objects that were created since", async () => {
  const cloud = await withVpcs("one", "two");
  const listed = () => requests(cloud, "get_vpc_list").length;
  const before = listed();
  const all = await Promise.all([
    find(cloud, "vpcs", {}),
    find(cloud, "vpcs", { name: "one" }),
    find(cloud, "vpc", { name: "two" }),
    find(cloud, "vpc", { name: "one", status: "active" }),
  ]);
  expect(listed() - before).toBe(1);
  expect((all[1].vpcs as Values[]).map(({ name }) => name)).toEqual(["one"]);
  expect(all[3]).toMatchObject({ name: "one", status: "active", networkName: "one-network" });
  await cloud.run(cloud.create("vpc", { name: "three" }));
  expect(await find(cloud, "vpc", { name: "three" })).toMatchObject({ name: "three" });
});

test("a lookup sends only reads, and its error says that nothing was changed", async () => {
  const cloud = await withVpcs("one");
  const before = cloud.emulator.log.entries().length;
  await find(cloud, "vpc", { name: "one" });
  const sent = cloud.emulator.log.entries().slice(before);
  expect(sent.map(({ operation }) => operation)).toEqual(["get_vpc_list", "get_vpc"]);
  cloud.emulator.faults.add({ target: "*", kind: "503" });
  await later(cloud);
  const failed = await failure(find(cloud, "vpcs", {}));
  expect(explain(failed).summary).toBe("Looking up the VPCs failed");
  expect(explain(failed).detail).toMatch(
    /^The API gave no clear response\.\nThe API reports: injected fault\. \(status 503, .*\nNothing was changed\.\nRun again\.$/,
  );
});
