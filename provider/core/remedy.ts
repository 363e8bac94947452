import { capital, pulumiToken, term, terraformType } from "./name.ts";
import { formatRows } from "./string.ts";
import {
  applyCommand,
  assignment,
  attribute,
  attributes,
  inWordsOf,
  joinTexts,
  perEngine,
  type Text,
  type Words,
  wording,
} from "./wording.ts";

/**
 * Remedies for the user after an error or a warning. The engine attaches codes with their parameters, and only this file
 * converts them to text: a program that reads the codes and a user who reads the text get the same advice.
 */

/** Object of the API, as shown in a text. */
export interface NamedObject {
  readonly kind: string;
  readonly name?: string | undefined;
  readonly id?: string | undefined;
}

/** Resource kind. */
interface Kind {
  readonly resource: string;
}

/** Resource kind, and the import id of an object of it. */
interface Importable extends Kind {
  readonly importId: string;
}

/** Resource kind, and the import ids of several objects of it. */
interface Importables extends Kind {
  readonly importIds: readonly string[];
}

type Nothing = Readonly<Record<never, never>>;

/** Parameters of each code. */
interface Parameters {
  // Run again.
  readonly "run-again": Nothing;
  readonly "run-again-later": Nothing;
  readonly "lower-rate": Nothing;
  readonly "longer-timeout": Nothing;
  // Settings of the provider.
  readonly "set-api-key": Nothing;
  readonly "use-api-key": Nothing;
  readonly "set-password": Nothing;
  readonly "set-access-key": Nothing;
  readonly "separate-access-key": Nothing;
  readonly "set-account-id": Nothing;
  readonly "use-account": { readonly account: string };
  readonly "check-base-url": Nothing;
  /** `isSpent` is true if the API received the password of the failed delete. */
  readonly "new-password": { readonly isSpent: boolean };
  // The configuration.
  readonly "correct-request": Nothing;
  readonly "set-fields": { readonly fields: readonly string[] };
  readonly "choose-other-value": Nothing;
  readonly "choose-other-name": Nothing;
  readonly "delete-first": Nothing;
  readonly "let-leave": Nothing;
  readonly "keep-addresses": Nothing;
  readonly "match-configuration": Nothing;
  readonly "remove-duplicate": Nothing;
  readonly "set-adopt-existing": Nothing;
  readonly "set-force-destroy": Nothing;
  readonly "unset-deletion-protection": Nothing;
  readonly "start-instead": Kind;
  readonly "start-first": Nothing;
  // Objects in the cloud.
  readonly "check-object": Nothing;
  readonly "check-id": Nothing;
  readonly "check-access-keys": Nothing;
  readonly "choose-one-of": { readonly labels: readonly string[] };
  readonly "delete-object": Nothing;
  readonly "delete-objects": { readonly objects: readonly NamedObject[] };
  readonly "delete-others": Nothing;
  readonly "delete-unusable": Importables;
  readonly "delete-if-exists": Nothing;
  readonly "delete-if-listed": Nothing;
  readonly "resolve-conflict": Nothing;
  /** `by` is "name" if the objects have the name of the new one, "value" if another attribute conflicts. */
  readonly "remove-conflicts": { readonly objects: readonly NamedObject[]; readonly by: "name" | "value" };
  readonly "remove-dependents": { readonly objects: readonly NamedObject[] };
  readonly "restore-value": Nothing;
  // Imports.
  readonly import: Importable;
  readonly "import-if-unmanaged": Importable;
  readonly "import-one-of": Importables;
  readonly "import-by-full-id": Importable;
  readonly "import-if-yours": Importable;
  readonly "import-if-exists": Importable;
  /** `isRecreated` is true if the next run creates the object again. */
  readonly "import-if-listed": Importable & { readonly isRecreated: boolean };
  readonly "import-listed": Importable;
  readonly "forget-one": Importable & { readonly id: string };
  readonly "forget-part": Nothing;
  readonly "import-with-region": Nothing;
  readonly "create-instead": Nothing;
  // The state.
  readonly refresh: Nothing;
  readonly replace: Nothing;
  readonly "if-replaced": Nothing;
  readonly "restore-size": Nothing;
  readonly "remove-from-state": Kind & { readonly object: NamedObject };
  readonly "leave-unmanaged": Kind;
  readonly "leave-to-vpc": Nothing;
  /** The subnet that is listed first, and therefore counts as the primary one of its VPC. */
  readonly "import-first-subnet": { readonly name: string; readonly importId: string };
  // The next run, by itself.
  readonly "next-replaces": Nothing;
  readonly "next-resumes": Nothing;
  readonly "next-searches": Nothing;
  readonly "next-creates-another": Nothing;
  readonly "next-is-billed": Nothing;
}

export type RemedyCode = keyof Parameters;

/** Engine for whose users alone the remedy applies; undefined for all. */
interface Audience {
  readonly only?: Words;
}

/** One remedy: its code, and the parameters of the code. */
export type Remedy = { [C in RemedyCode]: { readonly code: C } & Parameters[C] & Audience }[RemedyCode];

/** Code without parameters. */
type PlainCode = { [C in RemedyCode]: Nothing extends Parameters[C] ? C : never }[RemedyCode];

/** Remedy, or only its code if it has no parameters. */
export type GivenRemedy = Remedy | PlainCode;

/** Returns the text as one word of a POSIX shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** `terraform import kcloud_vpc.NAME 'ID'` or `pulumi import kcloud:index:Vpc NAME 'ID'`. */
export const importCommand = ({ resource, importId }: Importable): Text =>
  perEngine({
    terraform: `terraform import ${terraformType(resource)}.NAME ${shellWord(importId)}, or tofu import with the same arguments`,
    pulumi: `pulumi import ${pulumiToken(resource)} NAME ${shellWord(importId)}`,
  });

/** `terraform state rm kcloud_vpc.NAME` or `pulumi state delete URN`. */
const forgetCommand = ({ resource }: Kind): Text =>
  perEngine({
    terraform: `terraform state rm ${terraformType(resource)}.NAME, or tofu state rm ${terraformType(resource)}.NAME`,
    pulumi: "pulumi state delete URN",
  });

/** Verb phrase that makes a replacement delete the old object before it creates the new one. */
const deleteFirst = perEngine({
  terraform:
    "remove create_before_destroy from the lifecycle of this resource and of those that depend on it, to which it extends",
  pulumi: "set the resource option deleteBeforeReplace: true",
});

/** Maximum number of objects in a text, and maximum length of each in characters. */
const shown = { objects: 5, length: 1_000 };

/** Returns `the volume "data" (krn:…)`; a missing name or id is left out. */
export function describeObject({ kind, name, id }: NamedObject): string {
  const quoted = name === undefined ? "" : ` ${JSON.stringify(name)}`;
  return `the ${term(kind)}${quoted}${id === undefined ? "" : ` (${id})`}`.slice(0, shown.length);
}

/** `the subnet "b" (krn:…), the volume "data" (krn:…)`. */
export const formatObjects = (objects: readonly NamedObject[]): string =>
  formatRows(objects, describeObject, shown.objects);

const formatImportIds = (importIds: readonly string[]): string =>
  formatRows(importIds, shellWord, shown.objects);

/** Returns the sentence on how the next run continues after an unfinished create. Terraform has tainted the object. */
const nextRun = (does: { readonly [W in Words]: string }): Text =>
  perEngine({
    terraform: `The next apply ${does.terraform}; \`terraform untaint ADDRESS\` (or \`tofu untaint ADDRESS\`) keeps it`,
    pulumi: `The next \`pulumi up\` ${does.pulumi}`,
  });

/** Verb phrases. The phrases of one error are alternatives, joined by "or". */
const phrases = {
  "run-again": () => "run again",
  "run-again-later": () => "run again in a few minutes",
  "longer-timeout": () =>
    wording`set a longer timeout (${perEngine({ terraform: "timeouts", pulumi: "customTimeouts" })})`,
  "set-api-key": () => wording`set a valid ${attribute("apiKey")} (or SERVICE_API_KEY)`,
  "use-api-key": () => wording`set ${attribute("apiKey")} (or SERVICE_API_KEY) instead of email and password`,
  "set-password": () =>
    wording`set a valid email and password (with ${attribute("accountUser")}, also ${attribute("accountId")})`,
  "set-access-key": () =>
    wording`set a valid ${attribute("accessKey")} and ${attribute("secretKey")} (or SERVICE_ACCESS_KEY and SERVICE_SECRET_KEY)`,
  "set-account-id": () => wording`set ${attribute("accountId")} to the account number of the credentials`,
  "use-account": ({ account }) => `run again with credentials of account ${account}`,
  "check-base-url": () => wording`check ${attribute("baseUrl")} and the network`,
  "new-password": ({ isSpent }) =>
    wording`run again with a new one-time password (SERVICE_OTP for one delete, ${attribute("otpCommand")} for each)${isSpent ? ": the one that was sent cannot be used again" : ""}`,
  "correct-request": () => "correct what the API rejected",
  "set-fields": ({ fields }) => wording`set ${attributes(fields, " and ")} first`,
  "choose-other-value": () => "choose another value",
  "choose-other-name": () => wording`choose another ${attribute("name")}`,
  "delete-first": () => deleteFirst,
  "let-leave": () =>
    perEngine({
      terraform: "run again after that change",
      pulumi: "set the resource option deleteBeforeReplace: true for that resource, and run again",
    }),
  "match-configuration": () => "change the configuration to match the object",
  "remove-duplicate": () => "remove one of the two resources from the configuration",
  "set-adopt-existing": () => wording`set ${assignment("adoptExisting", true)} to adopt it`,
  "set-force-destroy": () =>
    wording`delete its content, or set ${assignment("forceDestroy", true)} and run ${applyCommand}`,
  "unset-deletion-protection": () =>
    wording`set ${assignment("deletionProtection", false)} and run ${applyCommand} first, without the change that deletes or replaces the object`,
  "start-instead": ({ resource }) => `start the ${term(resource)} instead: it is stopped`,
  "start-first": () => wording`set ${assignment("powerState", "running")} first: a restart does not start it`,
  "check-object": () => "check the object in the cloud's console",
  "check-id": () => "check the ID, the region and the account of the API key",
  "check-access-keys": () =>
    "check which access keys the API lists: a delayed delete also deletes new ones. If they should be deleted, run again",
  "delete-object": () => "delete it in the cloud's console",
  "delete-others": () => "keep one of them and delete the others if nothing uses them",
  "delete-if-exists": () =>
    "look for it in the cloud's console; if it exists, delete it there before the next run, which creates another",
  "resolve-conflict": () => "remove the conflicting object or wait until its operation has finished",
  import: (to) => wording`import it (${importCommand(to)})`,
  "import-if-unmanaged": (to) => wording`import it if nothing manages it (${importCommand(to)})`,
  "import-by-full-id": (to) =>
    wording`look up its full ID in the cloud's console and import it (${importCommand(to)})`,
  "import-if-yours": (to) =>
    wording`check it in the cloud's console; if it belongs to this resource, import it before the next run (${importCommand(to)})`,
  "import-if-exists": (to) =>
    wording`look for it in the cloud's console; if it exists, import it before the next run (${importCommand(to)})`,
  "import-with-region": () => "put the region that its ID names, and a comma, before the ID",
  "create-instead": () => "create it with this configuration instead of importing it",
  refresh: () =>
    perEngine({
      terraform: "run terraform apply -refresh-only (or tofu apply -refresh-only)",
      pulumi: "run pulumi refresh",
    }),
  "restore-size": () => wording`restore the former ${attribute("sizeGb")}`,
  replace: () =>
    perEngine({
      terraform: "replace it with terraform apply -replace=ADDRESS (or tofu apply -replace=ADDRESS)",
      pulumi: "replace it with pulumi up --replace URN",
    }),
  "remove-from-state": (from) =>
    wording`delete ${describeObject(from.object)} in the cloud's console, then remove it from the state (${forgetCommand(from)})`,
  "leave-unmanaged": (from) =>
    wording`leave it in the cloud and remove it from the state (${forgetCommand(from)})`,
} satisfies { [C in RemedyCode]?: (parameters: Parameters[C]) => Text };

/** Sentences, which follow the phrases. A list of objects ends its sentence. */
const sentences = {
  "if-replaced": () =>
    wording`If this run replaces it, ${deleteFirst}; if another resource of this configuration gives up the object or its name in this run, run again`,
  "keep-addresses": () =>
    perEngine({
      terraform:
        "Names shift if an element of a list leaves it: for_each in place of count, or moved blocks, keep each name at its object",
      pulumi:
        "Names shift if an element of a list leaves it: resource names by key in place of index, or aliases, keep each name at its object",
    }),
  "lower-rate": () => wording`To send fewer requests, set a lower ${attribute("maxRequestsPerSecond")}`,
  "separate-access-key": () =>
    "An access key can have only one session at a time: use a separate access key for each run if several run in parallel",
  "choose-one-of": ({ labels }) => `Existing ones: ${formatRows(labels, (label) => label)}`,
  "delete-unusable": ({ importIds }) =>
    `Delete these objects, whose secret is lost, unless somebody else created them or a state contains them: ${formatImportIds(importIds)}. The next run creates another`,
  "delete-objects": ({ objects }) =>
    `Delete these objects in the cloud's console, then run again: ${formatObjects(objects)}`,
  "delete-if-listed": () => "If it appears later, delete it in the cloud's console",
  "remove-conflicts": ({ objects }) =>
    `Remove or detach the conflicting objects, or choose another value, then run again: ${formatObjects(objects)}`,
  "remove-dependents": ({ objects }) =>
    `Remove or detach the objects that use it, then run again: ${formatObjects(objects)}`,
  "restore-value": () =>
    "If the object already has the configured value, first change it back to the value in the state",
  "import-one-of": ({ resource, importIds }) =>
    wording`Import the one that belongs to this resource (${importCommand({ resource, importId: "ID" })}): ${formatImportIds(importIds)}`,
  "import-if-listed": (to) =>
    wording`If it appears later, import it${to.isRecreated ? " before the next run" : ""} (${importCommand(to)})`,
  "import-listed": (to) =>
    wording`If both are the same object, remove it from the state (${forgetCommand(to)}) and import it by its listed ID (${importCommand(to)}). Otherwise rename or delete the listed object, then run again`,
  "forget-one": ({ resource, importId }) =>
    perEngine({
      terraform: `Remove the address that the plan deletes from the state (terraform state rm ADDRESS, or tofu state rm ADDRESS), or replace its block by removed { from = ADDRESS } with lifecycle { destroy = false }. If only a deposed object is deleted, import the object again after that (terraform import ${terraformType(resource)}.NAME ${shellWord(importId)}, or tofu import with the same arguments). To destroy everything, run terraform destroy -refresh=false, or tofu destroy -refresh=false`,
      pulumi: "Remove one of the two entries from the state (pulumi state delete URN)",
    }),
  "forget-part": () =>
    perEngine({
      terraform:
        "To keep it, remove the address that the plan deletes from the state (terraform state rm ADDRESS, or tofu state rm ADDRESS). To let it be deleted with the object that it is part of, remove its own address",
      pulumi:
        "To keep it, do not change the object that it is part of. To let it be deleted, remove its own entry from the state (pulumi state delete URN)",
    }),
  "leave-to-vpc": () =>
    wording`It is the primary subnet, which is deleted with its VPC: remove its resource from the configuration, and it from the state (${forgetCommand({ resource: "subnet" })})`,
  "import-first-subnet": ({ name, importId }) =>
    wording`If nothing manages ${describeObject({ kind: "subnet", name })}, which counts as the primary one because it is listed first, import it (${importCommand({ resource: "subnet", importId })}): it is not deleted with the VPC`,
  "next-replaces": () => nextRun({ terraform: "replaces it", pulumi: "replaces it" }),
  "next-resumes": () => nextRun({ terraform: "replaces it", pulumi: "resumes it" }),
  "next-searches": () => nextRun({ terraform: "searches for it and replaces it", pulumi: "searches for it" }),
  "next-creates-another": () =>
    "The next run creates another one. This one, if it exists, is not attached to anything and has no effect",
  "next-is-billed": () => "Another run sends the request again, which is billed again",
} satisfies { [C in RemedyCode]?: (parameters: Parameters[C]) => Text };

type Texts = { readonly [C in RemedyCode]: (parameters: Parameters[C]) => Text };

const texts: Texts = { ...phrases, ...sentences };

/** All codes. */
export const remedyCodes = Object.keys(texts) as readonly RemedyCode[];

const sentenceOf = (remedy: Remedy): Text => (texts[remedy.code] as (parameters: Remedy) => Text)(remedy);

const isPhrase = ({ code }: Remedy): boolean => Object.hasOwn(phrases, code);

/** Joins phrases by "or"; a phrase that begins with "run again" follows the others if it is the last of several. */
function joined(codes: readonly Remedy[]): Text {
  const [last] = codes.length > 1 ? codes.slice(-1) : [];
  const run = last?.code === "run-again" || last?.code === "new-password" ? last : undefined;
  const alternatives = (run === undefined ? codes : codes.slice(0, -1)).map(sentenceOf);
  return joinTexts(
    [joinTexts(alternatives, ", or "), ...(run === undefined ? [] : [sentenceOf(run)])],
    ", then ",
  );
}

/** Returns the remedies as sentences for one engine, without the last full stop. */
function textFor(words: Words, remedies: readonly Remedy[]): string {
  const applicable = remedies.filter(({ only }) => only === undefined || only === words);
  const first = joined(applicable.filter(isPhrase));
  const rest = applicable.filter((remedy) => !isPhrase(remedy)).map(sentenceOf);
  // A text may begin with a term of the engine, so `inWordsOf` selects it before the first letter is capitalized.
  return [...(first === "" ? [] : [first]), ...rest]
    .map((text) => capital(inWordsOf(words, text)))
    .join(". ");
}

/** Returns the remedies as sentences, without the last full stop. Phrases come first, in the order given. */
export const remedyText = (remedies: readonly Remedy[]): Text =>
  perEngine({ terraform: textFor("terraform", remedies), pulumi: textFor("pulumi", remedies) });

/** Returns the remedies with their codes as objects. */
export const remediesOf = (remedies: readonly GivenRemedy[]): readonly Remedy[] =>
  remedies.map((each): Remedy => (typeof each === "string" ? ({ code: each } as Remedy) : each));
