import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { blocksOf, type Installation, openInstallation } from "./page.ts";

/** Applies the first resource of each engine with only the commands of the README. */

const blocks = await blocksOf("README.md");
const section = (heading: string) => blocks.filter((block) => block.heading === heading);
const terraform = section("Terraform and OpenTofu");

/** Sections by the engine that the reader uses. */
const readers = {
  Terraform: terraform,
  OpenTofu: terraform.map(({ text, ...block }) => ({
    ...block,
    text: text.replaceAll(/\bterraform (?=init|apply)/g, "tofu ").replace("init terraform", "init opentofu"),
  })),
  Pulumi: section("Pulumi"),
  CDKTF: section("CDKTF"),
};

let installation: Installation;

beforeAll(async () => {
  installation = await openInstallation(["terraform", "opentofu", "pulumi"]);
});
afterAll(() => installation.remove());

test.each(Object.entries(readers))("%s creates the first resource with only the README", async (_, read) => {
  const begun = performance.now();
  const { folder } = await installation.run(read);
  const cloud = await readFile(join(folder, "cloud.json"), "utf8");
  for (const name of ["shop", "orders"]) expect(cloud).toContain(`"${name}`);
  expect(performance.now() - begun).toBeLessThan(120_000);
});
