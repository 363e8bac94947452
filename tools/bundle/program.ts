import type { BuildOptions } from "esbuild";

/** Programs of the package, with the options of their bundles, by their names in `dist/`. */
export const programs = {
  "terraform-provider-kcloud": { entryPoints: ["provider/terraform/main.ts"] },
  "pulumi-resource-kcloud": { entryPoints: ["provider/pulumi/plugin/main.ts"] },
  // Engines do not copy the command, so it loads the HTTP library, which only `kcloud doctor` uses, from its package.
  kcloud: { entryPoints: ["command/kcloud.ts"], external: ["undici"] },
} as const satisfies Readonly<Record<string, Readonly<BuildOptions>>>;

/** Files of the parts of programs that no engine copies, by the names of the programs. They start faster: V8 reads a shorter file. */
export const partFiles: Readonly<Record<string, string>> = { kcloud: "kcloud.part" };
