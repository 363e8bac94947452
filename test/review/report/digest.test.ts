import { expect, test } from "@jest/globals";
import type { Change } from "../../../review/model/change.ts";
import type { Invocation } from "../../../review/model/plan.ts";
import { approvalOf } from "../../../review/report/digest.ts";
import { changeOf, planOf } from "../change-of.ts";
import { outputsOf, reportOf } from "../render/outputs.ts";

/** Effects that differ have different digests, or are named as not covered. */

const digestOf = (change: Change): string => approvalOf([planOf([change])], undefined).digest;

const bucket = { name: "site", forceDestroy: false };

const vpc = { name: "net" };

test.each<readonly [string, Change, Change]>([
  [
    "the flags of a deleted object",
    changeOf("bucket", bucket, undefined),
    changeOf("bucket", { ...bucket, forceDestroy: true }, undefined),
  ],
  [
    "the provider configuration of an object",
    changeOf("vpc", undefined, vpc, { provider: "kcloud" }),
    changeOf("vpc", undefined, vpc, { provider: "kcloud.prod" }),
  ],
  [
    "a path with a dot",
    changeOf("volume", { metadata: {} }, { metadata: { "a.b": "c" } }),
    changeOf("volume", { metadata: {} }, { metadata: { a: "c" } }),
  ],
])("the digest covers %s", (_, one, other) => {
  expect(digestOf(one)).not.toBe(digestOf(other));
});

test("a computed value of a deleted object is not in the digest: the API may change it at any time", () => {
  const deleted = (url: string) => changeOf("bucket", { ...bucket, url }, undefined);
  expect(digestOf(deleted("https://a"))).toBe(digestOf(deleted("https://b")));
});

test("the report shows commands and the settings of providers, which the digest covers", () => {
  const outputs = (command: string, endpoint: string) => {
    const invocation: Invocation = {
      ...{ kind: "command", address: "terraform_data.a", type: "provisioner local-exec" },
      values: { expressions: { command: { constant_value: command } } },
    };
    const providers = [
      { name: "kcloud", source: "registry.terraform.io/kcloud/kcloud", values: { settings: { endpoint } } },
    ];
    return outputsOf(reportOf([planOf([], { invocations: [invocation], providers })]));
  };
  const shown = outputs("echo first", "https://one.example.org");
  for (const format of ["text", "html", "json", "Markdown for github"]) {
    const text = shown[format]?.replaceAll(/\s+/g, " ");
    expect([format, text]).toEqual([format, expect.stringContaining("echo first")]);
    expect([format, text]).toEqual([format, expect.stringContaining("one.example.org")]);
  }
});
