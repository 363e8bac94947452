import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { inventoryMain } from "../../../account/command/inventory.ts";
import { createEmulator, type Emulator } from "../../../emulator/emulator.ts";
import { readInventory } from "../../../emulator/inventory/inventory.ts";
import { environment } from "../../adapter/lifecycle/lifecycle.ts";
import { runMain } from "../../review/command/run.ts";
import { make } from "../../support/large-account.ts";

let folder: string;
let emulator: Emulator;
let server: Awaited<ReturnType<Emulator["listen"]>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-inventory-"));
  emulator = createEmulator({ taskMs: 20 });
  server = await emulator.listen();
  const vpcId = { ref: "net", property: "id" };
  await make(
    [
      { name: "net", resource: "vpc", inputs: { name: "net" } },
      { name: "data", resource: "volume", inputs: { vpcId, name: "data", sizeGb: 1, volumeType: "ssd" } },
    ],
    server.url,
  );
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const inventory = (...args: string[]) => runMain(inventoryMain, args, environment(server.url));

test("the file has the objects of the account, only its owner can read it, and nothing was changed", async () => {
  const file = join(folder, "inventory.json");
  await writeFile(file, "older");
  const before = JSON.stringify(emulator.inventory.list());
  const { code, stdout, stderr } = await inventory("--out", file);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^3 objects in .*; \d+ facts that the API does not show/),
  ]);
  expect(stderr).toMatch(/^not read: SSH keys?: /m);
  const { objects, assumed } = readInventory(file);
  expect(assumed).toContainEqual(expect.stringMatching(/^that there is no other object: SSH key/));
  const expected = emulator.snapshot().objects.map(({ kind, krn, name }) => [kind, krn, name]);
  expect(objects.map(({ kind, krn, name }) => [kind, krn, name])).toEqual(expected.toSorted());
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(emulator.inventory.list())).toBe(before);
});

test("a listing that is refused is named, and the exit code says so", async () => {
  emulator.faults.add({ target: "list_volumes", kind: "403" });
  const file = join(folder, "part.json");
  const { code, stderr } = await inventory("--out", file);
  emulator.faults.clear();
  expect([code, stderr]).toEqual([4, expect.stringMatching(/^not read: volume.*403/m)]);
  expect(readInventory(file).objects.map(({ kind }) => kind)).toEqual(["network", "vpc"]);
});

test("a file that cannot be written, and a missing option, are errors, and no draft remains", async () => {
  const { code, stderr } = await inventory("--out", join(folder, "none/inventory.json"));
  expect([code, stderr]).toEqual([1, expect.stringContaining("cannot be written (ENOENT)")]);
  expect(await inventory()).toMatchObject({ code: 2, stderr: expect.stringContaining("--out is missing") });
  expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  expect(await readFile(join(folder, "part.json"), "utf8")).toMatch(/\n$/);
});
