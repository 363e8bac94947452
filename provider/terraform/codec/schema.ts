import { providerAbout, settingFields } from "../../config/config.ts";
import { formatDuration } from "../../core/duration.ts";
import { memoize } from "../../core/memoize.ts";
import { plural, snakeCase, term } from "../../core/name.ts";
import { inWordsOf, type Text, wording } from "../../core/wording.ts";
import { describeInput } from "../../definition/description.ts";
import type { Fields } from "../../definition/field.ts";
import { importForm } from "../../definition/import-id.ts";
import type { Resource } from "../../definition/resource.ts";
import { scopeFields } from "../../definition/resource.ts";
import { type Member, membersOf, type ObjectShape, type Shape } from "../../definition/shape.ts";
import { versionOf } from "../../definition/upgrade.ts";
import {
  type ResourceIdentitySchema,
  type Schema,
  type Schema_Attribute,
  type Schema_Block,
  Schema_NestedBlock_NestingMode,
  Schema_Object_NestingMode,
  StringKind,
} from "../tfplugin6/tfplugin6.ts";
import { writeOnlyMembers } from "./write-only.ts";

/** Shapes of the protocol values of definitions, and the schemas of these shapes for engines. */

/** Shape for calls with an unknown type. */
export const emptyShape: ObjectShape = { kind: "object", fields: {} };

/** Version of all schemas except those of resources, each of which has its own. */
export const schemaVersion = 0;

export const timeoutNames = ["create", "read", "update", "delete"] as const;

const member = (shape: Shape, setBy: Member["setBy"], about: Text): Member => ({
  shape,
  about,
  setBy,
  required: false,
  secret: false,
  writeOnly: false,
});

const text: Shape = { kind: "string" };
const idMember = ({ name, noun = term(name) }: Resource): Member =>
  member(text, "cloud", `ID of the ${noun}.`);
const timeoutsMember = member(
  {
    kind: "object",
    fields: Object.fromEntries(timeoutNames.map((name) => [name, member(text, "user", "")])),
  },
  "user",
  "",
);

export const providerShape: ObjectShape = { kind: "object", fields: membersOf(settingFields) };

/** Returns the shape of a resource: its fields, `id` and `timeouts`. */
export const resourceShape = memoize(
  (resource: Resource): ObjectShape => ({
    kind: "object",
    fields: { id: idMember(resource), ...writeOnlyMembers(resource.fields), timeouts: timeoutsMember },
  }),
);

/** Returns the shape of a data source or an ephemeral resource: inputs and results. */
export const definitionShape = memoize(
  ({ fields }: { readonly fields: Fields }): ObjectShape => ({ kind: "object", fields: membersOf(fields) }),
);

/** Returns the shape of inputs without results, for actions and lists: no member is computed. */
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

/** Returns the shape of the configuration of a list block. */
export const listShape = memoize((resource: Resource): ObjectShape => inputShape(scopeFields(resource)));

/** Returns the shape of a resource identity: parents, id, and region, which defaults to that of the provider. */
export const identityShape = memoize((resource: Resource): ObjectShape => {
  const { parents = [], regional, fields } = resource;
  const members: { readonly [name: string]: Member } = { ...membersOf(fields), id: idMember(resource) };
  const names = [...parents, "id", ...(regional === false ? [] : ["region"])];
  return {
    kind: "object",
    fields: Object.fromEntries(
      names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])),
    ),
  };
});

export const providerSchema = (): Schema => schemaOf(providerAbout, providerShape);

export function resourceSchema(resource: Resource): Schema {
  const { timeouts: _, ...fields } = resourceShape(resource).fields;
  const about = resource.stateOnly
    ? resource.about
    : wording`${resource.about} Import ID: ${importForm(resource)}.`;
  const block: Schema_Block = {
    ...documentation(about),
    attributes: attributes({ kind: "object", fields }, { resource }),
    blockTypes: [
      {
        typeName: "timeouts",
        nesting: Schema_NestedBlock_NestingMode.SINGLE,
        block: {
          ...documentation("Time limits of the operations on the object."),
          attributes: timeoutNames.map((name) => attribute(name, timeoutMember(resource, name), {})),
        },
      },
    ],
  };
  return { version: versionOf(resource), block };
}

const timeoutMember = ({ timeouts }: Resource, name: (typeof timeoutNames)[number]): Member =>
  member(
    text,
    "user",
    `Time limit of the ${name}, such as \`30s\`, \`10m\` or \`1h30m\`. Default: \`${formatDuration(timeouts[name])}\`.`,
  );

/** Returns the schema of a data source or an ephemeral resource. */
export const definitionSchema = (definition: { readonly about: Text; readonly fields: Fields }): Schema =>
  schemaOf(definition.about, definitionShape(definition));

export const listSchema = (resource: Resource): Schema =>
  schemaOf(`Lists existing ${term(plural(resource.name))} for a query.`, listShape(resource));

export const actionSchema = ({ about, fields }: { about: Text; fields: Fields }): Schema =>
  schemaOf(about, inputShape(fields));

const schemaOf = (about: Text, shape: ObjectShape): Schema => ({
  version: schemaVersion,
  block: { ...documentation(about), attributes: attributes(shape, {}) },
});

/** Returns a description in the terms of Terraform. */
const documentation = (about: Text) => ({
  description: inWordsOf("terraform", about),
  descriptionKind: StringKind.MARKDOWN,
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

/** Position of attributes in a schema. */
interface Place {
  /** Managed resource that has the attributes. */
  readonly resource?: Resource;
  /** True inside a computed attribute, where all attributes are computed. */
  readonly isComputed?: boolean;
}

const attributes = ({ fields }: ObjectShape, place: Place): Schema_Attribute[] =>
  Object.entries(fields).map(([name, field]) =>
    attribute(name, place.isComputed ? { ...field, setBy: "cloud", required: false } : field, place),
  );

function attribute(name: string, member: Member, place: Place): Schema_Attribute {
  const { shape, about, setBy, required, secret, writeOnly } = member;
  const hasDefault = member.default !== undefined;
  const described: Schema_Attribute = {
    name: snakeCase(name),
    ...documentation(setBy === "cloud" ? about : describeInput(member, place.resource)),
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
          attributes: attributes(nested.shape, { ...place, isComputed: setBy === "cloud" }),
        },
      };
}

const nestingModes = {
  list: Schema_Object_NestingMode.LIST,
  set: Schema_Object_NestingMode.SET,
  map: Schema_Object_NestingMode.MAP,
} as const;

/** Returns the shape of nested attributes, for an object or a collection of objects; undefined for any other shape. */
function nestedShape(shape: Shape): { nesting: Schema_Object_NestingMode; shape: ObjectShape } | undefined {
  if (shape.kind === "object") return { nesting: Schema_Object_NestingMode.SINGLE, shape };
  return "of" in shape && shape.of.kind === "object"
    ? { nesting: nestingModes[shape.kind], shape: shape.of }
    : undefined;
}

/** Returns the type for engines: `"string"`, `["list","string"]`. Objects are nested attributes in schemas. */
export function typeOf(shape: Shape, objectType: (shape: ObjectShape) => unknown = noType): unknown {
  if (shape.kind === "object") return objectType(shape);
  if ("of" in shape) return [shape.kind, typeOf(shape.of, objectType)];
  return shape.kind === "boolean" ? "bool" : shape.kind;
}

function noType(): never {
  throw new TypeError("an object within a collection of collections has no schema");
}
