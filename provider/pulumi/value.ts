import {
  isSecret,
  mapValues,
  type Path,
  type Plain,
  reveal,
  secret,
  UNKNOWN,
  type Value,
} from "../core/value.ts";

/**
 * Values in Pulumi's wire format: JSON in which a typed value is an object with a signature member, and an unknown
 * value is a reserved UUID string. Assets and archives are not converted: no field accepts one.
 */

const signature = "4dabf18193072939515e22adb298388d";
const signatures = {
  secret: "1b47061264138c4ac30d75fd1eb44270",
  output: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  resource: "5cf8f73096256a8f31e491e813e4eb8e",
};

/** Wire form of an unknown value: the UUID for strings, which the engine accepts for a property of any type. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const unknowns: ReadonlySet<unknown> = new Set([
  unknown,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", // boolean
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421", // number
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", // array
  "030794c1-ac77-496b-92df-f27374a8bd58", // asset
  "e48ece36-62e2-4504-bad9-02848725956a", // archive
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff", // object
]);

/** Returns true for the wire form of a secret. */
export const isSecretOnWire = (wire: { readonly [name: string]: unknown }): boolean =>
  wire[signature] === signatures.secret;

/** Decodes a wire value. */
export function decodeValue(wire: Plain): Value {
  if (unknowns.has(wire)) return UNKNOWN;
  if (Array.isArray(wire)) return wire.map(decodeValue);
  if (typeof wire !== "object" || wire === null) return wire;
  switch (wire[signature]) {
    case signatures.secret:
      return asSecret(decodeValue(wire.value ?? null));
    case signatures.output: {
      const value = wire.value === undefined ? UNKNOWN : decodeValue(wire.value);
      return wire.secret === true ? asSecret(value) : value;
    }
    case signatures.resource:
      return wire.id === "" ? UNKNOWN : decodeValue(wire.id ?? wire.urn ?? null);
    default:
      return mapValues(wire, decodeValue);
  }
}

const asSecret = (value: Value): Value => (isSecret(value) ? value : secret(value));

/** Encodes a value for the wire. */
export function encodeValue(value: Value): Plain {
  if (value === UNKNOWN) return unknown;
  if (isSecret(value)) return { [signature]: signatures.secret, value: encodeValue(reveal(value)) };
  if (Array.isArray(value)) return value.map(encodeValue);
  if (typeof value === "object" && value !== null)
    return mapValues(value, encodeValue) as { [name: string]: Plain };
  return value;
}

/** Formats a path in the notation of the engine: `metadata["a.b"]`, `disks[1].sizeGb`. */
export function propertyPath(path: Path): string {
  const steps = path.map((step) => {
    if (typeof step === "number") return `[${step}]`;
    return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return steps.join("").replace(/^\./, "");
}
