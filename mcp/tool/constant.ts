import manifest from "../../package.json" with { type: "json" };
import { resources } from "../../resources/index.ts";
import { kinds } from "../object/kind.ts";

/**
 * Returns the version of the package, and the kinds that each tool accepts. The bundler runs this function and replaces it with its
 * result (tools/bundle.ts): the list of tools loads no definition.
 */
export const constants = () => {
  const all = [...kinds.values()];
  const names = (selected: (kind: (typeof all)[number]) => boolean) =>
    all.filter(selected).map(({ name }) => name);
  return {
    version: manifest.version,
    known: names(() => true),
    listed: names((kind) => kind.all !== undefined),
    read: names((kind) => kind.one !== undefined || kind.isRead),
    managed: resources.map(({ name }) => name),
    /** Lookups of each kind, by which their schemas are found. */
    lookups: Object.fromEntries(
      all.map(({ name, all: list, one }) => [name, { list: list?.name, one: one?.name }]),
    ) as Readonly<Record<string, { readonly list?: string | undefined; readonly one?: string | undefined }>>,
  };
};
