import { settingFields } from "../../config/setting.ts";
import { snakeCase } from "../../core/name.ts";
import type { Fields, Resource } from "../../definition/resource.ts";
import { type Member, membersOf, type Shape } from "../../definition/shape.ts";
import { versionOf } from "../../definition/upgrade.ts";
import { importForm } from "../../engine/import/id.ts";
import { scopeFields } from "../../engine/list.ts";
import {
  type ResourceIdentitySchema,
  type Schema,
  type Schema_Attribute,
  type Schema_Block,
  Schema_NestedBlock_NestingMode,
  Schema_Object_NestingMode,
} from "../tfplugin6/tfplugin6.ts";
import { sealedMembers } from "./write-only.ts";

/** Definitions as an engine sees them: the shape of the values that travel, and the schema that describes it. */

export type ObjectShape = Extract<Shape, { kind: "object" }>;

/** Of a call that is about no type of ours. */
export const nothing: ObjectShape = { kind: "object", fields: {} };

/** Of the schemas of all but resources, which have versions of their own. */
export const schemaVersion = 0;

export const timeoutNames = ["create", "read", "update", "delete"] as const;

const member = (shape: Shape, setBy: Member["setBy"], about: string): Member => ({
  shape,
  about,
  setBy,
  required: false,
  secret: false,
  writeOnly: false,
});

const text: Shape = { kind: "string" };
const idMember = member(text, "cloud", "Identifier, as the cloud gave it.");
const timeoutsMember = member(
  {
    kind: "object",
    fields: Object.fromEntries(
      timeoutNames.map((name) => [
        name,
        member(text, "user", `How long to wait for the ${name}, such as 30s, 10m or 1h30m.`),
      ]),
    ),
  },
  "user",
  "",
);

const once = <K extends object, V>(make: (key: K) => V): ((key: K) => V) => {
  const made = new WeakMap<K, V>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
};

export const providerShape: ObjectShape = { kind: "object", fields: membersOf(settingFields) };

/** A resource with what every resource has beside its fields. */
export const resourceShape = once(
  ({ fields }: Resource): ObjectShape => ({
    kind: "object",
    fields: { id: idMember, ...sealedMembers(fields), timeouts: timeoutsMember },
  }),
);

/** What is asked for, and answered beside it. */
export const answeredShape = once(
  ({ fields }: { readonly fields: Fields }): ObjectShape => ({ kind: "object", fields: membersOf(fields) }),
);

/** What is only asked for: nothing in it is ever answered. */
export const askedShape = once(
  (fields: Fields): ObjectShape => ({
    kind: "object",
    fields: Object.fromEntries(
      Object.entries(membersOf(fields)).map(([name, { default: _, ...asked }]) => [
        name,
        { ...asked, setBy: "user" },
      ]),
    ),
  }),
);

/** What tells a list where to look. */
export const listShape = once((resource: Resource): ObjectShape => askedShape(scopeFields(resource)));

/** What an object is found by: its parents, its id, and the region, which may be left to the provider. */
export const identityShape = once(({ parents = [], regional, fields }: Resource): ObjectShape => {
  const members: { readonly [name: string]: Member } = { ...membersOf(fields), id: idMember };
  const names = [...parents, "id", ...(regional === false ? [] : ["region"])];
  return {
    kind: "object",
    fields: Object.fromEntries(
      names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])),
    ),
  };
});

export const providerSchema = (): Schema => ({
  version: schemaVersion,
  block: { attributes: attributes(providerShape, false) },
});

export function resourceSchema(resource: Resource): Schema {
  const { timeouts, ...fields } = resourceShape(resource).fields;
  const shape = timeouts?.shape as ObjectShape;
  const block: Schema_Block = {
    description: `${resource.about} Import id: ${importForm(resource, snakeCase)}.`,
    attributes: attributes({ kind: "object", fields }, false),
    blockTypes: [
      {
        typeName: "timeouts",
        nesting: Schema_NestedBlock_NestingMode.SINGLE,
        block: { attributes: attributes(shape, false) },
      },
    ],
  };
  return { version: versionOf(resource), block };
}

/** Of a data source, of an ephemeral resource. */
export const answeredSchema = (asked: { readonly about: string; readonly fields: Fields }): Schema =>
  schemaOf(asked.about, answeredShape(asked));

export const listSchema = (resource: Resource): Schema => schemaOf(resource.about, listShape(resource));

export const actionSchema = ({ about, fields }: { about: string; fields: Fields }): Schema =>
  schemaOf(about, askedShape(fields));

const schemaOf = (about: string, shape: ObjectShape): Schema => ({
  version: schemaVersion,
  block: { description: about, attributes: attributes(shape, false) },
});

export const identitySchema = (resource: Resource): ResourceIdentitySchema => ({
  version: schemaVersion,
  identityAttributes: Object.entries(identityShape(resource).fields).map(([name, { shape, about }]) => ({
    name: snakeCase(name),
    type: Buffer.from(JSON.stringify(typeOf(shape))),
    description: about,
    requiredForImport: name !== "region",
    optionalForImport: name === "region",
  })),
});

/** What is inside of something the cloud sets is set by the cloud. */
const attributes = ({ fields }: ObjectShape, insideComputed: boolean): Schema_Attribute[] =>
  Object.entries(fields).map(([name, field]) =>
    attribute(name, insideComputed ? { ...field, setBy: "cloud", required: false } : field),
  );

function attribute(
  name: string,
  { shape, about, setBy, required, secret, writeOnly, ...rest }: Member,
): Schema_Attribute {
  const hasDefault = rest.default !== undefined;
  const described: Schema_Attribute = {
    name: snakeCase(name),
    description: about,
    required,
    optional: !required && setBy !== "cloud",
    computed: setBy !== "user" || (hasDefault && !required),
    sensitive: secret,
    writeOnly,
  };
  const nested = nestedShape(shape);
  return nested === undefined
    ? { ...described, type: Buffer.from(JSON.stringify(typeOf(shape))) }
    : {
        ...described,
        nestedType: {
          nesting: nested.nesting,
          attributes: attributes(nested.shape, setBy === "cloud"),
        },
      };
}

const nestings = {
  list: Schema_Object_NestingMode.LIST,
  set: Schema_Object_NestingMode.SET,
  map: Schema_Object_NestingMode.MAP,
} as const;

/** Objects, alone or collected, are nested attributes. */
function nestedShape(shape: Shape): { nesting: Schema_Object_NestingMode; shape: ObjectShape } | undefined {
  if (shape.kind === "object") return { nesting: Schema_Object_NestingMode.SINGLE, shape };
  return "of" in shape && shape.of.kind === "object"
    ? { nesting: nestings[shape.kind], shape: shape.of }
    : undefined;
}

/** The engine's name of a type: `"string"`, `["list","string"]`. No schema has an object's. */
export function typeOf(shape: Shape, objectType: (shape: ObjectShape) => unknown = noType): unknown {
  if (shape.kind === "object") return objectType(shape);
  if ("of" in shape) return [shape.kind, typeOf(shape.of, objectType)];
  return shape.kind === "boolean" ? "bool" : shape.kind;
}

function noType(): never {
  throw new TypeError("an object within a collection of collections has no schema");
}
