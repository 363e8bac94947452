import { expect, test } from "@jest/globals";
import ts from "typescript";
import { functions, lookups } from "../../functions/index.ts";
import { settingFields } from "../../provider/config/config.ts";
import { CloudError, explain, InputError, OperationError } from "../../provider/core/error.ts";
import { snakeCase } from "../../provider/core/name.ts";
import { assignment, attribute, inWordsOf, wording } from "../../provider/core/wording.ts";
import type { Fields } from "../../provider/definition/field.ts";
import { packageSchema } from "../../provider/pulumi/schema/schema.ts";
import { errorText } from "../../provider/pulumi/text.ts";
import { describeProvider } from "../../provider/terraform/codec/provider-schema.ts";
import { allDefinitions } from "../../provider/terraform/rpc/rpc.ts";
import { resources } from "../../resources/index.ts";
import { nodes, ours, text } from "../repository/repository.ts";
import { openCloud } from "../support/cloud.ts";
import { openProvider } from "../support/engine/provider.ts";
import { withDriver } from "../support/pulumi/driver.ts";

/** Tests that texts name attributes and commands as the reader's engine spells them. */

const namesIn = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) => [
    name,
    ...(field.kind === "group" ? namesIn(field.fields) : []),
  ]);

/** Names that the engines spell differently. */
const names = [
  ...new Set(
    [settingFields, ...[...resources, ...lookups, ...functions].map(({ fields }) => fields)].flatMap(namesIn),
  ),
].filter((name) => name !== snakeCase(name));
const anyOf = (words: readonly string[]) => new RegExp(`(?<![\\w/.])(${words.join("|")})(?!\\w)`);
const camelCased = anyOf(names);
const snakeCased = anyOf(names.map(snakeCase));
const command =
  /\b(terraform|tofu|pulumi) (apply|destroy|import|plan|preview|state|up)\b|\b(?<!-)appl(y|ies|ied)\b/;

test("a name and a value are spelled for each engine", () => {
  const text = wording`Set ${assignment("sizeGb", 33)}; ${attribute("bootVolume.sizeGb")} is too small.`;
  expect(inWordsOf("terraform", text)).toBe("Set size_gb = 33; boot_volume.size_gb is too small.");
  expect(inWordsOf("pulumi", text)).toBe("Set sizeGb: 33; bootVolume.sizeGb is too small.");
});

test("the name of a VPC with private-use characters is complete in messages, state and plan", async () => {
  const name = "net \u{E000}one\u{E001}two\u{E002} \u{E003}";
  const cloud = openCloud();
  const provider = openProvider(cloud);
  expect(await provider.configure()).toEqual([]);
  const created = await provider.apply("vpc", { name });
  expect([created.values?.name, created.diagnostics]).toEqual([name, []]);
  const planned = await provider.plan("vpc", { name }, created);
  expect([planned.values?.name, planned.replaces, planned.diagnostics]).toEqual([name, [], []]);
  expect((await provider.apply("vpc", { name })).diagnostics).toEqual([
    expect.stringContaining(`Creating the VPC "${name}" failed: `),
  ]);
  await withDriver(async ({ configure, check, create, diff }) => {
    await configure();
    const type = "Vpc";
    const { inputs } = await check(type, { name });
    const { id, properties } = await create(type, inputs);
    expect(properties.name).toBe(name);
    expect((await diff(type, properties, inputs, id)).changes).toBe("DIFF_NONE");
    await expect(create(type, inputs)).rejects.toThrow(`Creating the VPC "${name}" failed\n`);
  });
});

test("an invalid input inside an operation has its path in the engine's spelling", () => {
  const cause = new InputError([
    { path: ["accountId"], problem: wording`is missing; ${attribute("apiKey")} is not enough` },
  ]);
  const existence = { is: "nothing created" } as const;
  const error = new OperationError(
    { doing: "creating it", step: "it failed", existence, remedies: ["run-again"] },
    cause,
  );
  expect(explain(error, "terraform").detail).toContain("\naccount_id: is missing; api_key is not enough.\n");
  expect(errorText(error)).toContain("\naccountId: is missing; apiKey is not enough.\n");
});

test("the error about an unreadable response names the setting as the engine spells it", () => {
  const said = wording`is ${attribute("baseUrl")} right?`;
  const error = new CloudError({ failure: "unreadable", route: "GET /x", reason: said });
  expect([explain(error, "terraform"), explain(error, "pulumi")].map(({ detail }) => detail)).toEqual([
    "Is base_url right? (GET /x)",
    "Is baseUrl right? (GET /x)",
  ]);
});

/** Returns the pieces of a template or the text of a literal, if it is a sentence. */
function sentences(node: ts.Node): string[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (!ts.isTemplateExpression(node)) return [];
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
}

/** Files whose texts have readers of one engine only, or contain both spellings. */
const exempt =
  /^provider\/(terraform|pulumi|dynamic|cdktf)\/|^provider\/core\/wording\.ts$|^provider\/core\/remedy\.ts$|^provider\/config\/profile\.ts$/;

test("no text of definitions and engine has the spelling or a command of one engine", () => {
  const wrong = ours
    .filter((file) => !exempt.test(file))
    .flatMap((file) =>
      nodes(file)
        .flatMap(sentences)
        .flatMap((text) => {
          const isSentence = / /.test(text) && !/^(GET|PUT|POST|DELETE) /.test(text);
          const found = isSentence && [camelCased, snakeCased, command].some((pattern) => pattern.test(text));
          return found ? [`${file}: ${text}`] : [];
        }),
    );
  expect(wrong).toEqual([]);
});

test("only adapters spell names", () => {
  const spelling = ours.filter((file) => !exempt.test(file) && /\bsnakeCase\(/.test(text(file)));
  expect(spelling).toEqual([]);
});

const texts = (value: unknown): string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        key === "description" && typeof inner === "string" ? [inner] : texts(inner),
      );

test("schema descriptions use the spelling of their engine", () => {
  // The description of the package names every engine.
  const { description: _, ...schema } = packageSchema("0.1.0");
  const pulumi = texts(schema);
  const terraform = texts(describeProvider(allDefinitions));
  expect([pulumi.length > 500, terraform.length > 500]).toEqual([true, true]);
  const other = /\b(terraform|opentofu|data source|ephemeral resource)s?\b|\[object/iu;
  expect(pulumi.filter((text) => snakeCased.test(text) || other.test(text))).toEqual([]);
  expect(terraform.filter((text) => camelCased.test(text) || text.includes("[object"))).toEqual([]);
});
