import { expect, test } from "@jest/globals";
import fc from "fast-check";
import * as z from "zod/mini";
import { nearest } from "../../provider/core/string.ts";
import { isSecret, reveal, secret, UNKNOWN, type Value, type Values } from "../../provider/core/value.ts";
import { check } from "../../provider/definition/check.ts";
import { computed, field, group } from "../../provider/definition/field.ts";
import { resource } from "../support/cloud.ts";
import { problemsOf } from "../support/problem.ts";

const vpcId = "krn:vpc:In-Bangalore-1:1:2:vpc:3";
const volume = { vpcId, name: "data", sizeGb: 20, volumeType: "HNSS" };
const network = { name: "net", primarySubnet: { name: "a", cidr: "10.0.0.0/24" } };

test("defaults are filled in at every depth, and null is omitted", () => {
  const { inputs, problems, warnings } = check(resource("vpc"), { ...network, description: null });
  expect([problems, warnings]).toEqual([[], []]);
  expect(reveal(inputs)).toEqual({
    name: "net",
    enabled: true,
    adminStateUp: true,
    ipVersion: 4,
    primarySubnet: { name: "a", cidr: "10.0.0.0/24", ingress: true, egress: true },
  });
});

test("an unlisted value is a warning with the most similar known one, never an error", () => {
  const warned = (volumeType: string) =>
    check(resource("volume"), { ...volume, volumeType }).warnings.map(({ problem }) => problem);
  expect(warned("HNS")).toEqual(['"HNS" is not a known value; did you mean HNSS?']);
  expect(warned("floppy")).toEqual([
    '"floppy" is not a known value; known values: standard, ssd, HNSS, HNSS_Encrypted',
  ]);
  expect(warned("ssd")).toEqual([]);
});

test("no warning quotes a value that is marked as secret, as a whole or inside a list", () => {
  const fields = { kinds: field(z.array(z.string()), "Kinds.", { known: ["PII", "NER"] }) };
  const warned = (kinds: Value) => check({ fields }, { kinds }).warnings;
  expect(warned(["PI"])).toHaveLength(1);
  expect(warned(secret(["canary"]))).toEqual([]);
  expect(warned(["PII", secret("canary")])).toEqual([]);
});

test("an unordered list must not repeat an entry; an ordered one may", () => {
  const fields = {
    set: field(z.array(z.string()), "Set.", { unordered: true }),
    list: field(z.array(z.string()), "List."),
  };
  const problems = (set: Value[], list: Value[] = []) => check({ fields }, { set, list }).problems;
  expect(problems(["a", "b", "a", "b"], ["a", "a"])).toEqual([
    { path: ["set"], problem: 'has "a" more than once: remove one of them' },
  ]);
  expect(problems(["a", UNKNOWN, "a"])).toEqual([]);
  const ranges = (...readOnlyIps: string[]) => problemsOf("bucket-policy", { bucketId: "b", readOnlyIps });
  expect(ranges("::/0", "::/0")).toEqual(['readOnlyIps has "::/0" more than once: remove one of them']);
  for (const [one, other] of [
    ["::/0", "0:0::/0"],
    ["10.0.0.0/16", "10.0.0.7/16"],
  ] as const)
    expect(ranges(one, other)).toEqual([
      `readOnlyIps has "${one}" and "${other}", which mean the same: remove one of them`,
    ]);
});

test("an unknown value is always valid and stays unknown", () => {
  const { inputs, problems } = check(resource("volume"), {
    vpcId: UNKNOWN,
    name: UNKNOWN,
    sizeGb: UNKNOWN,
    volumeType: "HNSS",
    metadata: { a: UNKNOWN },
    source: UNKNOWN,
  });
  expect(problems).toEqual([]);
  expect(inputs.vpcId).toBe(UNKNOWN);
  expect(inputs.source).toBe(UNKNOWN);
});

test("a secret value is checked and stays secret, and no text shows it", () => {
  const { inputs, problems, warnings } = check(resource("volume"), {
    ...volume,
    sizeGb: secret(0),
    volumeType: secret("hunter2"),
    description: secret("x"),
  });
  expect(problems).toEqual([{ path: ["sizeGb"], problem: "must be at least 1" }]);
  expect(warnings).toEqual([]);
  expect(isSecret(inputs.description)).toBe(true);
});

test("a group that is secret as a whole is checked and filled like any other", () => {
  const subnet = secret({ name: "a", cidr: "10.0.0.0/24" });
  const { inputs } = check(resource("vpc"), { name: "net", primarySubnet: subnet });
  expect(isSecret(inputs.primarySubnet)).toBe(true);
  expect(reveal(inputs.primarySubnet ?? null)).toEqual({
    name: "a",
    cidr: "10.0.0.0/24",
    ingress: true,
    egress: true,
  });
  const wrong = secret({ name: "a", cidr: "x" });
  expect(problemsOf("vpc", { name: "net", primarySubnet: wrong })).toEqual([
    "primarySubnet.cidr must be a CIDR such as 10.0.0.0/16",
  ]);
  const unknown = secret(UNKNOWN);
  expect(check(resource("vpc"), { name: "net", primarySubnet: unknown }).problems).toEqual([]);
});

test("a rule over several fields applies only if all of its values are known and valid", () => {
  const definition = {
    fields: {
      least: field(z.number(), "Least."),
      most: field(z.number(), "Most."),
      made: computed(z.string(), "Made."),
    },
    rules: [
      {
        needs: ["least", "most"],
        check: ({ least, most }: { least?: number; most?: number }) =>
          Number(least) > Number(most) ? { path: ["least"], problem: "must not be above most" } : undefined,
      },
    ],
  } as never;
  const problemsIn = (written: Values) => check(definition, written).problems.map(({ problem }) => problem);
  expect(problemsIn({ least: 2, most: 1 })).toEqual(["must not be above most"]);
  expect(problemsIn({ least: 1, most: 2 })).toEqual([]);
  expect(problemsIn({ least: 2, most: UNKNOWN })).toEqual([]);
  expect(problemsIn({ least: 2, most: "1" })).toEqual(["must be a number"]);
});

test("checking checked values changes nothing", () => {
  for (const [kind, written] of [
    ["vpc", network],
    ["volume", { ...volume, metadata: { b: "1", a: "2" } }],
    ["subnet", { vpcId, name: "a", cidr: "10.0.0.0/24" }],
  ] as const) {
    const { inputs } = check(resource(kind), written);
    expect(check(resource(kind), inputs)).toEqual({ inputs, problems: [], warnings: [] });
  }
});

test("any input gives a list of problems and never an exception", () => {
  const anything = fc.dictionary(
    fc.constantFrom("name", "vpcId", "sizeGb", "metadata", "qos", "source", "region", "__proto__", "x"),
    fc.jsonValue() as fc.Arbitrary<never>,
    { noNullPrototype: false },
  );
  fc.assert(
    fc.property(anything, (written) => {
      const { problems } = check(resource("volume"), written);
      return problems.every(({ problem, path }) => problem !== "" && path.length > 0);
    }),
  );
});

test("the most similar word is named only if it is similar enough", () => {
  expect(nearest("SSD", ["standard", "ssd"])).toBe("ssd");
  expect(nearest("standrad", ["standard", "ssd"])).toBe("standard");
  expect(nearest("x", ["standard", "ssd"])).toBeUndefined();
});

test("length limits of a list and of a text are reported in their own units", () => {
  const fields = {
    names: field(z.array(z.string()).check(z.minLength(1), z.maxLength(2)), "Names."),
    word: field(z.string().check(z.minLength(2), z.maxLength(3)), "Word."),
  };
  const problemsIn = (written: Values) => check({ fields }, written).problems.map(({ problem }) => problem);
  expect(problemsIn({ names: [], word: "a" })).toEqual([
    "must have at least 1 entries",
    "must have at least 2 characters",
  ]);
  expect(problemsIn({ names: ["a", "b", "c"], word: "abcd" })).toEqual([
    "must have at most 2 entries",
    "must have at most 3 characters",
  ]);
  expect(problemsIn({ names: "a", word: ["a"] })).toEqual(["must be a list", "must be a string"]);
});

test("no problem of a secret field quotes its value", () => {
  const fields = {
    key: field(z.string(), "Key.", { secret: true, known: ["a"] }),
    sub: group({ word: field(z.string(), "Word.", { known: ["abc"] }) }, "Sub."),
  };
  expect(check({ fields }, { key: "hunter2", sub: secret({ word: "hunter2" }) }).warnings).toEqual([]);
});
