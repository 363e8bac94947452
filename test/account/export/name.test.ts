import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { identifier, uniqueIdentifiers } from "../../../account/export/name.ts";
import { longName } from "../account.ts";

test.each([
  ["web", "web"],
  ["Sales Web-01", "sales_web_01"],
  ["Größe", "grosse"],
  ["Ωμέγα", "omega"],
  ["Щука", "shchuka"],
  ["東京", "volume"],
  ["2nd", "volume_2nd"],
  ["__x__", "x"],
  ["", "volume"],
  [longName, "grosse_omega_moskva_grosse_omega_moskva_grosse_omega_moskva"],
])("the name %j becomes %s", (name, expected) => {
  expect(identifier(name, "volume")).toBe(expected);
});

test("objects of one name get numbers, and a name that is an identifier keeps it", () => {
  expect(uniqueIdentifiers(["web", "web", "web_2", "Web", "東"], "volume")).toEqual([
    "web",
    "web_3",
    "web_2",
    "web_4",
    "volume",
  ]);
});

test("a name that the program has gets a number", () => {
  expect(uniqueIdentifiers(["web", "Web", "db"], "volume", ["web", "web_2"])).toEqual([
    "web_3",
    "web_4",
    "db",
  ]);
});

test("the identifiers of any names are valid and unique, and the same for the same names", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("a", "A", "a_2", "a 2"))),
      (names) => {
        const found = uniqueIdentifiers(names, "volume");
        expect(found.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
        expect(new Set(found).size).toBe(names.length);
        expect(uniqueIdentifiers(names, "volume")).toEqual(found);
      },
    ),
  );
});
