import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { approvalOf } from "../../../review/report/digest.ts";
import { outputsOf, reportOf } from "../render/outputs.ts";

/** Configurations of providers, and sensitive variables and data sources, in a plan of Terraform. */

interface Given {
  readonly endpoint?: string;
  readonly token?: string;
  readonly source?: string;
  readonly references?: readonly string[];
}

const canary = "canary-5f2a9c-secret";

/** Returns a plan whose provider gets its endpoint through a module, and whose output shows a sensitive variable. */
const planWith = ({
  endpoint = "https://one.example.org",
  token = canary,
  source = "registry.terraform.io/kcloud/kcloud",
  references = ["var.endpoint"],
}: Given): string =>
  JSON.stringify({
    ...{ format_version: "1.2", terraform_version: "1.16.0", complete: true, resource_changes: [] },
    variables: { endpoint: { value: endpoint }, token: { value: token } },
    output_changes: {
      shown: {
        ...{ actions: ["create"], before: null, after: `x-${token}`, after_unknown: false },
        ...{ before_sensitive: false, after_sensitive: false },
      },
    },
    prior_state: {
      values: {
        root_module: {
          resources: [
            {
              ...{
                address: "data.vault.a",
                mode: "data",
                type: "vault",
                values: { password: `data-${canary}` },
              },
              sensitive_values: { password: true },
            },
          ],
        },
      },
    },
    configuration: {
      provider_config: {
        "module.net:kcloud": {
          ...{ name: "kcloud", full_name: source, module_address: "module.net" },
          expressions: { base_url: { references }, api_key: { references: ["var.key"] } },
        },
      },
      root_module: {
        variables: { endpoint: {}, token: { sensitive: true } },
        module_calls: {
          net: {
            expressions: {
              endpoint: { references: ["var.endpoint"] },
              key: { references: ["var.token"] },
            },
            module: { variables: { endpoint: {}, key: { sensitive: true } } },
          },
        },
      },
    },
  });

const digestOf = (given: Given, key?: string): string =>
  approvalOf([readPlan("net", planWith(given))], key).digest;

test("the digest covers the variables of a provider's configuration, the sensitive ones with a key", () => {
  const first = digestOf({});
  expect(digestOf({})).toBe(first);
  expect(digestOf({ endpoint: "https://evil.example.org" })).not.toBe(first);
  expect(digestOf({ source: "registry.terraform.io/evil/kcloud" })).not.toBe(first);
  const changed = { token: "canary-other-secret" };
  expect(digestOf(changed, "key")).not.toBe(digestOf({}, "key"));
});

test("sensitive variables and attributes of data sources are redacted behind nonsensitive()", () => {
  const text = planWith({});
  const outputs = Object.values(outputsOf(reportOf([readPlan("net", text)]))).join("\n");
  expect(outputs).not.toContain("canary");
  expect(outputs).not.toContain("5f2a9c");
});

test("a configuration with references is not covered in full, and says so", () => {
  const { uncovered } = approvalOf([readPlan("net", planWith({}))], undefined);
  expect(uncovered).toEqual(["net: parts of the configuration of the provider module.net.kcloud"]);
});

test("a provider of this package's name from another source is found", () => {
  const of = (source?: string) =>
    reportOf([readPlan("net", planWith(source === undefined ? {} : { source }))])
      .findings.filter(({ rule }) => rule === "META-08")
      .map(({ severity, text }) => [severity, text]);
  expect(of()).toEqual([]);
  expect(of("registry.terraform.io/evil/kcloud")).toEqual([
    ["high", "net uses the provider registry.terraform.io/evil/kcloud."],
  ]);
});
