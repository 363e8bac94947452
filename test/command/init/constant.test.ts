import { expect, test } from "@jest/globals";
import { constants } from "../../../command/init/constant.ts";
import manifest from "../../../package.json" with { type: "json" };
import { packageFacts } from "../../../provider/pulumi/schema/package.ts";
import { files, text } from "../../repository/repository.ts";

const starts = Object.entries<Readonly<Record<string, string>>>(constants());

test("every file of examples/start and examples/review is part of a start, with the same content", () => {
  const contents = new Set(starts.flatMap(([, start]) => Object.values(start)));
  const examples = files.filter((file) => /^examples\/(start|review)\//.test(file));
  expect(examples.length).toBeGreaterThan(8);
  expect(examples.filter((file) => !contents.has(text(file)))).toEqual([]);
});

test("the first programs of the README are those that kcloud init writes", () => {
  const blocks = [...text("README.md").matchAll(/^```\w+\n(?:#|\/\/) ([\w.]+)\n([\s\S]*?)^```$/gm)];
  expect(blocks.map(([, name]) => name)).toEqual(["main.tf", "Pulumi.yaml", "index.mts", "main.mts"]);
  const { terraform, cdktf } = constants();
  const written: Readonly<Record<string, string>> = {
    ...terraform,
    ...constants()["pulumi-typescript"],
    ...cdktf,
  };
  for (const [, name = "", content] of blocks) expect(content).toBe(written[name]);
});

test("the programs with a generated SDK name the plugin of this version, and the module of its SDK", () => {
  const { language } = packageFacts(manifest.version, manifest);
  const starts = [constants()["pulumi-python"], constants()["pulumi-go"]];
  for (const start of starts)
    expect(start["Pulumi.yaml"]).toContain(`packages: { kcloud: kcloud@${manifest.version} }`);
  const [python, go] = starts;
  const { pulumi } = language.python.requires;
  expect(python?.["requirements.txt"]).toBe(`pulumi${pulumi}\nsdks/kcloud\n`);
  expect(python?.["__main__.py"]).toContain(`import ${language.python.packageName} as kcloud\n`);
  expect(go?.["go.mod"]).toContain(`replace ${language.go.modulePath} => ./sdks/kcloud\n`);
  expect(go?.["main.go"]).toContain(JSON.stringify(language.go.importBasePath));
});
