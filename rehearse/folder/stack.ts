import type { cloudNames } from "../../provider/config/config.ts";
import { dynamicProvider, provider } from "../../provider/core/name.ts";
import { isObject, type Json, objectOf, objectsOf, stringOf } from "../../review/read/json.ts";
import { addressOf, partsOf, stackType, typeOf } from "../../review/read/pulumi-step.ts";

/** Export of a Pulumi stack, as the copy of a program begins with it. */

/** Address and key of the emulator. */
export interface Access {
  readonly url: string;
  readonly key: string;
}

export interface Stack {
  /** Name of the stack and of its project; undefined for a stack without rows. */
  readonly name: string | undefined;
  readonly project: string | undefined;
  /** Rows that a rehearsal does not run, each as a clause. */
  readonly refused: readonly string[];
  /** Version and features of the format. */
  readonly format: Json;
  /** Content of the export, with the emulator in the configurations of the provider. */
  readonly deployment: Json;
  /** Kind of the provider of secrets; undefined if no secret is encrypted. */
  readonly encryptedBy: string | undefined;
  /** Salt of the passphrase, if the stack has one. */
  readonly salt: string | undefined;
}

/** Outputs of another stack, which a program may refer to. */
export interface Reference {
  readonly name: string;
  readonly project: string;
  readonly stack: Stack;
}

/** Returns the outputs in the export of another stack; undefined for one without rows. */
export function referenceTo(json: Json): Reference | undefined {
  const latest = objectOf(json.deployment ?? objectOf(json.checkpoint).latest);
  const roots = objectsOf(latest.resources).filter(({ urn }) => typeOf(String(urn)) === stackType);
  const stack = stackIn({ ...json, deployment: { ...latest, resources: roots } }, { url: "", key: "" });
  const { name, project } = stack;
  return name === undefined || project === undefined ? undefined : { name, project, stack };
}

/** Reads an export that `readState` accepts. Its references to other stacks are refused unless their outputs are known. */
export function stackIn(json: Json, access: Access, references: readonly Reference[] = []): Stack {
  const latest = objectOf(json.deployment ?? objectOf(json.checkpoint).latest);
  const rows = objectsOf(latest.resources);
  const deployment = { ...latest, resources: rows.map((row) => withEmulator(row, access)) };
  const [first, project] = rows[0] === undefined ? [] : partsOf(String(rows[0].urn));
  const name = first?.replace(/^urn:pulumi:/, "");
  const secrets = objectOf(latest.secrets_providers);
  const { version, features } = json;
  return {
    ...{ name, project, deployment },
    format: { version, ...(features !== undefined && { features }) },
    refused: [...strangers(rows, { name, project }), ...rows.flatMap((row) => refusedIn(row, references))],
    encryptedBy: isEncrypted(deployment.resources) ? (stringOf(secrets.type) ?? "an unknown key") : undefined,
    salt: stringOf(objectOf(secrets.state).salt),
  };
}

/** Returns the checkpoint of a stack in a file backend. */
export const checkpointOf = (
  { format, deployment }: Stack,
  { name, project, salt }: { readonly name: string; readonly project: string; readonly salt: string },
): string =>
  JSON.stringify({
    ...format,
    checkpoint: {
      stack: `organization/${project}/${name}`,
      latest: { ...deployment, secrets_providers: { type: "passphrase", state: { salt } } },
    },
  });

function strangers(
  rows: readonly Json[],
  stack: { name: string | undefined; project: string | undefined },
): string[] {
  return rows.flatMap(({ urn }) => {
    const [prefix, project] = partsOf(String(urn));
    return prefix === `urn:pulumi:${stack.name}` && project === stack.project
      ? []
      : [`${String(urn)} is of another stack than the first row`];
  });
}

/** Types whose objects are in the state only. */
const builtIn = new Set([stackType, "pulumi:pulumi:Stash"]);
const hosts = new Set([provider, "pulumi-nodejs", "pulumi-python", "pulumi"]);

/** Type of a reference to another stack, which the engine resolves in the backend of the copy. */
export const referenceType = "pulumi:pulumi:StackReference";

/** Returns the reason why a rehearsal does not run an object of the type; undefined if it does. */
export function refusalOf(type: string): string | undefined {
  if (type === referenceType) return "reads another stack, whose outputs are not known";
  const [, used] = /^pulumi:providers:(.+)$/.exec(type) ?? [];
  if (used !== undefined)
    return hosts.has(used) ? undefined : `is the provider ${used}, which no emulator confines`;
  if (builtIn.has(type) || type.startsWith(`${provider}:`)) return undefined;
  if (new RegExp(`^pulumi-nodejs:dynamic/${provider}:\\w+$`).test(type)) return undefined;
  return /^pulumi-(nodejs|python):/.test(type)
    ? "is a dynamic resource, whose code no emulator confines"
    : `is an object of the package ${type.split(":")[0]}, which no emulator confines`;
}

function refusedIn(row: Json, references: readonly Reference[]): string[] {
  const type = typeOf(String(row.urn));
  const { name: reference } = objectOf(row.inputs);
  if (
    type === referenceType &&
    references.some(({ name, project }) => reference === `organization/${project}/${name}`)
  )
    return [];
  // Components without a provider are parts of the program.
  if (row.custom !== true && row.provider === undefined) return [];
  const reason =
    row.type === type ? (refusalOf(type) ?? foreignCode(row, type)) : "has a type that its URN does not have";
  return reason === undefined ? [] : [`${addressOf(String(row.urn))} ${reason}`];
}

/** Returns a problem if the row of a dynamic class has other code than that of this package, which the host would run. */
function foreignCode({ inputs, outputs }: Json, type: string): string | undefined {
  if (!type.startsWith("pulumi-nodejs:dynamic/")) return undefined;
  const expected = dynamicProvider(type.split(":").at(-1) ?? "");
  const isOwn = [inputs, outputs].every((values) => {
    const code = objectOf(values).__provider;
    return code === undefined || code === expected;
  });
  return isOwn ? undefined : "has code of a dynamic provider that is not that of this package";
}

const isEncrypted = (json: unknown): boolean =>
  Array.isArray(json)
    ? json.some(isEncrypted)
    : isObject(json) && (typeof json.ciphertext === "string" || Object.values(json).some(isEncrypted));

/** Values in place of settings that belong to a cloud, all of which are valid. */
export const replacementsFor = ({
  url,
  key,
}: Access): Readonly<Record<(typeof cloudNames)[number], string>> => ({
  ...{
    baseUrl: url,
    apiKey: key,
    email: "rehearsal@example.com",
    password: "rehearsal",
    accountUser: "false",
  },
  ...{ customerId: "00000000-0000-4000-8000-000000000000", accessKey: "rehearsal", secretKey: "rehearsal" },
  ...{ otpCommand: "false", profile: "rehearsal", profileFile: "rehearsal", caCertFile: "rehearsal" },
});

/** Returns the replacement for a setting of the provider in a stack configuration, such as `kcloud:apiKey`. */
export function replacementOf(key: string, access: Access): string | undefined {
  const [, name] = new RegExp(`^${provider}:(?:config:)?(\\w+)$`).exec(key) ?? [];
  return name === undefined
    ? undefined
    : Object.entries(replacementsFor(access)).find(([one]) => one === name)?.[1];
}

/**
 * Returns the row of a default provider, whose settings are those of the stack configuration, with the emulator in place of its cloud;
 * other rows unchanged. A program has the settings of its own providers, which the environment replaces.
 */
function withEmulator(row: Json, access: Access): Json {
  const [, , type = "", name = ""] = partsOf(String(row.urn));
  const prefix = { [`pulumi:providers:${provider}`]: `${provider}:`, "pulumi:providers:pulumi-nodejs": "" }[
    type
  ];
  if (prefix === undefined || !/^default/.test(name)) return row;
  const replaced = (values: unknown) =>
    isObject(values)
      ? Object.fromEntries(
          Object.entries(values).map(([name, value]) => [
            name,
            replacementOf(prefix + name, access) ?? value,
          ]),
        )
      : values;
  return {
    ...row,
    ...("inputs" in row && { inputs: replaced(row.inputs) }),
    ...("outputs" in row && { outputs: replaced(row.outputs) }),
  };
}
