import { expect, test } from "@jest/globals";
import { className, snakeCase, terraformType } from "../../provider/core/name.ts";
import type { Values } from "../../provider/core/value.ts";
import { attribute, inWordsOf, type Text, wording } from "../../provider/core/wording.ts";
import { resourceShape } from "../../provider/terraform/codec/schema.ts";
import { encode } from "../../provider/terraform/codec/value.ts";
import type { Properties } from "../../tools/plugin/pulumi.ts";
import { openCloud, resource } from "../support/cloud.ts";
import { openProvider, texts } from "../support/engine/provider.ts";
import { idOf } from "../support/problem.ts";
import { withDriver } from "../support/pulumi/driver.ts";

/** Tests that every adapter rejects an invalid value at its attribute, before a request is sent. */

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
const pem = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAAcanary\n-----END PRIVATE KEY-----\n";

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
