import { expect, test } from "@jest/globals";
import { UNKNOWN, type Values } from "../../../provider/core/value.ts";
import type { Change } from "../../../review/model/change.ts";
import { uncomparedIn, withoutUncompared } from "../../../review/model/uncompared.ts";
import { renderMarkdown } from "../../../review/render/markdown.ts";
import { renderText } from "../../../review/render/text.ts";
import { changeOf, planOf } from "../change-of.ts";
import { reportOf } from "../render/outputs.ts";
import { kind, rule, web } from "../report/group-rule.ts";

const written = rule(22, "10.0.0.0/8");
const { vpcId, securityGroupId } = written as Values;
const imported = changeOf(kind, { vpcId: vpcId ?? null, securityGroupId: securityGroupId ?? null }, written, {
  action: "update",
  importedId: "rule-1",
  forcedBy: [],
});
const content = ["direction", "protocol", "portRangeMin", "portRangeMax", "remoteIpPrefix"];
const instance = { vpcId: "vpc-1", name: "web", instanceType: "c1.small" };
const inPlace: Partial<Change> = { action: "update", forcedBy: [] };

test("the values of an imported object that the API does not show are unknown, before and after", () => {
  expect(uncomparedIn(imported)).toEqual(content);
  const shown = withoutUncompared(imported);
  for (const side of [shown.before, shown.after])
    expect(content.map((name) => side?.[name])).toEqual(content.map(() => UNKNOWN));
  expect([shown.after?.vpcId, withoutUncompared(shown)]).toEqual([vpcId, shown]);
});

test.each<[string, Change, readonly string[]]>([
  ["after an import by a command", { ...imported, importedId: undefined }, content],
  ["an import whose values are not filled in", { ...imported, after: imported.before }, []],
  ["a new object", changeOf(kind, undefined, written), []],
  ["a replacement", changeOf(kind, written, rule(23, "10.0.0.0/8")), []],
  [
    "an optional value of an object that is imported",
    changeOf("instance", instance, { ...instance, userData: "x" }, { ...inPlace, importedId: "i" }),
    ["userData"],
  ],
  [
    "an optional value that the provider would replace the object for",
    changeOf("instance", instance, { ...instance, userData: "x" }, inPlace),
    ["userData"],
  ],
  [
    "a value that only the provider uses",
    changeOf("bucket", { name: "b" }, { name: "b", forceDestroy: true }, { ...inPlace, importedId: "b" }),
    [],
  ],
])("%s", (_, change, names) => {
  expect(uncomparedIn(change)).toEqual(names);
});

test("every report says that the values were not compared", () => {
  const report = reportOf([planOf([web, imported])]);
  const note = "not compared: the API does not show it";
  expect([...renderText(report, { colour: false, symbols: "letter", width: 120 })].join("")).toContain(
    `remote_ip_prefix: (none) → "10.0.0.0/8"  (${note})`,
  );
  expect(renderMarkdown(report, { budget: 60_000, symbols: "emoji" })).toContain(`**${note}**`);
  expect(
    report.changes.flatMap(({ differences }) => differences.map(({ isUncompared }) => isUncompared)),
  ).toEqual(content.map(() => true));
});
