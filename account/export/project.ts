import { comparable } from "../../provider/core/krn.ts";
import { entriesOf } from "../../provider/core/memoize.ts";
import { underscored } from "../../provider/core/name.ts";
import { isRecord, type Value, type Values } from "../../provider/core/value.ts";
import { attribute, attributes, type Text, wording } from "../../provider/core/wording.ts";
import { type Field, type Fields, isLocal, referenceNames } from "../../provider/definition/field.ts";
import { hasGivenId, type Resource } from "../../provider/definition/resource.ts";
import { verbInputs } from "../../provider/definition/verb-inputs.ts";
import { deletedParts, engine, importIdIn, type Session } from "../../provider/engine/engine.ts";
import { vpcFieldOf } from "../filter.ts";
import type { AccountObject, Gap } from "../object.ts";
import { type Configuration, configurationOf, selectedGroups } from "./configuration.ts";
import { uniqueIdentifiers } from "./name.ts";

/** Program that manages the objects of an account, independent of the language that it is written in. */
export interface Project {
  /** Region of the provider. */
  readonly region: string | undefined;
  readonly blocks: readonly Block[];
  /** Objects without a block, since the block of another object makes them. */
  readonly parts: readonly AccountObject[];
}

/** Resource of the program, with the import of its object. */
export interface Block extends Address {
  readonly resource: Resource;
  /** Name of the object in the cloud. */
  readonly title: string;
  readonly importId: string;
  /** Address of the VPC of the object; undefined for an object outside of VPCs. */
  readonly vpc: Address | undefined;
  readonly inputs: readonly Entry[];
  /** Names of the fields whose changes the engine has to ignore; empty for a comment. */
  readonly ignored: readonly string[];
  /** Reasons why the block has to be a comment, as clauses; empty for a block in force. */
  readonly problems: readonly Text[];
  /** Names of the fields with a problem that every complete response shows: the response is malformed. */
  readonly missing?: readonly string[];
}

/** Place of a resource in the program: the name is unique among the resources of the kind. */
export interface Address {
  readonly kind: string;
  readonly name: string;
}

/** Returns the address as a key of a map. */
export const addressKey = ({ kind, name }: Address): string => `${kind}.${name}`;

/** Field with its value, or key of a map with its value. */
export type Entry = readonly [name: string, value: Expression];

export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  /** Attribute of another resource: `["id"]`, or `["primarySubnet", "id"]`. */
  | { readonly kind: "reference"; readonly to: Address; readonly path: readonly string[] }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  /** Group of fields. */
  | { readonly kind: "group"; readonly entries: readonly Entry[] }
  /** Map with keys that the user chose. */
  | { readonly kind: "map"; readonly entries: readonly Entry[] };

/** Object with its configuration and the reasons why the program cannot contain it. */
interface Draft extends Configuration {
  readonly object: AccountObject;
  readonly problems: readonly Text[];
  readonly missing?: readonly string[];
}

/** Returns the addresses of the resources to which the inputs of a block refer, repeated ones too. */
export const referencesOf = ({ inputs }: Block): Address[] =>
  inputs.flatMap(([, expression]) => addressesIn(expression));

function addressesIn(expression: Expression): Address[] {
  switch (expression.kind) {
    case "literal":
      return [];
    case "reference":
      return [expression.to];
    case "list":
      return expression.items.flatMap(addressesIn);
    case "group":
    case "map":
      return expression.entries.flatMap(([, value]) => addressesIn(value));
  }
}

/** Returns a gap for each block whose object the API returned without values that every complete response shows. */
export const incompleteBlocks = ({ blocks }: Project): Gap[] =>
  blocks.flatMap(({ kind, title, missing }) =>
    missing === undefined
      ? []
      : {
          kind,
          scope: title,
          reason: wording`the response lacks ${attributes(missing)}`,
          isIncomplete: true,
        },
  );

/**
 * Makes the program for objects of an inventory. The same objects give the same program. `all` are the objects that decide which of
 * them are parts of others.
 */
export function projectOf(
  session: Session,
  objects: readonly AccountObject[],
  all: readonly AccountObject[] = objects,
): Project {
  const { region } = session.settings;
  const isPart = partsAmong(all);
  const whole = objects.filter((object) => isPart(object) !== true);
  const ids = new Set(whole.map(({ id }) => comparable(id)));
  const isExported = (id: string) => ids.has(comparable(id));
  const drafts = whole.map((object) => {
    const draft = draftOf(session, object, configurationOf(object, { region, isExported }));
    return isPart(object) === undefined ? { ...draft, problems: [...draft.problems, ownerUnread] } : draft;
  });
  const made = new Set(drafts.filter(isInForce).flatMap(idsOfParts));
  const kept = drafts.filter(({ object }) => !made.has(comparable(object.id)));
  const addresses = addressesOf(kept);
  const targets = targetsOf(kept, addresses);
  return {
    region,
    parts: objects.filter((object) => isPart(object) === true || made.has(comparable(object.id))),
    blocks: kept.map((draft): Block => {
      const { object, values, ignored, problems, missing } = draft;
      const { resource, id, state } = object;
      const address = addresses.get(draft) as Address;
      const vpcId = state.values[vpcFieldOf(resource) ?? ""];
      const vpc = resource.name === "vpc" ? address : targets(vpcId ?? null)?.to;
      return {
        ...address,
        resource,
        title: object.name,
        importId: importIdIn(session, resource, { id, values: object.parents, region: object.region ?? "" }),
        vpc: vpc?.kind === "vpc" ? vpc : undefined,
        inputs: entriesIn(resource.fields, values, (value) => targets(value, address)),
        // The engine would ignore the values that a person fills in.
        ignored: isInForce(draft) ? ignored : [],
        problems: problems.length === 0 ? [] : [...problems, ...membersAmong(draft, isExported)],
        ...(missing !== undefined && { missing }),
      };
    }),
  };
}

const ownerUnread =
  "the object to which it may belong, such as an instance that boots from the volume, was not read";

const isInForce = ({ problems }: Draft): boolean => problems.length === 0;

/**
 * Returns a function that is true for an object that the API made together with another one, as its definition states, and undefined if
 * the other one is not among the objects.
 */
export function partsAmong(
  objects: readonly AccountObject[],
): (object: AccountObject) => boolean | undefined {
  const keyOf = (kind: string, id: string) => `${kind} ${comparable(id)}`;
  const known = new Map(objects.map(({ resource, id, state }) => [keyOf(resource.name, id), state.values]));
  const valuesOf = (kind: string, id: string | undefined) =>
    id === undefined ? undefined : known.get(keyOf(kind, id));
  return ({ resource: { isPart }, state }) =>
    isPart === undefined ? false : isPart(verbInputs(state.values) as never, valuesOf);
}

/** Returns a reason why a comment cannot be taken as it is: its members, such as the instances of a batch, have blocks. */
function membersAmong(draft: Draft, isExported: (id: string) => boolean): Text[] {
  const members = idsOfParts(draft).filter(isExported);
  return members.length === 0
    ? []
    : [
        `${members.length} objects that belong to it are resources of the project, which have to be removed first`,
      ];
}

/** Returns the ids of the objects that the block of an object makes: those of its groups, and those deleted with it. */
function idsOfParts({ object: { resource, state }, values }: Draft): string[] {
  const groups = Object.entries(selectedGroups({ resource, state })).flatMap(([name, candidate]) =>
    values[name] !== undefined && isRecord(candidate) && typeof candidate.id === "string"
      ? [candidate.id]
      : [],
  );
  const deleted = deletedParts(resource, { ...state.values, ...values }).map(({ id }) => id);
  return [...groups, ...deleted].flatMap((id) => (id === undefined ? [] : [comparable(id)]));
}

/** Checks a configuration as the engines do. */
function draftOf(session: Session, object: AccountObject, configuration: Configuration): Draft {
  const { resource, state } = object;
  const { inputs, problems } = engine.check(resource, configuration.values);
  if (problems.length > 0) {
    const texts = problems.map(({ path, problem }) =>
      path.length === 0
        ? problem
        : wording`${attributes(
            path.filter((part) => typeof part === "string"),
            ".",
          )} ${problem}`,
    );
    const missing = [...new Set(problems.map(({ path: [name] }) => String(name)))].filter((name) =>
      isShown(resource.fields[name]),
    );
    return {
      ...{ object, ...configuration, problems: [...new Set(texts)] },
      ...(missing.length > 0 && { missing }),
    };
  }
  const planned = engine.plan(
    resource,
    state,
    { ...inputs, ...ignoredValues(configuration, state.values) },
    session,
  );
  const changed = planned.changes.filter(({ recordOnly }) => !recordOnly).map(({ path }) => path);
  const impossible = [
    ...twinKeys(configuration.values),
    ...planned.problems.map(({ problem }) => problem),
    ...changed.map(([name]) => wording`a plan would change ${attribute(String(name))}`),
  ];
  return { object, ...configuration, problems: impossible };
}

/** Returns true for a field whose value every complete response shows, or another one that stands for it. */
const isShown = (field: Field | undefined): boolean =>
  field?.kind === "group"
    ? field.options.unreadable !== true
    : field?.kind === "field" &&
      !isLocal(field) &&
      (field.options.unreadable !== true || field.options.importFallback !== undefined);

/** Returns a problem for each map with two keys that are one after the normalization that Terraform applies to texts. */
const twinKeys = (values: Values): Text[] =>
  Object.entries(values).flatMap(([name, value]): Text[] => {
    if (!isRecord(value)) return [];
    const keys = Object.keys(value);
    return new Set(keys.map((key) => key.normalize())).size === keys.length
      ? []
      : [wording`two keys of ${attribute(name)} differ only in the form of their letters`];
  });

/** Returns the values that the engine keeps for ignored fields: those of the state. */
const ignoredValues = ({ ignored }: Configuration, values: Values): Values =>
  Object.fromEntries(ignored.map((name) => [name, values[name] ?? null]));

/** Returns the address of each object, unique among those of its kind. */
function addressesOf(drafts: readonly Draft[]): Map<Draft, Address> {
  const addresses = new Map<Draft, Address>();
  const named = new Map(
    drafts.flatMap(({ object }) => (hasName(object) ? [[comparable(object.id), object]] : [])),
  );
  for (const [kind, some] of Map.groupBy(drafts, ({ object }) => object.resource.name)) {
    const names = uniqueIdentifiers(
      some.map(({ object }) => (hasName(object) ? object.name : nameByReferences(object, named))),
      underscored(kind),
    );
    for (const [index, draft] of some.entries()) addresses.set(draft, { kind, name: names[index] ?? "" });
  }
  return addresses;
}

const hasName = ({ name, id }: AccountObject): boolean => name !== id;

/**
 * Returns the names of the objects to which an object without a name refers, such as the volume and the instance of an attachment;
 * its VPC only if it refers to nothing else.
 */
function nameByReferences(
  { resource, state }: AccountObject,
  named: ReadonlyMap<string, AccountObject>,
): string {
  const objects = referenceNames(resource.fields).flatMap((field) => {
    const id = state.values[field];
    return typeof id === "string" ? (named.get(comparable(id)) ?? []) : [];
  });
  const inside = objects.filter((object) => object.resource.name !== "vpc");
  return (inside.length > 0 ? inside : objects).map(({ name }) => name).join(" ");
}

/** Attribute of the program that has an id. */
type Target = Extract<Expression, { kind: "reference" }>;

/** Returns the attribute that has the id; undefined for any other value, and for an attribute of the resource `from` itself. */
type Targets = (value: Value, from?: Address) => Target | undefined;

/**
 * Finds the attributes with the ids of objects: of an object in the program, of a part that its block makes, or of an object that
 * only an attribute of another one shows, such as the port of an instance.
 */
function targetsOf(drafts: readonly Draft[], addresses: ReadonlyMap<Draft, Address>): Targets {
  const targets = new Map<string, Target>();
  const add = (id: Value | undefined, to: Address, path: readonly string[]) => {
    if (typeof id !== "string" || targets.has(comparable(id))) return;
    targets.set(comparable(id), { kind: "reference", to, path });
  };
  const inForce = drafts.filter(isInForce).map((draft) => ({ draft, to: addresses.get(draft) as Address }));
  // An id that the user or a parent determines, such as that of a bucket policy, is the id of another object, too.
  for (const { draft, to } of inForce)
    if (!hasGivenId(draft.object.resource)) add(draft.object.id, to, ["id"]);
  for (const { draft, to } of inForce) {
    const { resource, state } = draft.object;
    for (const [name, candidate] of Object.entries(selectedGroups(draft.object)))
      if (draft.values[name] !== undefined && isRecord(candidate)) add(candidate.id, to, [name, "id"]);
    for (const { name, value: field } of entriesOf(resource.fields))
      if (field.kind === "field" && field.options.computed && field.options.references !== undefined)
        add(state.values[name], to, [name]);
  }
  return (value, from) => {
    const target = typeof value === "string" ? targets.get(comparable(value)) : undefined;
    return target !== undefined && from !== undefined && isSame(target.to, from) ? undefined : target;
  };
}

const isSame = (a: Address, b: Address): boolean => addressKey(a) === addressKey(b);

/** Returns the values of fields as entries, in the order of the fields. */
const entriesIn = (fields: Fields, values: Values, targetOf: (value: Value) => Target | undefined): Entry[] =>
  entriesOf(fields).flatMap(({ name, value: field }): Entry[] => {
    const value = values[name];
    return value === undefined ? [] : [[name, expressionOf(field, value, targetOf)]];
  });

function expressionOf(
  field: Field,
  value: Value,
  targetOf: (value: Value) => Target | undefined,
): Expression {
  if (field.kind === "group")
    return { kind: "group", entries: entriesIn(field.fields, isRecord(value) ? value : {}, targetOf) };
  const isReference = field.kind === "field" && field.options.references !== undefined;
  return plainExpression(value, isReference ? targetOf : () => undefined);
}

function plainExpression(value: Value, targetOf: (value: Value) => Target | undefined): Expression {
  if (Array.isArray(value))
    return { kind: "list", items: value.map((item) => plainExpression(item, targetOf)) };
  if (isRecord(value))
    return {
      kind: "map",
      entries: Object.keys(value)
        .toSorted()
        .map((key) => [key, plainExpression(value[key] ?? null, targetOf)]),
    };
  return targetOf(value) ?? { kind: "literal", value: value as string | number | boolean };
}
