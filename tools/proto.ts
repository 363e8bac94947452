import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Makes `provider/terraform/tfplugin6/tfplugin6.ts` from `tfplugin6.proto`, with what is in node_modules and no network. */

const root = fileURLToPath(new URL("..", import.meta.url));
const protos = "provider/terraform/tfplugin6";

/** Wire functions and one table of methods: descriptors would cost every process of an engine 45 ms. */
const options = [
  "outputServices=generic-definitions",
  "outputJsonMethods=false",
  "outputPartialMethods=false",
  "outputTypeAnnotations=false",
  "enumsAsLiterals=true",
  "unrecognizedEnum=false",
  "removeEnumPrefix=true",
  "useOptionals=all",
  "noDefaultsForOptionals=true",
  "comments=false",
  "env=both",
  "importSuffix=.ts",
];

/** Writes `tfplugin6.ts` into the folder `out`, given from the root of the repository or absolute. */
export function generate(out: string): void {
  const plugin = { local: "node_modules/.bin/protoc-gen-ts_proto", out, opt: options };
  const template = JSON.stringify({ version: "v2", plugins: [plugin] });
  execFileSync("node_modules/.bin/buf", ["generate", protos, "--template", template], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
}

if (import.meta.main) generate(protos);
