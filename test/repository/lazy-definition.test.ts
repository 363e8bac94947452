import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { constants } from "../../provider/terraform/constant.ts";
import { bundle } from "../../tools/bundle.ts";
import { root } from "./repository.ts";

/** Tests definitions in a bundle, which are loaded when they are used. */

const run = promisify(execFile);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-definition-"));
});

afterEach(() => rm(folder, { recursive: true }));

/** Bundles a program of the repository in `checkout`, runs it and returns the lines of its output. */
async function linesOf(contents: string, checkout: string): Promise<string[]> {
  const program = join(folder, "program.cjs");
  const stdin = { contents, resolveDir: checkout, loader: "ts" } as const;
  await bundle({ absWorkingDir: checkout, stdin }, program);
  const { stdout } = await run(process.execPath, [program]);
  return stdout.trimEnd().split("\n");
}

test("plain data of a definition is read without loading its file, and everything else loads the file", async () => {
  await mkdir(join(folder, "resources"));
  const files = {
    "index.ts": `import { disk } from "./disk.ts"; export const resources = [disk];`,
    "disk.ts": `
      if (process.argv[1]?.endsWith("program.cjs")) console.log("loaded");
      class Schema { text = "schema"; }
      export const disk = {
        name: "disk", sizes: [1, { most: 2 }], none: undefined, fields: { size: new Schema() },
        verbs: { whole: true, twice: (text: string) => text + text },
      };`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, "resources", name), text);
  const program = `
    import { resources } from "./resources/index.ts";
    const [disk] = resources;
    console.log(JSON.stringify([disk.name, disk.sizes, Object.keys(disk), disk.verbs.whole]));
    console.log(disk.verbs.twice("a"));
    console.log(disk.fields.size.text, disk.fields === disk.fields);`;
  expect(await linesOf(program, folder)).toEqual([
    '["disk",[1,{"most":2}],["name","sizes","none","fields","verbs"],true]',
    "loaded",
    "aa",
    "schema true",
  ]);
});

const call = "{ signal: new AbortController().signal, connection: {} }";
const provider = `
  import { allDefinitions, createProvider } from "./provider/terraform/rpc/rpc.ts";
  import { realPorts } from "./provider/platform/real-ports.ts";
  const environment = { SERVICE_BASE_URL: "http://127.0.0.1:1", SERVICE_API_KEY: "key", SERVICE_REGION: "region" };
  const routes = createProvider({ ports: realPorts, environment, log: () => {} }, () => {});
  const call = ${call};`;

test("a plan of a volume uses no other definition", async () => {
  const program = `${provider}
    import { encode, providerShape, resourceShape } from "./provider/terraform/codec/codec.ts";
    import { ProviderDefinition } from "./provider/terraform/tfplugin6/tfplugin6.ts";
    const refuse = (definition: object, name: string) => {
      for (const [member, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(definition)))
        if (get !== undefined || typeof value === "function")
          Object.defineProperty(definition, member, { get: () => { throw new Error(name + " is used"); } });
        else if (typeof value === "object" && value !== null && member !== "resource") refuse(value, name);
    };
    for (const definition of Object.values(allDefinitions).flat())
      if (definition !== allDefinitions.resources.find(({ name }) => name === "volume")) refuse(definition, definition.name);
    const shape = resourceShape(allDefinitions.resources.find(({ name }) => name === "volume")!);
    const send = async (key: string, request: object) => {
      const { name, requestType, responseType } = ProviderDefinition.methods[key];
      for await (const part of routes["/tfplugin6.Provider/" + name].run(requestType.encode(request).finish(), call)) {
        const { diagnostics, plannedState } = responseType.decode(part.subarray(5));
        console.log(key, JSON.stringify(diagnostics), plannedState !== undefined);
      }
    };
    const typeName = "kcloud_volume";
    const config = encode({ vpcId: "net", name: "data", sizeGb: 1, volumeType: "ssd" }, shape);
    await send("validateProviderConfig", { config: encode({}, providerShape) });
    await send("configureProvider", { config: encode({}, providerShape) });
    await send("validateResourceConfig", { typeName, config });
    await send("planResourceChange", { typeName, config, proposedNewState: config, priorState: encode(null, shape) });`;
  expect(await linesOf(inAsync(program), root)).toEqual([
    "validateProviderConfig [] false",
    "configureProvider [] false",
    "validateResourceConfig [] false",
    "planResourceChange [] true",
  ]);
});

test("the schemas of a bundle are those of the definitions", async () => {
  const paths = Object.keys(await constants());
  const program = `${provider}
    for (const path of ${JSON.stringify(paths)})
      for await (const part of routes[path].run(new Uint8Array(), call)) console.log(path, part.toString("base64"));`;
  const expected = Object.entries(await constants()).map(([path, response]) => `${path} ${response}`);
  expect(await linesOf(inAsync(program), root)).toEqual(expected);
});

/** Moves everything but imports into an async function, as the bundle has no top-level await. */
function inAsync(program: string): string {
  const lines = program.split("\n");
  const isImport = (line: string) => line.trimStart().startsWith("import ");
  const rest = lines.filter((line) => !isImport(line)).join("\n");
  return `${lines.filter(isImport).join("\n")}\nvoid (async () => {${rest}})();`;
}
