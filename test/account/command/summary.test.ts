import { expect, test } from "@jest/globals";
import type { FormatName } from "../../../account/command/format.ts";
import { summaryOf } from "../../../account/command/summary.ts";
import type { Gap } from "../../../account/object.ts";

const summary = (
  gaps: readonly Gap[],
  folder = "project",
  format: FormatName = "terraform",
  leftOut = { managed: 0, young: 0 },
) =>
  summaryOf(
    {
      project: { region: undefined, blocks: [], parts: [] },
      ...{ gaps, leftOut, format, folder, files: ["main.tf"] },
    },
    (text) => text.replaceAll("secret-1", "***"),
  );

const gap = (scope: string, reason = "refused"): Gap => ({
  kind: "volume",
  scope,
  reason,
  isIncomplete: true,
});

test("an account without objects has a project with the provider only", () => {
  expect(summary([])).toBe(`0 objects in 1 file of project

Next:
  cd project
  terraform init    (or tofu init)
  terraform plan    (or tofu plan)
`);
});

test("texts of the API are on one line without secrets, and many gaps are counted", () => {
  const many = Array.from({ length: 25 }, (_, index) => gap(`vpc-${index}`, "said secret-1\n\u001b[31mred"));
  const lines = summary(many).split("\n");
  expect(lines[3]).toBe('  volume "vpc-0": said *** [31mred');
  expect(lines).toContain("  and 5 more");
});

test("the name of the folder is quoted for a shell where needed", () => {
  expect(summary([], "my project's")).toContain("  cd 'my project'\\''s'\n");
});

test("each format has its commands", () => {
  const next = (format: FormatName) => summary([], "project", format).split("Next:\n")[1];
  expect(next("pulumi-typescript")).toBe(`  cd project
  npm install
  pulumi stack init
  pulumi import --file import.json --generate-code=false --protect=false
  pulumi preview
`);
  expect(next("pulumi-python")).toBe(`  cd project
  kcloud install pulumi
  pulumi install    (with pulumi_kcloud-0.1.0-py3-none-any.whl of the release in this folder)
  pulumi stack init
  pulumi import --file import.json --generate-code=false --protect=false
  pulumi preview
`);
  expect(next("cdktf")).toBe(`  cd project
  npm install
  node main.ts
  terraform -chdir=cdktf.out/stacks/account init    (or tofu)
  terraform -chdir=cdktf.out/stacks/account plan    (or tofu)
`);
});

test("objects of the states and young objects are counted", () => {
  expect(summary([], "project", "terraform", { managed: 2, young: 1 })).toContain(`Left out:
  2 objects of the states, or made with them
  1 object created within settle_seconds
`);
});
