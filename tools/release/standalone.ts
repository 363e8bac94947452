import { basename } from "node:path";

/**
 * Program of the single executable of a release, which contains both plugins and the command. It runs the one whose
 * name it was started under, without the version that Terraform's registry puts behind it; under any other name, and
 * for `--version`, it is the command.
 */

const programs: Readonly<Record<string, () => Promise<unknown>>> = {
  "terraform-provider-kcloud": () => import("../../provider/terraform/main.ts"),
  "pulumi-resource-kcloud": () => import("../../provider/pulumi/plugin/main.ts"),
};

const name = basename(process.argv0)
  .replace(/\.exe$/i, "")
  .replace(/_v\d+\.\d+\.\d+(-[\w.-]+)?$/, "");

const isPlugin = Object.hasOwn(programs, name) && process.argv[2] !== "--version";
const run = isPlugin ? programs[name] : undefined;
await (run ?? (() => import("../../command/kcloud.ts")))();
