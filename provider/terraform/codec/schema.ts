import { settingFields } from "../../config/config.ts";
import { snakeCase } from "../../core/name.ts";
import { inWordsOf } from "../../core/wording.ts";
import type { Fields } from "../../definition/field.ts";
import { importForm } from "../../definition/import-id.ts";
import type { Resource } from "../../definition/resource.ts";
import { scopeFields } from "../../definition/resource.ts";
import { type Member, membersOf, type Shape } from "../../definition/shape.ts";
import { versionOf } from "../../definition/upgrade.ts";
import {
  type ResourceIdentitySchema,
  type Schema,
  type Schema_Attribute,
  type Schema_Block,
  Schema_NestedBlock_NestingMode,
  Schema_Object_NestingMode,
} from "../tfplugin6/tfplugin6.ts";
import { writeOnlyMembers } from "./write-only.ts";

/** Shapes of the values of definitions on the wire, and the schemas that describe these shapes to engines. */

export type ObjectShape = Extract<Shape, { kind: "object" }>;

/** Shape for calls that name no type of this provider. */
export const emptyShape: ObjectShape = { kind: "object", fields: {} };

/** Version of all schemas except those of resources, which have their own. */
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

const memoize = <K extends object, V>(make: (key: K) => V): ((key: K) => V) => {
  const cache = new WeakMap<K, V>();
  return (key) => {
    const value = cache.get(key) ?? make(key);
    cache.set(key, value);
    return value;
  };
};

export const providerShape: ObjectShape = { kind: "object", fields: membersOf(settingFields) };

/** Shape of a resource: its fields, `id` and `timeouts`. */
export const resourceShape = memoize(
  ({ fields }: Resource): ObjectShape => ({
    kind: "object",
    fields: { id: idMember, ...writeOnlyMembers(fields), timeouts: timeoutsMember },
  }),
);

/** Shape of a data source or an ephemeral resource: inputs and results. */
export const definitionShape = memoize(
  ({ fields }: { readonly fields: Fields }): ObjectShape => ({ kind: "object", fields: membersOf(fields) }),
);

/** Shape of inputs without results, so that nothing in it is computed: actions, lists. */
export const inputShape = memoize(
  (fields: Fields): ObjectShape => ({
    kind: "object",
    fields: Object.fromEntries(
      Object.entries(membersOf(fields)).map(([name, { default: _, ...input }]) => [
        name,
        { ...input, setBy: "user" },
      ]),
    ),
  }),
);

/** Shape of the configuration of a list block. */
export const listShape = memoize((resource: Resource): ObjectShape => inputShape(scopeFields(resource)));

/** Shape of a resource identity: parents, id, and the region, which defaults to the one of the provider. */
export const identityShape = memoize(({ parents = [], regional, fields }: Resource): ObjectShape => {
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
    description: `${inWordsOf("terraform", resource.about)} Import id: ${importForm(resource, snakeCase)}.`,
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

/** Schema of a data source or an ephemeral resource. */
export const definitionSchema = (definition: { readonly about: string; readonly fields: Fields }): Schema =>
  schemaOf(definition.about, definitionShape(definition));

export const listSchema = (resource: Resource): Schema => schemaOf(resource.about, listShape(resource));

export const actionSchema = ({ about, fields }: { about: string; fields: Fields }): Schema =>
  schemaOf(about, inputShape(fields));

const schemaOf = (about: string, shape: ObjectShape): Schema => ({
  version: schemaVersion,
  block: { description: inWordsOf("terraform", about), attributes: attributes(shape, false) },
});

export const identitySchema = (resource: Resource): ResourceIdentitySchema => ({
  version: schemaVersion,
  identityAttributes: Object.entries(identityShape(resource).fields).map(([name, { shape, about }]) => ({
    name: snakeCase(name),
    type: Buffer.from(JSON.stringify(typeOf(shape))),
    description: inWordsOf("terraform", about),
    requiredForImport: name !== "region",
    optionalForImport: name === "region",
  })),
});

/** Attributes of an object. All attributes inside a computed attribute are computed. */
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
    description: inWordsOf("terraform", about),
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

/** Shape of nested attributes: objects and collections of objects. */
function nestedShape(shape: Shape): { nesting: Schema_Object_NestingMode; shape: ObjectShape } | undefined {
  if (shape.kind === "object") return { nesting: Schema_Object_NestingMode.SINGLE, shape };
  return "of" in shape && shape.of.kind === "object"
    ? { nesting: nestings[shape.kind], shape: shape.of }
    : undefined;
}

/** Type as engines write it: `"string"`, `["list","string"]`. Schemas describe objects as nested attributes instead. */
export function typeOf(shape: Shape, objectType: (shape: ObjectShape) => unknown = noType): unknown {
  if (shape.kind === "object") return objectType(shape);
  if ("of" in shape) return [shape.kind, typeOf(shape.of, objectType)];
  return shape.kind === "boolean" ? "bool" : shape.kind;
}

function noType(): never {
  throw new TypeError("an object within a collection of collections has no schema");
}
