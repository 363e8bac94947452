import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { terraformSource } from "../../provider/core/name.ts";
import { readPlan } from "../../review/read/read.ts";
import {
  appliedIn,
  type Engine,
  type EngineOptions,
  failureText,
  RehearsalError,
  type Validity,
} from "./engine.ts";
import { type Ended, runEngine } from "./process.ts";

/** Runs Terraform or OpenTofu in the copy of a folder. */

export interface TerraformOptions extends EngineOptions {
  /** Plugin of this package; it knows the lock on one address. */
  readonly plugin: string;
  readonly workspace: string;
  /** Variables of the given plan by name. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** True to accept providers that run programs. */
  readonly allowsCommands: boolean;
}

/** Providers that change nothing outside of the state. */
const harmless = new Set([
  "terraform.io/builtin/terraform",
  ...["random", "null", "tls", "time"].flatMap((name) => [
    `registry.terraform.io/hashicorp/${name}`,
    `registry.opentofu.org/hashicorp/${name}`,
  ]),
]);
const external = /\/hashicorp\/external$/;
/** Sources of the provider of this package, which replaces an installed one. */
const own = ["registry.terraform.io", "registry.opentofu.org"].map((host) =>
  terraformSource.replace(/^[^/]+/, host),
);

/** Initializes the engine without a network. Throws `RehearsalError`. */
export async function openTerraform(options: TerraformOptions): Promise<Engine> {
  const { program, copy, environment, limit, stop, root } = options;
  const settings = {
    ...environment,
    TF_CLI_CONFIG_FILE: writeCliConfiguration(options),
    TF_IN_AUTOMATION: "1",
    TF_INPUT: "0",
    CHECKPOINT_DISABLE: "1",
  };
  const variables = join(copy.engineFolder, "variables.tfvars.json");
  writeFileSync(variables, JSON.stringify(options.variables), { mode: 0o600 });
  const inWorkspace = {
    ...settings,
    ...(options.workspace !== "default" && { TF_WORKSPACE: options.workspace }),
  };
  const runIn = (environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<Ended> =>
    runEngine(program, args, { cwd: copy.path, environment, limit, stop, root });
  const run = (...args: string[]): Promise<Ended> => runIn(inWorkspace, args);
  const init = await runIn(settings, ["init", "-input=false", "-no-color", "-reconfigure"]);
  if (init.code !== 0) throw new RehearsalError(failureOf("init", init));
  copy.reset();
  const planText = async (name: string): Promise<string> => {
    const file = `${name}.plan`;
    const options = ["-input=false", "-no-color", "-lock=false", `-var-file=${variables}`, `-out=${file}`];
    await required(run("plan", ...options), "plan");
    return (await required(run("show", "-json", file), "show")).stdout;
  };
  const named = await required(run("version"), "version");
  const shown = versionIn((await required(run("version", "-json"), "version")).stdout, program);
  requireHarmless(providersIn(copy.own(copy.state)), options);
  requireHarmless(Object.keys(shown.provider_selections ?? {}), options);
  return {
    name: /^OpenTofu /.test(named.stdout) ? "opentofu" : "terraform",
    version: shown.terraform_version,
    planText,
    plan: async (name) => readPlan(name, await planText(name)),
    async validate() {
      const ended = await run("validate", "-json", "-no-color");
      const validity = validityIn(ended.stdout);
      if (validity === undefined) throw new RehearsalError(failureOf("validate", ended));
      return validity;
    },
    async apply(name) {
      // A plan has no values of ephemeral variables, and those of the others are equal.
      const given = `-var-file=${variables}`;
      const ended = await run("apply", "-json", "-input=false", "-lock=false", given, `${name}.plan`);
      return appliedIn(ended, ended.stdout, () => failureOf("apply", ended));
    },
    state: async () => copy.own(copy.state),
    reset: async () => copy.reset(),
  };
}

/** Returns the sources of the providers in a state file. */
function providersIn(file: string): string[] {
  const { resources = [] } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly resources?: readonly { readonly provider?: string }[];
  };
  return resources.flatMap(({ provider = "" }) => /provider\["([^"]+)"\]/.exec(provider)?.[1] ?? []);
}

interface Version {
  readonly terraform_version: string;
  readonly provider_selections?: Readonly<Record<string, string>>;
}

function versionIn(text: string, program: string): Version {
  try {
    const version = JSON.parse(text) as Partial<Version>;
    if (version.terraform_version !== undefined) return version as Version;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new RehearsalError(`${program} is neither Terraform nor OpenTofu`);
}

async function required(work: Promise<Ended>, command: string): Promise<Ended> {
  const ended = await work;
  if (ended.code !== 0) throw new RehearsalError(failureOf(command, ended));
  return ended;
}

function failureOf(command: string, ended: Ended): string {
  const text = failureText(command, ended, ended.stderr || ended.stdout);
  return /not found in any of the search locations/.test(text.replaceAll(/[\s│]+/g, " "))
    ? `${text}\nA rehearsal has no network: run init in the folder first, which installs its providers.`
    : text;
}

/**
 * Writes the settings of the engine: this package's provider, others from the folder's own copies, none from a network. Returns the
 * path.
 */
function writeCliConfiguration({ copy, plugin }: TerraformOptions): string {
  const folder = join(copy.engineFolder, "plugin");
  mkdirSync(folder);
  symlinkSync(plugin, join(folder, "terraform-provider-kcloud"));
  const file = join(copy.engineFolder, "terraform.rc");
  // The engine cannot install a provider from the folder into which it installs it.
  const mirror = join(copy.engineFolder, "providers");
  const override = own.map((source) => `    ${JSON.stringify(source)} = ${JSON.stringify(folder)}`);
  const installed = join(copy.path, ".terraform/providers");
  if (existsSync(installed)) renameSync(installed, mirror);
  else mkdirSync(mirror);
  writeFileSync(
    file,
    `provider_installation {
  dev_overrides {
${override.join("\n")}
  }
  filesystem_mirror {
    path = ${JSON.stringify(mirror)}
  }
}
`,
  );
  return file;
}

/** Throws `RehearsalError` for providers whose objects no emulator has. */
function requireHarmless(
  sources: readonly string[],
  { allowsCommands }: Pick<TerraformOptions, "allowsCommands">,
): void {
  const refused = sources.filter(
    (source) => !own.includes(source) && !harmless.has(source) && !(allowsCommands && external.test(source)),
  );
  if (refused.length > 0)
    throw new RehearsalError(
      `the folder uses ${[...new Set(refused)].join(", ")}, which no emulator confines: a rehearsal has ${terraformSource}, random, null, tls and time only`,
    );
}

interface Validation {
  readonly valid?: boolean;
  readonly diagnostics?: readonly {
    readonly severity?: string;
    readonly summary?: string;
    readonly detail?: string;
    readonly range?: { readonly filename?: string; readonly start?: { readonly line?: number } };
  }[];
}

/** Matches the summary of the warning about the provider that replaces an installed one. */
const overrides = /^Provider development overrides are in effect/;

/** Reads the output of `validate -json`; undefined if it is none. */
function validityIn(text: string): Validity | undefined {
  try {
    const { valid, diagnostics = [] } = JSON.parse(text) as Validation;
    if (typeof valid !== "boolean") return undefined;
    const own = diagnostics.filter(({ summary = "" }) => !overrides.test(summary));
    const messages = own.map(({ severity, summary, detail, range }) => ({
      severity: severity === "warning" ? ("warning" as const) : ("error" as const),
      text: [summary, detail].filter(Boolean).join(": "),
      ...(range?.filename !== undefined && { place: `${range.filename}:${range.start?.line ?? 1}` }),
    }));
    return { isValid: valid, messages };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
