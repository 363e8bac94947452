import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { secret, UNKNOWN, type Value } from "../../../provider/core/value.ts";
import { changeOf, planOf } from "../change-of.ts";
import { outputsOf, reportOf } from "../render/outputs.ts";
import { changeFrom, line, linesOf } from "../value-change.ts";

/** Differences inside of lists, documents and long texts. */

const policy = (...statements: object[]) => JSON.stringify({ Version: "1", Statement: statements }, null, 2);

const read = { Sid: "read", Effect: "Allow", Action: ["get", "list"], Resource: "bucket/*" };

const write = { Sid: "write", Effect: "Allow", Action: ["put"], Resource: "bucket/*" };

test("a JSON text shows added, changed and moved members by their paths", () => {
  expect(linesOf(policy(read), policy(read, write))).toEqual([
    "value (JSON):",
    `  + Statement[1]: {"Action":["put"],"Effect":"Allow","Resource":"bucket/*","Sid":"write"}`,
  ]);
  expect(linesOf(policy(read, write), policy(write, { ...read, Effect: "Deny" }))).toEqual([
    "value (JSON):",
    `  moved Statement[0] to Statement[1]: "read"`,
    `  ~ Statement[Sid="read"].Effect: "Allow" → "Deny"`,
  ]);
  const added = policy(read, { ...write, Action: ["*"] });
  const account = (statements: string) => ({ name: "shop", statements });
  const report = reportOf([planOf([changeOf("account-policy", account(policy(read)), account(added))])]);
  expect(outputsOf(report)["Markdown for github"]).toContain(
    `  - \`statements\` (JSON):\n    - \`+ Statement[1]: {"Action":["*"],"Effect":"Allow","Resource":"bucket/*","Sid":"write"}\``,
  );
});

test.each([
  [
    "two members of one name",
    `{"Effect":"Deny","Effect":"Allow","x":${"1".repeat(90)}}`,
    `{"Effect":"Allow","x":${"1".repeat(90)}}`,
  ],
  [
    "a number that a double does not represent",
    `{"id":9007199254740993,"x":"${"a".repeat(90)}"}`,
    `{"id":9007199254740992,"x":"${"b".repeat(90)}"}`,
  ],
  ["other blanks", `{"a":1,"x":"${"a".repeat(90)}"}`, `{"a": 1,"x":"${"a".repeat(90)}"}`],
])("a JSON text with %s is compared as a text", (_, before, after) => {
  const lines = linesOf(before, after);
  expect(lines[0]).toBe("value:");
  expect(lines.length).toBeGreaterThan(1);
});

test("a list is ordered, and shows moved members as moved", () => {
  expect(linesOf(["a", "b", "c"], ["c", "a", "b"])).toEqual(["value:", `  moved [2] to [0]: "c"`]);
  expect(linesOf(["a", "b"], ["a", "c"])).toEqual(["value:", `  ~ [1]: "b" → "c"`]);
  expect(linesOf(["a", "b", "c", "d"], ["b", "c", "e", "d", "f"])).toEqual([
    "value:",
    `  − [0]: "a"`,
    `  + [2]: "e"`,
    `  + [4]: "f"`,
  ]);
  expect(linesOf(["a"], ["b"])).toEqual([`value: ["a"] → ["b"]`]);
});

test("the order of a set has no meaning", () => {
  const template = { name: "web", vpcId: "vpc-1", securityGroups: ["one", "two", "three"] };
  const instance = (securityGroups: string[]) => ({
    ...template,
    instanceType: "c1.small",
    subnetId: "subnet-1",
    sshkeyName: "key",
    securityGroups,
    bootVolume: { imageKrn: "image-1", sizeGb: 10 },
  });
  const report = reportOf([
    planOf([changeOf("instance", instance(["one", "two", "three"]), instance(["three", "four", "one"]))]),
  ]);
  expect(report.changes[0]?.differences.find(({ name }) => name === "security_groups")?.inner?.parts).toEqual(
    [
      { effect: "removed", at: "", before: { kind: "value", text: '"two"' } },
      { effect: "added", at: "", after: { kind: "value", text: '"four"' } },
    ],
  );
});

test("objects in a list are matched by their key, or by their members, and show the changed member only", () => {
  const [web, db] = [
    { name: "web", port: 80, tags: { a: "1" } },
    { name: "db", port: 5432, tags: { a: "1" } },
  ];
  expect(linesOf([web, db], [{ ...db, port: 5433 }, web])).toEqual([
    "value:",
    `  ~ [name="db"].port: 5432 → 5433`,
    `  moved [0] to [1]: "web"`,
  ]);
  const [one, other] = [
    { from: 80, to: 80, range: "10.0.0.0/8" },
    { from: 443, to: 443, range: "10.0.0.0/8" },
  ];
  expect(linesOf([one, other], [one, { ...other, range: "0.0.0.0/0" }])).toEqual([
    "value:",
    `  ~ [1].range: "10.0.0.0/8" → "0.0.0.0/0"`,
  ]);
  expect(linesOf([{ a: { b: [1, UNKNOWN] } }], [{ a: { b: [1, 2] }, "c d": null }])).toEqual([
    "value:",
    `  ~ [0].a.b[1]: (known after apply) → 2`,
    `  + [0]["c d"]: (none)`,
  ]);
});

test("a decoded text shows no credential, and then the encoded one is not shown either", () => {
  const encoded = (password: string) =>
    Buffer.from(`#!/bin/sh\nexport PASSWORD=${password}\necho done\n`).toString("base64");
  const document = (password: string) =>
    Buffer.from(JSON.stringify({ user: "shop", password, note: "the same" })).toString("base64");
  for (const form of [encoded, document]) {
    const [before, after] = [form("quizzical-one"), form("zephyrous-two")];
    const outputs = outputsOf(reportOf([planOf([changeFrom(before, after)])]));
    for (const output of Object.values(outputs)) {
      expect(output).not.toMatch(/quizzi|zephyr/);
      for (const text of [before, after]) expect(output).not.toContain(text.slice(20, 60));
    }
  }
});

test("a copy of a sensitive value in a text that the report decodes is not shown", () => {
  const encoded = (secretText: string) => Buffer.from(`first\nuse ${secretText}\nlast`).toString("base64");
  const change = {
    ...changeFrom(encoded("quizzical-one"), encoded("zephyrous-two")),
    before: { value: encoded("quizzical-one"), pin: secret("quizzical-one") },
    after: { value: encoded("zephyrous-two"), pin: secret("zephyrous-two") },
  };
  for (const output of Object.values(outputsOf(reportOf([planOf([change])]))))
    expect(output).not.toMatch(/quizzi|zephyr/);
});

const leaf = fc.oneof(fc.constantFrom("a", "b", "c", 1, 2, true), fc.constant("a\u0301"), fc.constant("á"));

const member = fc.oneof(
  leaf,
  fc.record({ name: fc.constantFrom("one", "two", "three"), port: fc.nat(3) }),
  fc.record({ port: fc.nat(3), size: fc.nat(3) }),
  fc.array(leaf, { maxLength: 4 }),
);

const values = fc.oneof(
  fc.array(member, { maxLength: 8 }),
  fc.array(line, { minLength: 2, maxLength: 12 }).map((lines) => lines.join("\n")),
  fc
    .array(fc.string({ unit: fc.constantFrom(...'ab 😀{"') }), { maxLength: 60 })
    .map((words) => words.join(" ")),
  fc.array(member, { maxLength: 8 }).map((list) => JSON.stringify({ list, more: "m".repeat(100) })),
);

test("two different values never look the same, in any output", () => {
  fc.assert(
    fc.property(values, values, (before, after) => {
      fc.pre(JSON.stringify(before) !== JSON.stringify(after));
      const [difference] =
        reportOf([planOf([changeFrom(before as Value, after as Value)])]).changes[0]?.differences ?? [];
      if (difference === undefined) return;
      if (difference.inner === undefined) {
        expect(JSON.stringify(difference.before).normalize("NFKC")).not.toBe(
          JSON.stringify(difference.after).normalize("NFKC"),
        );
        return;
      }
      const changed = difference.inner.parts.filter(({ effect }) => effect !== "kept");
      expect(changed.length).toBeGreaterThan(0);
      for (const part of changed)
        if (part.effect === "changed")
          expect(JSON.stringify(part.before).normalize("NFKC")).not.toBe(
            JSON.stringify(part.after).normalize("NFKC"),
          );
    }),
    { numRuns: 2_000 },
  );
});

test("a JSON text that is nested very deeply, and lists of many alike objects, are compared", () => {
  const deep = (text: string) => "[".repeat(50_000) + JSON.stringify(text) + "]".repeat(50_000);
  expect(linesOf(deep("a"), deep("b"))[1]).toContain("character 50002");
  const list = (nth: number) =>
    Array.from({ length: 2_000 }, (_, at) => ({
      port: at % 7,
      range: `10.${nth}.0.${at % 5}`,
      note: `${nth}`,
    }));
  const start = process.cpuUsage();
  expect(linesOf(list(1), list(2)).at(-1)).toMatch(/more$/);
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(10);
});
