import { expect, test } from "@jest/globals";
import { build } from "esbuild";
import { unusedSchemas, withPureConstants } from "../../../tools/bundle/unused-schema.ts";

test("a bundle of the tool server's library has no schema of the messages of a sign-in", async () => {
  const bundled = async (plugins: (typeof unusedSchemas)[]) => {
    const { outputFiles } = await build({
      stdin: {
        contents: 'export { Server } from "@modelcontextprotocol/server";',
        resolveDir: process.cwd(),
      },
      ...{ bundle: true, platform: "node", format: "esm", minify: true, write: false, logLevel: "error" },
      plugins,
    });
    return outputFiles[0]?.text ?? "";
  };
  const [whole, used] = [await bundled([]), await bundled([unusedSchemas])];
  expect([whole, used].map((text) => text.includes("registration_endpoint"))).toEqual([true, false]);
  expect(used.length).toBeLessThan(whole.length - 25_000);
});

test("only a constant whose value is a call is changed, and has the same value", () => {
  const source = [
    "const one = Math.max(1, 2).toString();",
    "const two = { a: Math.max(3, 4) }, three = String(one);",
    "for (const key of [one]) register(key, two);",
    "export { two };",
  ];
  expect(withPureConstants(source.join("\n")).split("\n")).toEqual([
    "const one = /* @__PURE__ */ (() => Math.max(1, 2).toString())();",
    "const two = { a: Math.max(3, 4) }, three = /* @__PURE__ */ (() => String(one))();",
    "",
    "export { two };",
  ]);
});
