import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { Plugin } from "esbuild";
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
async function linesOf(contents: string, checkout: string, plugins: Plugin[] = []): Promise<string[]> {
  const program = join(folder, "program.cjs");
  const stdin = { contents, resolveDir: checkout, loader: "ts" } as const;
  await bundle({ absWorkingDir: checkout, stdin, plugins }, program);
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
const environment = JSON.stringify({
  SERVICE_BASE_URL: "http://127.0.0.1:1",
  SERVICE_API_KEY: "key",
  SERVICE_REGION: "region",
});
const provider = `
  import { allDefinitions, createProvider } from "./provider/terraform/rpc/rpc.ts";
  import { realPorts } from "./provider/platform/real-ports.ts";
  const surroundings = { ports: realPorts, environment: ${environment}, log: () => {} };
  const routes = createProvider(surroundings, () => {});
  const call = ${call};`;

/** Plugin of esbuild that makes each file of a definition print a line when it is loaded. */
const printedLoads: Plugin = {
  name: "printed loads",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](resources|functions)[\\/][\w-]+\.ts$/, namespace: "file" }, async ({ path }) => {
      if (basename(path) === "index.ts") return undefined;
      const code = await readFile(path, "utf8");
      return { contents: `console.log("loads ${basename(path)}");\n${code}`, loader: "ts" };
    });
  },
};

test("a plan of a volume loads no other definition", async () => {
  const program = `${provider}
    import { providerShape, resourceShape } from "./provider/terraform/codec/schema.ts";
    import { encode } from "./provider/terraform/codec/value.ts";
    import { ProviderDefinition } from "./provider/terraform/tfplugin6/tfplugin6.ts";
    const shapeOf = () => resourceShape(allDefinitions.resources.find(({ name }) => name === "volume")!);
    const send = async (key: string, request: object) => {
      const { name, requestType, responseType } = ProviderDefinition.methods[key];
      for await (const part of routes["/tfplugin6.Provider/" + name].run(requestType.encode(request).finish(), call)) {
        const { diagnostics, plannedState } = responseType.decode(part.subarray(5));
        console.log(key, JSON.stringify(diagnostics), plannedState !== undefined);
      }
    };
    await send("validateProviderConfig", { config: encode({}, providerShape) });
    await send("configureProvider", { config: encode({}, providerShape) });
    const typeName = "kcloud_volume";
    const config = encode({ vpcId: "net", name: "data", sizeGb: 1, volumeType: "ssd" }, shapeOf());
    await send("validateResourceConfig", { typeName, config });
    await send("planResourceChange", { typeName, config, proposedNewState: config, priorState: encode(null, shapeOf()) });`;
  expect(await linesOf(inAsync(program), root, [printedLoads])).toEqual([
    "validateProviderConfig [] false",
    "configureProvider [] false",
    "loads volume.ts",
    "validateResourceConfig [] false",
    "planResourceChange [] true",
  ]);
});

test("a check and a preview of a volume with Pulumi load no other definition", async () => {
  const program = `
    import proto from "@pulumi/pulumi/proto/provider_pb.js";
    import { createPlugin } from "./provider/pulumi/plugin/plugin.ts";
    import { realPorts } from "./provider/platform/real-ports.ts";
    import { toStruct, typeOf, urnOf } from "./tools/plugin/pulumi.ts";
    const { routes } = createPlugin(realPorts, ${environment}, true);
    const call = ${call};
    const [type, urn] = [typeOf("Volume"), urnOf("Volume")];
    const send = async (method, request) => {
      for await (const part of routes["/pulumirpc.ResourceProvider/" + method].run(request.serializeBinary(), call))
        console.log(method, part.length > 5);
    };
    const inputs = toStruct({ vpcId: "net", name: "data", sizeGb: 1, volumeType: "ssd" });
    await send("Configure", new proto.ConfigureRequest().setArgs(toStruct({})));
    await send("Check", new proto.CheckRequest().setUrn(urn).setType(type).setName("it").setNews(inputs));
    await send("Create", new proto.CreateRequest().setUrn(urn).setType(type).setProperties(inputs).setPreview(true));`;
  expect(await linesOf(inAsync(program), root, [printedLoads])).toEqual([
    "Configure true",
    "loads volume.ts",
    "Check true",
    "Create true",
  ]);
});

test("the schemas of a bundle are those of the definitions", async () => {
  const paths = Object.keys(await constants());
  const program = `${provider}
    for (const path of ${JSON.stringify(paths)})
      for await (const part of routes[path].run(new Uint8Array(), call)) console.log(path, JSON.stringify(part.toString("latin1")));`;
  const expected = Object.entries(await constants()).map(
    ([path, response]) => `${path} ${JSON.stringify(response)}`,
  );
  expect(await linesOf(inAsync(program), root)).toEqual(expected);
});

/** Moves everything but imports into an async function, as the bundle has no top-level await. */
function inAsync(program: string): string {
  const lines = program.split("\n");
  const isImport = (line: string) => line.trimStart().startsWith("import ");
  const rest = lines.filter((line) => !isImport(line)).join("\n");
  return `${lines.filter(isImport).join("\n")}\nvoid (async () => {${rest}})();`;
}
