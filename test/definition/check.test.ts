import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import * as z from "zod/mini";
import { className, snakeCase, terraformType } from "../../provider/core/name.ts";
import { nearest } from "../../provider/core/string.ts";
import { isSecret, reveal, secret, UNKNOWN, type Value, type Values } from "../../provider/core/value.ts";
import { attribute, inWordsOf, type Text, wording } from "../../provider/core/wording.ts";
import { check } from "../../provider/definition/check.ts";
import { computed, field, group } from "../../provider/definition/field.ts";
import { resourceShape } from "../../provider/terraform/codec/schema.ts";
import { encode } from "../../provider/terraform/codec/value.ts";
import type { Properties } from "../../tools/plugin/pulumi.ts";
import { openCloud, resource } from "../support/cloud.ts";
import { openProvider, texts } from "../support/engine/provider.ts";
import { idOf, problemsOf } from "../support/problem.ts";
import { withDriver } from "../support/pulumi/driver.ts";

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

describe("Every adapter rejects an invalid value at its attribute, before a request is sent", () => {
  const bootVolume = { imageKrn: idOf("image"), sizeGb: 10, volumeType: "ssd" };

  /** Invalid values, the rejected field and the problem reported for it. The other fields are omitted. */
  const invalidValues: readonly (readonly [noun: string, written: Values, field: string, problem: Text])[] = [
    ["vpc", { name: "" }, "name", "must not be empty"],
    ["subnet", { cidr: "10.0.0.0" }, "cidr", "must be a CIDR such as 10.0.0.0/16"],
    ["port", { subnetId: idOf("vpc") }, "subnetId", "is the ID of a VPC, but the ID of a subnet is required"],
    ["port-security-groups", { securityGroups: [] }, "securityGroups", "must name at least one group"],
    [
      "floating-ip",
      { portId: idOf("instance") },
      "portId",
      "is the ID of an instance, but the ID of a port is required",
    ],
    ["security-group", { name: "" }, "name", "must not be empty"],
    [
      "security-group-rule",
      { portRangeMin: 443, portRangeMax: 80 },
      "portRangeMin",
      wording`must not be above ${attribute("portRangeMax")}, 80`,
    ],
    [
      "ssh-key",
      { publicKey: "deploy" },
      "publicKey",
      "must be an OpenSSH public key such as ssh-ed25519 AAAA…",
    ],
    ["volume", { sizeGb: 0 }, "sizeGb", "must be at least 1"],
    [
      "instance",
      { bootVolume, volumeId: idOf("volume") },
      "volumeId",
      wording`conflicts with ${attribute("bootVolume")}: set only one of them`,
    ],
    [
      "volume-attachment",
      { instanceId: idOf("image") },
      "instanceId",
      "is the ID of an image, but the ID of an instance is required",
    ],
    [
      "image",
      { instanceId: idOf("volume") },
      "instanceId",
      "is the ID of a volume, but the ID of an instance is required",
    ],
    [
      "instance-template",
      { vpcId: idOf("subnet") },
      "vpcId",
      "is the ID of a subnet, but the ID of a VPC is required",
    ],
    ["instance-batch", { machineCount: 0 }, "machineCount", "must be at least 1"],
    ["ai-pod", { name: "my pod" }, "name", "must be 1 to 32 letters, digits, _ or -"],
    ["bucket", { name: "" }, "name", "must not be empty"],
    [
      "bucket-policy",
      { bucketId: idOf("vpc") },
      "bucketId",
      "is the ID of a VPC, but the ID of a bucket is required",
    ],
    ["lifecycle-rule", { expirationDays: 0 }, "expirationDays", "must be at least 1"],
    [
      "access-key",
      { recipientPublicKey: "ssh-rsa AAAA" },
      "recipientPublicKey",
      "must be an RSA public key of at least 2048 bits in PEM (-----BEGIN PUBLIC KEY-----)",
    ],
    ["account-policy", { statements: "allow" }, "statements", "must be JSON"],
    [
      "account-policy-attachment",
      { policyId: idOf("bucket") },
      "policyId",
      "is the ID of a bucket, but the ID of an account policy is required",
    ],
    ["object", { key: "logs/" }, "key", "must not end with /, as those of folders do"],
    ["inference-task", { ngpu: 0 }, "ngpu", "must be at least 1"],
    ["text-language", { query: "" }, "query", "must not be empty"],
    ["text-entities", { paramList: [] }, "paramList", "must have at least 1 entries"],
    ["text-summary", { summarySize: 0 }, "summarySize", "must be at least 1"],
    ["text-translation", { text: "" }, "text", "must not be empty"],
    [
      "text-sentiment",
      { langFrom: "engl" },
      "langFrom",
      `must be ${["eng", "hin", "ben", "mar", "tam", "tel", "kan", "mal", "pan", "guj"].map((code) => JSON.stringify(code)).join(" or ")}; did you mean "eng"?`,
    ],
    [
      "document-text",
      { contentBase64: "not base64" },
      "contentBase64",
      "must be base64 without spaces and line breaks, as of base64 -w0",
    ],
    ["document-information", { entities: [] }, "entities", "must have at least 1 entries"],
    ["document-summary", { wordCountForSummarization: 0 }, "wordCountForSummarization", "must be at least 1"],
  ];

  test.each(invalidValues)(
    "Terraform reports an invalid value at its attribute: %s",
    async (kind, written, field, problem) => {
      const cloud = openCloud();
      const provider = openProvider(cloud);
      await provider.configure();
      const config = encode(written, resourceShape(resource(kind)));
      const typeName = terraformType(kind);
      const { diagnostics } = await provider.one("validateResourceConfig", { typeName, config });
      const name = snakeCase(field);
      expect(texts(diagnostics)).toContain(
        `error: Invalid value for ${name}: ${name}: ${inWordsOf("terraform", problem)} (at ${name})`,
      );
      expect(cloud.emulator.log.entries()).toEqual([]);
    },
  );

  test("Pulumi reports each invalid value at its property", () =>
    withDriver(async (driver) => {
      await driver.configure();
      for (const [kind, written, property, problem] of invalidValues) {
        const reason = inWordsOf("pulumi", problem);
        const { failures } = await driver.check(className(kind), written as Properties);
        // The engine prints the value of a property that a failure names.
        const secret = resourceShape(resource(kind)).fields[property]?.secret === true;
        const failure = secret ? { property: "", reason: `${property}: ${reason}` } : { property, reason };
        expect([kind, failures]).toEqual([kind, expect.arrayContaining([failure])]);
      }
      expect(driver.emulator.log.entries()).toEqual([]);
    }));

  const openSsh = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAAcanary\n";
  const pem =
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAAcanary\n-----END PRIVATE KEY-----\n";

  /** Resource kinds, a private key in the field of a public key, and the expected problem. */
  const pasted = [
    ["ssh-key", { publicKey: openSsh }, "contains a private key: set the content of its .pub file instead"],
    [
      "access-key",
      { recipientPublicKey: pem },
      wording`${attribute("recipientPublicKey")}: contains a private key: set the public key instead`,
    ],
  ] as const;

  test.each(pasted)(
    "a private key in place of a public one is reported without its value and its path: %s",
    async (kind, key, said) => {
      const provider = openProvider(openCloud());
      const written = { name: "mine", ...key };
      const config = encode(written, resourceShape(resource(kind)));
      const { diagnostics } = await provider.one("validateResourceConfig", {
        typeName: terraformType(kind),
        config,
      });
      expect(texts(diagnostics)).toEqual([`error: Invalid configuration: ${inWordsOf("terraform", said)}`]);
      await withDriver(async (driver) => {
        await driver.configure();
        const { failures } = await driver.check(className(kind), written);
        expect(failures).toEqual([{ property: "", reason: inWordsOf("pulumi", said) }]);
      });
    },
  );
});
