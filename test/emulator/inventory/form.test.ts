import { expect, test } from "@jest/globals";
import { derivedUuid } from "../../../emulator/inventory/form.ts";
import { emulatorWith, rows, time, vpc } from "./sample.ts";

test("times default to that of the inventory, and updates to the create", async () => {
  const createdAt = "2025-01-01T00:00:00+05:30";
  const { inventory } = await emulatorWith([rows.vpc, { ...rows.network, createdAt }]);
  expect(inventory.list()).toEqual([
    expect.objectContaining({ createdAt: Date.parse(time), updatedAt: Date.parse(time) }),
    expect.objectContaining({ createdAt: Date.parse(createdAt), updatedAt: Date.parse(createdAt) }),
  ]);
});

test("an object that a wrong clock dated into the future exists from the start", async () => {
  const later = "2031-01-01T00:00:00Z";
  const { inventory } = await emulatorWith([{ ...rows.vpc, createdAt: later, updatedAt: later }]);
  expect(inventory.list()).toEqual([
    expect.objectContaining({ createdAt: Date.parse(time), updatedAt: Date.parse(time) }),
  ]);
});

test("a failure is that of the object's creation, and survives a snapshot", async () => {
  const emulator = await emulatorWith([{ ...rows.vpc, failure: "no router" }]);
  const { body } = await emulator.call(`GET /v1/highlvlvpc/get_vpc_list`);
  expect(JSON.stringify(body)).toContain("FAILED");
  expect(emulator.snapshot().objects).toEqual([expect.objectContaining({ failure: "no router" })]);
});

test("a derived UUID is the same for the same object and label", () => {
  expect(derivedUuid(vpc, "task")).toBe(derivedUuid(vpc, "task"));
  expect(derivedUuid(vpc, "task")).not.toBe(derivedUuid(vpc, "router"));
});
