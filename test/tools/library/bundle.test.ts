import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { clientOperations } from "../../../operation/operations.ts";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { buildLibrary, withoutSentences } from "../../../tools/library/bundle.ts";

/** Folder in the checkout, so that the bundle finds its dependencies. */
const folder = mkdtempSync(resolve("dist-client-"));

beforeAll(async () => {
  writeFileSync(join(folder, "package.json"), '{"type":"commonjs"}');
  await buildLibrary(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the bundle of the client has at most 150 kB, without its two dependencies", () => {
  const { size } = statSync(join(folder, "client.js"));
  console.log(`client.js: ${size} bytes`);
  expect(size).toBeLessThanOrEqual(150_000);
  const text = readFileSync(join(folder, "client.js"), "utf8");
  const required = [...text.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name);
  expect([...new Set(required)].filter((name) => !name?.startsWith("node:")).toSorted()).toEqual([
    "undici/lib/dispatcher/pool.js",
    "zod/mini",
  ]);
});

test("the bundle has no descriptions, and all operations with their errors", () => {
  const text = readFileSync(join(folder, "client.js"), "utf8");
  const descriptions = clientOperations().flatMap(({ operation }) => [
    operation.about,
    ...Object.values(operation.fields).map(({ about }) => inWordsOf("pulumi", about)),
  ]);
  expect(descriptions.filter((about) => text.includes(about))).toEqual([]);
  const program = `const { createClient, InputError } = require("./client.js");
    const client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey: "key", region: "In-Bangalore-1" });
    const names = Object.entries(client).flatMap(([area, all]) => Object.keys(all).map((name) => area + "." + name));
    const instance = { instanceName: "a", instanceType: "b", vpcId: "c", subnetId: "d", sshkeyName: "e", securityGroups: [] };
    client.instance.createInstance({ ...instance, volumeSize: 0, nme: 1 }).catch(({ message, constructor }) =>
      console.log(JSON.stringify({ names, message, same: constructor === InputError })));
    try { createClient({ baseUrl: "x" }); } catch ({ message }) { console.error(message); }`;
  writeFileSync(join(folder, "use.cjs"), program);
  const output = execFileSync(process.execPath, ["use.cjs"], { cwd: folder, env: {}, stdio: "pipe" });
  const { names, message, same } = JSON.parse(String(output));
  expect(names).toEqual(
    expect.arrayContaining(clientOperations().map(({ area, method }) => `${area}.${method}`)),
  );
  expect(same).toBe(true);
  expect(message).toBe("nme: is not a known attribute\nvolumeSize: must be at least 1");
});

test("the ES module exports the same objects as the CommonJS file", () => {
  const program = `import * as loaded from "./client.mjs"; import { createRequire } from "node:module";
    const required = createRequire(import.meta.url)("./client.js");
    console.log(JSON.stringify(Object.keys(required).toSorted().map((name) => [name, required[name] === loaded[name]])));`;
  writeFileSync(join(folder, "use.mjs"), program);
  const output = execFileSync(process.execPath, ["use.mjs"], { cwd: folder, env: {} });
  const exported = JSON.parse(String(output)) as [string, boolean][];
  expect(exported.map(([name]) => name)).toContain("createClient");
  expect(exported.filter(([, isSame]) => !isSame)).toEqual([]);
});

test("only sentences are left out, and the properties of help", () => {
  const source = `operation(route, { section, about: "Returns a volume.", parameters: { id: word("ID of it.", { secret: true }) },
    rules: [{ error: "must be one" }], problem: wording\`set \${x} now.\`, other: wording\`Set \${x} now.\` });`;
  expect(withoutSentences("operation/area/a.ts", source).replaceAll(/\s+/g, " ")).toBe(
    'operation(route, { parameters: { id: word("", { secret: true }) }, rules: [{ error: "must be one" }], problem: wording`set ${x} now.`, other: "" });',
  );
});
