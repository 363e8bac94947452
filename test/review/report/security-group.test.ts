import { expect, test } from "@jest/globals";
import { secret, UNKNOWN } from "../../../provider/core/value.ts";
import type { Change } from "../../../review/model/change.ts";
import type { Plan } from "../../../review/model/plan.ts";
import { renderHtml } from "../../../review/render/html.ts";
import { renderMarkdown } from "../../../review/render/markdown.ts";
import { renderText } from "../../../review/render/text.ts";
import { changeOf, planOf, unchanged } from "../change-of.ts";
import { reportOf } from "../render/outputs.ts";
import { at, kind, rule, web } from "./group-rule.ts";

/** Rules of a security group, compared as a whole. */

/** Returns the tables of the report: per group its rules, each as a line. */
const tables = (changes: readonly Change[], more: Partial<Plan> = {}) =>
  (reportOf([planOf(changes, more)]).securityGroups ?? []).map(({ group, isPartial = false, rules }) => ({
    group,
    isPartial,
    rules: rules.map(({ effect, direction, protocol, ports, range, addresses }) =>
      [effect, direction, protocol, ports, range, ...addresses].join(" "),
    ),
  }));

test("the rules of a group are compared by the traffic that they allow, not one by one", () => {
  const changes = [
    web,
    // Two rules swap their traffic: nothing changes for the group.
    changeOf(kind, rule(80, "10.0.0.0/8"), rule(443, "10.0.0.0/8"), at("one")),
    changeOf(kind, rule(443, "10.0.0.0/8"), rule(80, "10.0.0.0/8"), at("two")),
    changeOf(kind, rule(22, "10.0.0.0/8"), rule(22, "0.0.0.0/0"), at("ssh")),
    changeOf(kind, rule(5432, "10.1.0.0/16"), undefined, at("database")),
    unchanged(kind, rule(undefined, "0.0.0.0/0"), at("ping")),
  ];
  const expected = [
    {
      group: "kcloud_security_group.web",
      isPartial: false,
      rules: [
        "kept ingress icmp  0.0.0.0/0 rule.ping",
        "removed ingress tcp 22 10.0.0.0/8 rule.ssh",
        "added ingress tcp 22 0.0.0.0/0 rule.ssh",
        "kept ingress tcp 80 10.0.0.0/8 rule.two",
        "kept ingress tcp 443 10.0.0.0/8 rule.one",
        "removed ingress tcp 5432 10.1.0.0/16 rule.database",
      ],
    },
  ];
  expect(tables(changes)).toEqual(expected);
  expect(tables(changes.toReversed())).toEqual(expected);
});

test("two spellings of one range are one row", () => {
  const made = tables([
    changeOf(kind, rule(80, "2001:db8::/32"), undefined, at("old")),
    changeOf(kind, undefined, rule(80, "2001:0DB8:0::/32"), at("new")),
  ]);
  expect(made.map(({ rules }) => rules)).toEqual([["kept ingress tcp 80 2001:0DB8:0::/32 rule.new"]]);
});

test("a rule that moves to another group is removed from one and added to the other", () => {
  const made = tables([
    changeOf(
      kind,
      rule(80, "10.0.0.0/8"),
      rule(80, "10.0.0.0/8", { securityGroupId: "sg-other" }),
      at("moved"),
    ),
  ]);
  expect(made).toEqual([
    { group: "sg-other", isPartial: false, rules: ["added ingress tcp 80 10.0.0.0/8 rule.moved"] },
    { group: "sg-web-id", isPartial: false, rules: ["removed ingress tcp 80 10.0.0.0/8 rule.moved"] },
  ]);
});

test("sensitive and unknown values are not shown, and hide no change", () => {
  const hidden = rule(80, "10.0.0.0/8", { description: "for the web" });
  const made = tables([
    changeOf(
      kind,
      rule(22, "172.16.0.0/12"),
      rule(22, "172.16.0.0/12", { remoteIpPrefix: UNKNOWN }),
      at("later"),
    ),
    {
      ...changeOf(kind, hidden, rule(81, "10.0.0.0/8"), at("secret")),
      before: { ...hidden, remoteIpPrefix: secret("10.0.0.0/8") },
      after: { ...hidden, remoteIpPrefix: secret("192.168.77.0/24") },
    },
  ]);
  expect(made.flatMap(({ rules }) => rules)).toEqual([
    "removed    (sensitive) rule.secret",
    "added    (known after apply) rule.later",
    "added    (sensitive) rule.secret",
    "removed ingress tcp 22 172.16.0.0/12 rule.later",
  ]);
});

test("an imported rule whose content the API does not show is kept, with unknown content", () => {
  const { vpcId = null, securityGroupId = null } = rule(22, "10.0.0.0/8");
  const found = changeOf(kind, { vpcId, securityGroupId }, rule(22, "10.0.0.0/8"), {
    ...at("found"),
    ...{ action: "update", importedId: "rule-1", forcedBy: [] },
  });
  expect(tables([web, found]).flatMap(({ rules }) => rules)).toEqual([
    "kept    (not shown by the API) rule.found",
  ]);
});

test("a group with unchanged rules has no table, and an incomplete plan has a note", () => {
  expect(tables([web, unchanged(kind, rule(80, "10.0.0.0/8"), at("one"))])).toEqual([]);
  const changed = changeOf(kind, undefined, rule(80, "10.0.0.0/8"), at("one"));
  expect(tables([changed], { unlisted: 3 })).toMatchObject([{ isPartial: true }]);
});

test.each([
  ["0.0.0.0/0", "opens to the world"],
  ["::/0", "opens to the world"],
  ["0.0.0.0/1", "opens to the world"],
  ["128.0.0.0/1", "opens to 43 % of all public addresses"],
  ["16.0.0.0/4", "opens to 7 % of all public addresses"],
  ["10.0.0.0/8", undefined],
  ["240.0.0.0/4", undefined],
  ["8.8.8.8/32", undefined],
])("a new rule for %s is marked in every table if it opens the group: %s", (range, mark) => {
  const changes = [
    changeOf(kind, undefined, rule(443, range), at("new")),
    changeOf(kind, undefined, rule(80, range, { direction: "egress" }), at("out")),
    unchanged(kind, rule(22, range), at("old")),
  ];
  const report = reportOf([planOf(changes)]);
  const outputs = [
    [...renderText(report, { colour: false, symbols: "letter", width: 100 })].join(""),
    renderMarkdown(report, { budget: 60_000, symbols: "emoji" }),
    [...renderHtml(report)].join("").split("<script")[0] ?? "",
  ];
  for (const output of outputs)
    expect([...output.matchAll(/opens to [\w %]+?(?=\)|<)/g)].map(([text]) => text)).toEqual(
      mark === undefined ? [] : [mark],
    );
});
