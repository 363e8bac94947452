import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Generates `provider/terraform/tfplugin6/tfplugin6.ts` from `tfplugin6.proto`, with installed packages only and
 * without network access.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const protos = "provider/terraform/tfplugin6";

/** Options for wire functions and one service definition only: descriptors would add 45 ms to every start. */
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

/** Writes `tfplugin6.ts` into the folder `out`, a path relative to the repository or absolute. */
export function generate(out: string): void {
  const plugin = { local: "node_modules/.bin/protoc-gen-ts_proto", out, opt: options };
  const template = JSON.stringify({ version: "v2", plugins: [plugin] });
  execFileSync("node_modules/.bin/buf", ["generate", protos, "--template", template], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
}

if (import.meta.main) generate(protos);
