import { expect, test } from "@jest/globals";
import { at } from "../client.ts";
import { bootVolume, emulatorWith, instance, rows } from "./sample.ts";

const base = [rows.vpc, rows.network, rows.subnet, { ...rows.port, instance }, rows.bootVolume];
const read = `GET /v1/highlvlvpc/instance?krn=${instance}`;

test.each([
  [{}, "ACTIVE"],
  [{ running: false }, "SHUTOFF"],
  [{ failure: "no host" }, "ERROR"],
])("the status of an instance follows from its row: %j", async (fields, status) => {
  const emulator = await emulatorWith([...base, { ...rows.instance, ...fields }]);
  const stored = emulator.snapshot().objects.find(({ krn }) => krn === instance);
  expect(stored).toMatchObject({ ...rows.instance, ...fields });
  const { body } = await emulator.call(read);
  expect(JSON.stringify(body)).toContain(`"${status}"`);
});

test("a boot volume has its size, and cannot be deleted while the instance exists", async () => {
  const emulator = await emulatorWith([...base, rows.instance]);
  expect(at(emulator.inventory.get(instance), "volume.size")).toBe(20);
  const { status } = await emulator.call(`DELETE /kbs/v1/volumes/${bootVolume}`, {
    headers: { "k-tenant-id": rows.vpc.krn },
  });
  expect(status).toBe(409);
});
