import { snakeCase, terraformType } from "../../provider/core/name.ts";
import { type Resource, scopeFields } from "../../provider/definition/resource.ts";
import { listable } from "../../provider/terraform/codec/provider-schema.ts";
import { identityShape } from "../../provider/terraform/codec/schema.ts";
import { resources } from "../../resources/index.ts";
import { isImportable } from "../../tools/docs/import.ts";
import { unfilledAttributes } from "../../tools/docs/unfilled.ts";
import type { Features, ImportKind, Step } from "./case.ts";

/** Steps that import an object, and that find it in a list. */

/** Object of a configuration that is imported. */
export interface Imported {
  readonly resource: Resource;
  readonly address: string;
  /** Import id, with references to the state. */
  readonly id: string;
}

export const addressOf = ({ name, resource }: { readonly name: string; readonly resource: string }): string =>
  `${terraformType(resource)}.${name}`;

/** Returns a reference to an attribute, which the harness resolves from the state. */
export const reference = (address: string, attribute: string): string => `\${${address}.${attribute}}`;

/** Text with which the provider refuses the import of an object that exists in the state only. */
const stateOnlyRefusal = "an object of this kind exists in the state only, so there is nothing to import";
/** Text with which the provider refuses the import of an object that no request reads. */
const unreadableRefusal = "the API does not read objects of this kind";

/**
 * Returns the text with which the provider refuses the import of a kind; undefined for a kind that can be imported. `isReadable`
 * is true if the emulator has the reads that no source documents.
 */
export function refusalOf(resource: Resource, isReadable: boolean): string | undefined {
  if (resource.stateOnly) return stateOnlyRefusal;
  const canBeRead = resource.visibility?.unreadable === undefined || (isReadable && isImportable(resource));
  return canBeRead ? undefined : unreadableRefusal;
}

/** Returns the steps that import an object in every way that the engine supports. */
export function importSteps(
  { resource, address, id }: Imported,
  refusal: string | undefined,
  { hasIdentities }: Features,
  changed: readonly string[] | undefined,
): Step[] {
  const unfilled = unfilledAttributes(resource);
  const kinds: ImportKind[] = ["command", "id"];
  if (hasIdentities && resource.stateOnly !== true) kinds.push("identity");
  return kinds.map((kind) => ({
    import: {
      kind,
      address,
      id,
      ignored: unfilled.map(({ path }) => path),
      // The harness ignores all attributes that begin with one of these texts.
      verifyIgnored: unfilled.map(({ path, hasParts }) => (hasParts ? `${path}.` : path)),
      ...(changed && { changed }),
      ...(refusal && { refusal }),
    },
  }));
}

/** Returns the step that finds an object in a list of its kind; none if the kind has no list. */
export function querySteps({ resource, address }: Imported, { hasQueries }: Features): Step[] {
  if (!hasQueries || !listable(resources).includes(resource)) return [];
  const scope = Object.keys(scopeFields(resource))
    .filter((name) => name !== "region")
    .map(snakeCase);
  const lines = scope.map((name) => `    ${name} = var.${name}\n`).join("");
  const config = lines === "" ? "" : `  config {\n${lines}  }\n`;
  const type = terraformType(resource.name);
  return [
    {
      config: `list "${type}" "all" {\n  provider = kcloud\n  limit    = 1000\n${config}}\n`,
      variables: Object.fromEntries(scope.map((name) => [name, reference(address, name)])),
      query: {
        address: `${type}.all`,
        identity: Object.fromEntries(
          Object.keys(identityShape(resource).fields).map((name) => [
            snakeCase(name),
            reference(address, snakeCase(name)),
          ]),
        ),
      },
    },
  ];
}
