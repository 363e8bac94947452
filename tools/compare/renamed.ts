import renamed from "./renamed.json" with { type: "json" };

/** Names of the base revision and their replacements in the head revision. */
export interface Renamed {
  /** Exported TypeScript names: `{ "Held": "ResourceState" }`. */
  readonly exports: Readonly<Record<string, string>>;
  /** Properties of exported types, in every type (`"known"`) or in one exported type (`"Held.known"`). */
  readonly members: Readonly<Record<string, string>>;
  /** String literal types, such as the values of a discriminator. */
  readonly literals: Readonly<Record<string, string>>;
  /** File names below the `golden` folders of the tests. */
  readonly goldens: Readonly<Record<string, string>>;
}

/** Table in `renamed.json`, which applies to the base revision. */
export const renames: Renamed = renamed;

/** Table for the head revision, which renames nothing. */
export const unchanged: Renamed = { exports: {}, members: {}, literals: {}, goldens: {} };

/** Returns the name in the head revision for a name of the base revision. */
export const renamedTo = (names: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(names, name) ? (names[name] ?? name) : name;
