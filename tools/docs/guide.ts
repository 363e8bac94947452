import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatDuration } from "../../provider/core/duration.ts";
import { capital, terraformType, underscored } from "../../provider/core/name.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { withoutIds } from "./error.ts";
import { requiredExample } from "./example.ts";
import { blocks, code, frontMatter, type Page, section, table } from "./markdown.ts";

/** Writes the generated guides, whose facts come from definitions and tests. */

/** Returns the generated guides. */
export const guidePages = (resources: readonly Resource[]): Page[] => [errorGuide(), timeoutGuide(resources)];

/** Returns the guide of the errors that are common to all resources, from the texts that tests compare. */
function errorGuide(): Page {
  const golden = readFileSync(join(import.meta.dirname, "../../test/golden/explain.txt"), "utf8");
  const scenarios = [
    ...inWordsOf("terraform", golden).matchAll(/^# (.*)\n([\s\S]*?)(?=^# |\n*$(?![\s\S]))/gm),
  ];
  return {
    name: "guides/errors.md",
    text: `${blocks(
      frontMatter({
        title: "Errors",
        description: "Errors that are common to all resources, with their remedies.",
      }),
      "# Errors",
      "The texts of errors as Terraform and OpenTofu show them, for a VPC or a volume. A text says what failed, why, what exists now, and the next command. In Pulumi the names of attributes are in camel case, and the commands are those of Pulumi. `KRN` and `ID` stand for IDs.",
      ...scenarios.map(([, title = "", text = ""]) =>
        section(`## ${capital(title)}`, code("text", withoutIds(text))),
      ),
    )}\n`,
  };
}

/** Returns the guide of the timeouts, with the defaults of all resources. */
function timeoutGuide(resources: readonly Resource[]): Page {
  const operations = ["create", "read", "update", "delete"] as const;
  const rows = resources
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, timeouts }) => [
      `[\`${terraformType(name)}\`](../resources/${underscored(name)}.md)`,
      ...operations.map((operation) => formatDuration(timeouts[operation])),
    ]);
  return {
    name: "guides/timeouts.md",
    text: `${blocks(
      frontMatter({
        title: "Timeouts",
        description: "Default timeouts of all resources, and how to change them.",
      }),
      "# Timeouts",
      "Each operation on an object has a timeout for all its requests, retries and waits. A create whose timeout expires is an error, and the state contains the object: the next run resumes or replaces it. An interrupt ends the waits in the same way.",
      section(
        "## Terraform and OpenTofu",
        "The block `timeouts` of a resource, with durations such as `30s`, `10m` and `1h30m`:",
        code("hcl", requiredExample("volume/main.tf")),
      ),
      section(
        "## Pulumi",
        "The resource option `customTimeouts`. A read uses the default; the dynamic classes use all defaults.",
        code("ts", requiredExample("volume/index.ts")),
      ),
      section("## Defaults", table([["resource", ...operations], ...rows])),
    )}\n`,
  };
}
