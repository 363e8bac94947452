import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pulumiRepository } from "../../../tools/release/pulumi-repository.ts";
import { type Installation, openInstallation } from "./page.ts";

/** Runs the commands and the program in YAML of the pages for Pulumi's registry; `init.test.ts` runs the programs of all languages. */

const repository = pulumiRepository();
const blocks = (page: string) =>
  [...(repository.get(`docs/${page}`) ?? "").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", text = ""]) => ({ heading: "", language, text, file: undefined }),
  );

let installation: Installation;

beforeAll(async () => {
  installation = await openInstallation(["pulumi-yaml"]);
});
afterAll(() => installation.remove());

const sh = (...lines: readonly string[]) => ({
  heading: "",
  language: "sh",
  text: `${lines.join("\n")}\n`,
  file: undefined,
});

test("the program is applied with the installed plugin, and the stack has the settings of the page", async () => {
  const program = blocks("_index.md").find(({ language }) => language === "yaml");
  const [, configure, variables] = blocks("installation-configuration.md");
  if (program === undefined || configure === undefined || variables === undefined)
    throw new TypeError("a block is missing");
  const { output } = await installation.run([
    { ...program, file: "Pulumi.yaml" },
    sh(
      "npm install @kcloud/iac",
      "npx kcloud install pulumi",
      "export PULUMI_CONFIG_PASSPHRASE=demo",
      "pulumi login file://.",
      "pulumi stack init dev",
      "npx kcloud emulator --state cloud.json -- pulumi up --yes",
      "npx kcloud emulator --state cloud.json -- pulumi preview --expect-no-changes",
    ),
    configure,
    variables,
    sh('test "$SERVICE_API_KEY" = KEY', "pulumi config"),
  ]);
  expect(output).toMatch(/^kcloud:baseUrl +https:\/\/cloud\.example$/m);
  expect(output).toMatch(/^kcloud:apiKey +\[secret\]$/m);
});
