import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { createDraw, type Draw } from "../../simulation/draw.ts";
import { canary } from "../change.ts";
import { outputsOf, reportOf } from "../render/outputs.ts";

/** Sensitive values in real plans, on which no output may depend. */

const plans = ["terraform-1.16.0.json", "opentofu-1.12.6.json", "pulumi.json", "dynamic/events.jsonl"].map(
  (name) => ({ name, text: readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8") }),
);

/** Names that the plans show, and words of the report. */
const words = [
  "Volume",
  "orders",
  "machine",
  "critical",
  "deleted",
  "replaced",
  "snapshot",
  "Security",
  "instance",
];

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.!";

const random = (draw: Draw): string =>
  Array.from({ length: draw.int(6, 45) }, () => draw.pick([...letters])).join("");

const ofWords = (draw: Draw): string =>
  Array.from({ length: draw.int(1, 4) }, () => draw.pick(words)).join(" ");

/** Encodings in which a text can contain a copy of a secret. */
const copies: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => `token ${secret} end`,
  base64: (secret) => Buffer.from(secret).toString("base64"),
  URL: (secret) => `https://host.example/?q=${encodeURIComponent(secret)}`,
  hexadecimal: (secret) => Buffer.from(secret).toString("hex"),
  JSON: (secret) => JSON.stringify({ inner: JSON.stringify({ secret }) }),
};

/** Returns a plan in which the user data of an instance is the secret, and a label of a volume holds a copy of it. */
const planWith = (text: string, secret: string, copy: string): string => {
  const quoted = (value: string) => JSON.stringify(value).slice(1, -1);
  return text
    .replaceAll(quoted(`#!/bin/sh\necho ${canary} again\n`), () => quoted(`${secret}${secret}`))
    .replaceAll(quoted(`#!/bin/sh\necho ${canary}\n`), () => quoted(secret))
    .replaceAll('"cold"', () => JSON.stringify(copy));
};

/** Returns the outputs without the digest of the whole input. */
const withoutDigest = (outputs: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(outputs).map(([format, text]) => [
      format,
      text.replaceAll(/"digest": "[0-9a-f]{64}"/g, ""),
    ]),
  );

test.each(plans)("no output of $name depends on a sensitive value", ({ text }) => {
  const draw = createDraw("secrets");
  const shown = (secret: string) =>
    withoutDigest(outputsOf(reportOf([readPlan("shop", planWith(text, secret, "cold"))])));
  const first = shown(random(draw));
  for (let nth = 0; nth < 10; nth++) expect(shown(random(draw))).toEqual(first);
});

test.each(plans.slice(0, 2).flatMap((plan) => Object.keys(copies).map((form) => ({ ...plan, form }))))(
  "a $form copy of a sensitive value in $name shows no six characters of it",
  ({ text, form }) => {
    const draw = createDraw(form);
    for (let nth = 0; nth < 10; nth++) {
      const secret = random(draw);
      const copy = copies[form]?.(secret) ?? "";
      const base = Object.values(
        outputsOf(reportOf([readPlan("shop", planWith(text, "another value", "cold"))])),
      ).join();
      for (const output of Object.values(
        outputsOf(reportOf([readPlan("shop", planWith(text, secret, copy))])),
      ))
        for (let at = 0; at + 6 <= secret.length; at++) {
          const part = secret.slice(at, at + 6);
          expect(output.includes(part) && !base.includes(part) ? part : "").toBe("");
        }
    }
  },
);

test.each(plans)(
  "a sensitive value that consists of words of the report removes no word from the findings of $name",
  ({ text }) => {
    const draw = createDraw("words");
    const titles = (secret: string) =>
      reportOf([readPlan("shop", planWith(text, secret, "cold"))]).findings.map(({ rule, title, remedy }) => [
        rule,
        title,
        remedy,
      ]);
    const first = titles("0123456789");
    for (let nth = 0; nth < 10; nth++) expect(titles(ofWords(draw))).toEqual(first);
  },
);

/** Returns a plan of another provider whose one object changes from one of these values to the other. */
const foreign = (before: object, after: object, masks: object, message: string): string =>
  JSON.stringify({
    format_version: "1.2",
    planned_values: {},
    resource_changes: [
      {
        address: "db_user.shop",
        mode: "managed",
        type: "db_user",
        change: {
          actions: ["update"],
          before,
          after,
          before_sensitive: masks,
          after_sensitive: masks,
          after_unknown: {},
        },
      },
    ],
    checks: [
      {
        address: { to_display: "check.login" },
        instances: [{ status: "fail", problems: [{ message }] }],
      },
    ],
  });

test.each([
  ["a number", { pin: 73519284, note: "old" }, { pin: 73519285, note: "its pin is 73519285" }, { pin: true }],
  ["a short text", { pin: "zq7x" }, { pin: "zq8x" }, { pin: true }],
  [
    "an item of a list",
    { pins: ["a", "quizzical1"] },
    { pins: ["a", "quizzical2"] },
    { pins: [false, true] },
  ],
  ["an attribute of that name", { admin_password: "quizzical1" }, { admin_password: "quizzical2" }, {}],
  ["an attribute of that name", { api_token: "quizzical1" }, { api_token: "quizzical2" }, {}],
])("neither a value nor a message shows %s that is sensitive", (_, before, after, masks) => {
  const report = reportOf([
    readPlan("shop", foreign(before, after, masks, "73519285, zq8x and quizzical2 were refused")),
  ]);
  const secret = /73519285|zq8x|quizzical2/.exec(JSON.stringify(after))?.[0] ?? "";
  for (const output of Object.values(outputsOf(report))) expect(output).not.toContain(secret);
  expect(report.changes[0]?.differences.length).toBeGreaterThan(0);
});

test.each(Object.keys(copies))("no part of a plan shows a %s copy of a sensitive value", (form) => {
  const secret = "quizzical-1";
  const copy = copies[form]?.(secret) ?? "";
  const json = JSON.parse(foreign({ pin: "a" }, { pin: secret, note: copy }, { pin: true }, copy));
  const [row] = json.resource_changes;
  const other = {
    ...row,
    address: `db_user.${copy}`,
    type: copy,
    previous_address: `a.${copy}`,
    module_address: `module.${copy}`,
    deposed: copy,
    change: { ...row.change, importing: { id: copy } },
  };
  const text = JSON.stringify({
    ...json,
    resource_changes: [row, other, { ...other, change: { ...row.change, actions: [copy] } }],
    output_changes: { [copy]: { actions: ["create"], after: { [copy]: [copy] } } },
    action_invocations: [{ address: copy, type: copy }],
    terraform_version: copy,
    timestamp: copy,
    [copy]: 1,
  });
  const part = new RegExp(
    Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6)).join("|"),
  );
  const digits = Buffer.from(secret).toString("hex").slice(2, 14);
  for (const output of Object.values(outputsOf(reportOf([readPlan("shop", text)])))) {
    expect(output).not.toMatch(part);
    expect(output.toLowerCase()).not.toContain(digits);
  }
});

test.each([
  ["password=Tr0ub4dor&3xyz", "***"],
  ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "***"],
  ["postgres://shop:opensesame@db.example/shop", "***db.example/shop"],
  ["q7Zr2LxP9sVb4NdT6wYk8HmC3fJg5QaE", "***"],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAtV8\n-----END RSA PRIVATE KEY-----", "***"],
])("a message of the engine does not show the credential %j", (credential, shown) => {
  const report = reportOf([
    readPlan("shop", foreign({ a: "1" }, { a: "2" }, {}, `It got ${credential} from the program.`)),
  ]);
  expect(report.plans[0]?.messages[0]?.text).toBe(`check.login: It got ${shown} from the program.`);
});

test("findings about a rule of a security group do not show its range or ports if they are sensitive", () => {
  const json = JSON.parse(plans[0]?.text ?? "");
  const { change } = json.resource_changes.find(
    ({ address }: { address: string }) => address === "kcloud_security_group_rule.ssh",
  );
  change.before.remote_ip_prefix = "203.0.113.64/27";
  change.after.remote_ip_prefix = "128.0.0.0/1";
  change.before_sensitive = change.after_sensitive = { remote_ip_prefix: true };
  const report = reportOf([readPlan("shop", JSON.stringify(json))]);
  for (const output of Object.values(outputsOf(report)))
    expect(output).not.toMatch(/203\.0\.113|128\.0\.0\.0\/1/);
  const hidden = report.findings.filter(({ text }) => text.includes("its values are sensitive"));
  expect(hidden.map(({ rule }) => rule).toSorted()).toEqual(["NET-01", "NET-03"]);
});

test.each([
  ["before", { pin: "quizzical-1" }, { pin: "quizzical-2" }, { pin: true }, {}],
  ["after", { pin: "quizzical-1" }, { pin: "quizzical-2" }, {}, { pin: true }],
  [
    "in a list that grows",
    { pin: ["quizzical-1"] },
    { pin: ["new", "quizzical-2"] },
    {},
    { pin: [false, true] },
  ],
  ["in a map", { pin: { a: "quizzical-1" } }, { pin: { a: "quizzical-2" } }, { pin: { a: true } }, {}],
])("a value that is sensitive %s hides both sides, and copies of them", (_, before, after, hidden, shown) => {
  const json = JSON.parse(foreign(before, after, {}, ""));
  const [{ change }] = json.resource_changes;
  Object.assign(change, { before_sensitive: hidden, after_sensitive: shown });
  change.after.note = "copy of quizzical-1";
  const report = reportOf([readPlan("shop", JSON.stringify(json))]);
  for (const output of Object.values(outputsOf(report))) expect(output).not.toMatch(/quizzical/);
});

test.each(Object.keys(copies))(
  "no difference inside of a value shows a %s copy of a sensitive value",
  (form) => {
    const draw = createDraw(`inner ${form}`);
    const inside: readonly ((copy: string) => unknown)[] = [
      (copy) => `#!/bin/sh\necho start\nuse '${copy}'\necho end`,
      (copy) =>
        JSON.stringify({ list: [{ name: "one", value: copy }, { name: copy }], more: "m".repeat(90) }),
      (copy) => Buffer.from(`first line\n${copy}\nlast line`).toString("base64"),
      (copy) => `${"word ".repeat(50)}${copy} ${"word ".repeat(50)}`,
      (copy) => ["a", copy, { key: "k", value: [copy] }],
    ];
    for (const value of inside) {
      const [one, other] = [random(draw), random(draw)];
      const [before, after] = [one, other].map((secret) => value(copies[form]?.(secret) ?? ""));
      const text = foreign({ pin: one, note: before }, { pin: other, note: after }, { pin: true }, "");
      for (const output of Object.values(outputsOf(reportOf([readPlan("shop", text)]))))
        for (const secret of [one, other])
          for (let at = 0; at + 6 <= secret.length; at++)
            expect(output).not.toContain(secret.slice(at, at + 6));
    }
  },
);
