import { constants } from "node:buffer";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { digestOf } from "../model/canonical.ts";
import { isObject } from "./json.ts";
import { NotReviewableError } from "./not-reviewable.ts";
import { ZipError, zipEntries } from "./zip.ts";

/** Binary plans of Terraform and OpenTofu: ZIP archives that only the engine of the same version converts to JSON. */

/** First bytes of a ZIP archive. */
const signature = Buffer.from("PK\u0003\u0004", "latin1");

/** Returns true for a binary plan. */
export const isBinaryPlan = (content: Buffer): boolean =>
  content.subarray(0, signature.length).equals(signature);

/** Data of a binary plan that its JSON does not have. */
export interface PlanFile {
  /** Version of the engine that made it. */
  readonly version: string;
  /** True if its providers come from OpenTofu's registry. */
  readonly namesOpenTofu: boolean;
  /** Identity of the prior state; undefined for a plan without one. */
  readonly serial?: number;
  readonly lineage?: string;
  /** SHA-256 of the files of each module of the configuration, by the path of the module. */
  readonly configuration: Readonly<Record<string, string>>;
}

/** Maximum size of an entry that is read, in bytes. */
const largest = 512 * 1024 * 1024;

/** Number of the field of the plan's message that holds the version of the engine. */
const versionField = 14;

/** Reads a binary plan. Throws `NotReviewableError` for another archive, or a damaged one. */
export function readPlanFile(content: Buffer): PlanFile {
  const entries = entriesOf(content);
  const plan = entries.get("tfplan");
  const version = plan && textField(plan, versionField);
  if (plan === undefined || version === undefined)
    throw new NotReviewableError("is an archive, but not a plan file of Terraform or OpenTofu");
  const { serial, lineage } = stateIdentity(entries.get("tfstate"));
  return {
    version,
    namesOpenTofu: plan.includes("registry.opentofu.org"),
    ...(typeof serial === "number" ? { serial } : {}),
    ...(typeof lineage === "string" && lineage !== "" ? { lineage } : {}),
    configuration: configurationIn(entries),
  };
}

/** Matches the files of the configuration: `tfconfig/m-network/main.tf`. */
const ofConfiguration = /^tfconfig\/m-([^/]*)\//;

function entriesOf(content: Buffer): ReadonlyMap<string, Buffer> {
  const isWanted = (name: string) => name === "tfplan" || name === "tfstate" || ofConfiguration.test(name);
  try {
    return zipEntries(content, isWanted, largest);
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    throw new NotReviewableError(`is a plan file that cannot be read: ${error.message}`);
  }
}

function configurationIn(entries: ReadonlyMap<string, Buffer>): Record<string, string> {
  const files = [...entries].flatMap(([name, text]) => {
    const module = ofConfiguration.exec(name)?.[1];
    return module === undefined
      ? []
      : [{ module, line: `${name} ${createHash("sha256").update(text).digest("hex")}` }];
  });
  const modules = Map.groupBy(files, ({ module }) => module);
  return Object.fromEntries(
    [...modules].map(([module, all]) => [module, digestOf(all.map(({ line }) => line))]),
  );
}

function stateIdentity(content: Buffer | undefined): { serial?: unknown; lineage?: unknown } {
  if (content === undefined) return {};
  try {
    const state: unknown = JSON.parse(content.toString("utf8"));
    return isObject(state) ? state : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new NotReviewableError("is a plan file whose state cannot be read");
  }
}

/** Returns a string field of a protobuf message by its number; does not descend into nested messages. */
function textField(message: Buffer, wanted: number): string | undefined {
  let position = 0;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; position < message.length; factor *= 128) {
      const byte = message[position++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    return value;
  };
  while (position < message.length) {
    const key = number();
    const form = key % 8;
    if (form === 0) number();
    else if (form === 1) position += 8;
    else if (form === 5) position += 4;
    else if (form === 2) {
      const length = number();
      if ((key - form) / 8 === wanted) return message.toString("utf8", position, position + length);
      position += length;
    } else return undefined;
  }
  return undefined;
}

/**
 * Converts a binary plan to JSON by the command of the engine version that made it. Throws `NotReviewableError` if that fails.
 */
export function showPlanFile(path: string, { version, namesOpenTofu }: PlanFile, folder: string): string {
  const names = namesOpenTofu ? ["tofu", "terraform"] : ["terraform", "tofu"];
  const found = names.map((name) => ({ name, version: versionOf(name, folder) }));
  const engine = found.find((one) => one.version === version);
  if (engine === undefined) {
    const others = found.filter((one) => one.version !== undefined);
    throw new NotReviewableError(
      `is a plan file of version ${JSON.stringify(version)}, which only that version can read; ${
        others.length === 0
          ? "neither terraform nor tofu is on PATH"
          : `PATH has ${others.map((one) => `${one.name} ${one.version}`).join(" and ")}`
      }: pass the output of show -json`,
    );
  }
  const { status, stdout, stderr, error } = run(engine.name, ["show", "-json", "-no-color", path], folder);
  if (status === 0) return withoutWarnings(stdout);
  throw new NotReviewableError(
    `is a plan file that ${engine.name} show cannot read in ${folder}: ${(error?.message ?? stderr).replace(/\s+/g, " ").trim().slice(0, 500)}`,
  );
}

function versionOf(name: string, folder: string): string | undefined {
  const { status, stdout } = run(name, ["version", "-json"], folder);
  if (status !== 0) return undefined;
  const shown = parsedText(withoutWarnings(stdout));
  return isObject(shown) && typeof shown.terraform_version === "string" ? shown.terraform_version : undefined;
}

/** Removes the warnings that OpenTofu prints before its JSON, about its own configuration. */
const withoutWarnings = (output: string): string => output.slice(Math.max(0, output.search(/^\{/m)));

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The output of an unrelated program with this name.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const run = (name: string, args: readonly string[], folder: string): SpawnSyncReturns<string> =>
  spawnSync(name, args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: constants.MAX_STRING_LENGTH,
    // Stops the version command from checking for updates over the network.
    env: { ...process.env, CHECKPOINT_DISABLE: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
