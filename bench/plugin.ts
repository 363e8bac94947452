import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeCertificate } from "../provider/grpc/certificate.ts";
import { compilePrograms } from "../tools/release/executable.ts";

/** Measured plugins, the executable of a release, and the environment variables that an engine sets for plugins. */

export const root = fileURLToPath(new URL("..", import.meta.url));
export const terraformPlugin = fileURLToPath(new URL("../dist/terraform-provider-kcloud", import.meta.url));
export const pulumiPlugin = fileURLToPath(new URL("../dist/pulumi-resource-kcloud", import.meta.url));

/** Compiles the executable of a release into a folder. Returns the paths under which it runs as each plugin. */
export async function compileExecutable(folder: string): Promise<{ terraform: string; pulumi: string }> {
  await compilePrograms(folder);
  return {
    terraform: join(folder, "terraform-provider-kcloud"),
    pulumi: join(folder, "pulumi-resource-kcloud"),
  };
}

/**
 * Returns the environment variables with which an engine of Terraform's protocol starts a plugin, with certificates on
 * both sides.
 */
export const handshakeEnvironment = (): Readonly<Record<string, string>> => ({
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
  PLUGIN_PROTOCOL_VERSIONS: "5,6",
  PLUGIN_MIN_PORT: "10000",
  PLUGIN_MAX_PORT: "25000",
  PLUGIN_CLIENT_CERT: makeCertificate(Date.now()).cert,
});
