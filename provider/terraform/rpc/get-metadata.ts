import { terraformType } from "../../core/name.ts";
import { functionName } from "../codec/function.ts";
import { type Definitions, listable, serverCapabilities } from "../codec/provider-schema.ts";
import type { GetMetadata_Response } from "../tfplugin6/tfplugin6.ts";

const typeNames = (definitions: readonly { readonly name: string }[]): { typeName: string }[] =>
  definitions.map(({ name }) => ({ typeName: terraformType(name) }));

/** Returns the response to GetMetadata: capabilities and names of all types, without their schemas. */
export const metadataOf = (definitions: Definitions): GetMetadata_Response => ({
  serverCapabilities,
  resources: typeNames(definitions.resources),
  dataSources: typeNames(definitions.lookups),
  functions: definitions.functions.map((definition) => ({ name: functionName(definition) })),
  ephemeralResources: typeNames(definitions.ephemerals),
  listResources: typeNames(listable(definitions.resources)),
  actions: typeNames(definitions.actions),
});
