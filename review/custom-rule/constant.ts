import { programText } from "../program/program.ts";

/**
 * Returns the programs of the child process as JavaScript, by the names of their files. The bundler runs this function
 * and replaces it with its result (tools/bundle.ts).
 */
export async function constants(): Promise<Readonly<Record<"api" | "runner" | "sandbox", string>>> {
  const text = (name: string): string =>
    programText(new URL(`./${name}.ts`, import.meta.url)).replaceAll('"./api.ts"', '"@kcloud/iac/review"');
  return { api: text("api"), runner: text("runner"), sandbox: text("sandbox") };
}
