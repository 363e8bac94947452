import { expect, test } from "@jest/globals";
import { isTerraformState, rowsOfState, sensitiveTexts } from "../../../review/read/terraform-state.ts";
import { recorded } from "../applied/fixture.ts";

const both = (scene: string) => [
  JSON.parse(recorded(scene, "state.json")),
  JSON.parse(recorded(scene, "raw.json")),
];

test.each(["terraform-done", "opentofu-failed", "terraform-tainted", "terraform-deposed"])(
  "a state file and the output of show -json have the same objects: %s",
  (scene) => {
    const [shown, file] = both(scene).map((json) =>
      rowsOfState(json)
        .map(({ address, type, source, deposed, isTainted }) => ({
          address,
          type,
          source,
          deposed,
          isTainted,
        }))
        .toSorted((a, b) => (a.address + a.deposed < b.address + b.deposed ? -1 : 1)),
    );
    expect(shown).toEqual(file);
    expect(file?.length).toBeGreaterThan(0);
    expect(both(scene).every(isTerraformState)).toBe(true);
  },
);

test("deposed and tainted objects are marked", () => {
  const [shown = {}] = both("terraform-deposed");
  expect(rowsOfState(shown).map(({ deposed }) => deposed)).toEqual([undefined, expect.any(String)]);
  const [tainted = {}] = both("terraform-tainted");
  expect(rowsOfState(tainted).map(({ address, isTainted }) => [address, isTainted])).toEqual([
    ["kcloud_volume.data", true],
    ["kcloud_vpc.net", false],
  ]);
});

test("instances and modules have their addresses in a state file", () => {
  const instance = (index_key?: unknown) => ({ index_key, attributes: {} });
  const file = {
    ...{ version: 4, terraform_version: "1.16.0" },
    resources: [
      {
        mode: "managed",
        type: "a_b",
        name: "c",
        module: 'module.m["x"]',
        instances: [instance("k"), instance(0)],
      },
      { mode: "data", type: "a_b", name: "d", instances: [instance()] },
    ],
  };
  expect(rowsOfState(file).map(({ address }) => address)).toEqual([
    'module.m["x"].a_b.c["k"]',
    'module.m["x"].a_b.c[0]',
  ]);
});

test("both forms have the sensitive values", () => {
  const secrets = both("terraform-deposed").map((json) =>
    rowsOfState(json).flatMap((row) => [...sensitiveTexts(row)]),
  );
  expect(secrets[0]).toHaveLength(2);
  expect(secrets[0]).toEqual(secrets[1]);
  expect(secrets.flat().every((text) => text.startsWith("emulator-secret-"))).toBe(true);
});
