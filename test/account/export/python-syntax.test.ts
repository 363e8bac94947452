import { expect, test } from "@jest/globals";
import { type Code, objectCode, textCode } from "../../../account/export/code.ts";
import { inputType } from "../../../account/export/input-type.ts";
import { startOfLine } from "../../../account/export/layout.ts";
import {
  callText,
  python,
  pythonLiteral,
  pythonMember,
  pythonName,
  pythonText,
  valueText,
} from "../../../account/export/python-syntax.ts";

const list = (...texts: string[]): Code => ({ kind: "list", items: texts.map(textCode) });
const wide = `"${"x".repeat(40)}"`;

test.each([
  ["sizeGb", "size_gb"],
  ["name", "name"],
  ["from", "from_"],
])("the name of the property %s is %s", (property, expected) => {
  expect(pythonName(property)).toBe(expected);
});

test.each([
  ["Ssd", "SSD"],
  ["HolderFirst", "HOLDER_FIRST"],
  ["HNSSEncrypted", "HNSS_ENCRYPTED"],
  ["ServiceTranslateV1_0", "SERVICE_TRANSLATE_V1_0"],
])("the name of the member %s is %s", (name, expected) => {
  expect(pythonMember(name)).toBe(expected);
});

test("a value of an enumeration is its member, any other value is a literal", () => {
  const [size, type] = [inputType("vpc", "ipVersion"), inputType("volume", "volumeType")];
  expect([pythonLiteral(4, size), pythonLiteral(5, size)]).toEqual(["kcloud.IpVersion.V4", "5"]);
  expect([pythonLiteral("ssd", type), pythonLiteral("new", type)]).toEqual([
    "kcloud.VolumeType.SSD",
    '"new"',
  ]);
  expect([true, false, 1.5, "a"].map((value) => pythonLiteral(value, undefined))).toEqual([
    ...["True", "False", "1.5", '"a"'],
  ]);
});

test("a value that fits is on one line", () => {
  const value = objectCode([
    ["sizes", list("1", "2")],
    ["none", objectCode([])],
    ["text", { kind: "call", name: "json", argument: objectCode([["a b", textCode("1")]]) }],
  ]);
  expect(pythonText(value, startOfLine)).toBe('{"sizes": [1, 2], "none": {}, "text": json({"a b": 1})}');
});

test("a value that does not fit has a line for each part, in calls too", () => {
  const value = objectCode([
    ["names", list(wide, wide)],
    ["text", { kind: "call", name: "json", argument: list(wide, wide, "1") }],
  ]);
  expect(pythonText(value, startOfLine)).toBe(`{
    "names": [
        ${wide},
        ${wide},
    ],
    "text": json(
        [
            ${wide},
            ${wide},
            1,
        ],
    ),
}`);
});

test("a call has its arguments on one line, or a line each if they do not fit or one has a comment", () => {
  const one = [undefined, valueText(textCode('"a"'))] as const;
  const two = ["size", valueText(textCode("1"))] as const;
  expect(callText("f", [one, two], startOfLine)).toBe('f("a", size=1)');
  const lines = 'f(\n    "a",\n    size=1,\n)';
  expect(callText("f", [one, two], { ...startOfLine, before: 75 })).toBe(lines);
  expect(callText("f", [one, [...two, "Reason."]], startOfLine)).toBe(
    lines.replace("size", "# Reason.\n    size"),
  );
});

test("packages are imported as a whole and first, and names of a module each on a line if they do not fit", () => {
  const names = Array.from({ length: 20 }, (_, index) => `name${index + 10}`);
  const imports = new Map([
    ["vpc", new Set(["shop", "lab"])],
    ["pulumi_kcloud", new Set<string>()],
    ["bucket", new Set(names)],
    ["pulumi", new Set<string>()],
  ]);
  expect(python.importLines(imports)).toEqual([
    ...["import pulumi", "import pulumi_kcloud as kcloud", ""],
    ["from bucket import (", ...names.map((name) => `    ${name},`), ")"].join("\n"),
    "from vpc import lab, shop",
  ]);
});
