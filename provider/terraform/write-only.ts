import type { Fields } from "../define.ts";
import type { Held, Problem } from "../errors.ts";
import { snakeCase } from "../names.ts";
import { type Member, memberOf } from "../shape.ts";
import { equal, type Value, type Values } from "../value.ts";

/**
 * Secrets that are only sent. Each has a second form, which engines keep in no plan and no state, and a version beside
 * it: what stands there of the secret is unknown for good, so that its version stands for it in every comparison.
 */

interface Sealed {
  readonly name: string;
  /** `modelApiKeyWo`: the form that is only sent. */
  readonly sent: string;
  /** `modelApiKeyWoVersion`. */
  readonly version: string;
}

const known = new WeakMap<Fields, readonly Sealed[]>();

/** What the cloud takes as a secret and never shows again. */
function sealedIn(fields: Fields): readonly Sealed[] {
  const made =
    known.get(fields) ??
    Object.entries(fields).flatMap(([name, field]) =>
      field.kind === "field" && field.options.secret === true && field.options.unreadable === true
        ? [{ name, sent: `${name}Wo`, version: `${name}WoVersion` }]
        : [],
    );
  known.set(fields, made);
  return made;
}

const isGiven = (value: Value | undefined): boolean => value !== undefined && value !== null;

/** The attributes that a resource has for them beside its fields. */
export const sealedMembers = (fields: Fields): { readonly [name: string]: Member } =>
  Object.fromEntries(
    sealedIn(fields).flatMap(({ name, sent, version }) => {
      const member = memberOf(fields[name] as Fields[string]);
      const about = `${member.about} This form is kept in no state.`;
      const number: Member = {
        shape: { kind: "number" },
        about: `Any number; a change of it means that ${snakeCase(sent)} is another secret now.`,
        setBy: "user",
        required: false,
        secret: false,
        writeOnly: false,
      };
      return [
        [sent, { ...member, about, required: false, writeOnly: true }],
        [version, number],
      ];
    }),
  );

/** What is wrong with the forms that a configuration gives; the secrets themselves are checked as the fields are. */
export function sealedProblems(fields: Fields, config: Values, allowed: boolean): Problem[] {
  return sealedIn(fields).flatMap(({ name, sent, version }): Problem[] => {
    const [isSent, isVersioned] = [isGiven(config[sent]), isGiven(config[version])];
    if (isSent && !allowed)
      return [
        {
          path: [sent],
          problem: `needs Terraform 1.11 or OpenTofu 1.11; with this engine give ${snakeCase(name)}`,
        },
      ];
    if (isSent && isGiven(config[name]))
      return [{ path: [sent], problem: `give either this or ${snakeCase(name)}` }];
    if (isSent && !isVersioned) return [{ path: [version], problem: `is due beside ${snakeCase(sent)}` }];
    return isVersioned && !isSent ? [{ path: [sent], problem: `is due beside ${snakeCase(version)}` }] : [];
  });
}

/** A configuration as the core takes it: whichever form a secret was given in. */
export function unsealed(fields: Fields, config: Values): Values {
  const written = { ...config };
  for (const { name, sent, version } of sealedIn(fields)) {
    if (isGiven(config[sent])) written[name] = config[sent] ?? null;
    delete written[sent];
    delete written[version];
  }
  return written;
}

/** The secrets that a configuration only sends: no plan has them. */
export const sentIn = (fields: Fields, config: Values): Values =>
  Object.fromEntries(sealedIn(fields).map(({ sent }) => [sent, config[sent] ?? null]));

/** A problem of a secret at the form that it was given in. */
export const atSealed = (fields: Fields, config: Values, { path, problem }: Problem): Problem => {
  const found = sealedIn(fields).find(({ name, sent }) => name === path[0] && isGiven(config[sent]));
  return { path: found === undefined ? path : [found.sent, ...path.slice(1)], problem };
};

/** What stood there before, so that a secret has changed where its version has, and nowhere else. */
export function sealedBefore(fields: Fields, held: Held, prior: Values, config: Values): Held {
  const values = { ...held.values };
  for (const { name, sent, version } of sealedIn(fields)) {
    const before = prior[version] ?? null;
    if (before === null) continue;
    values[name] = equal(before, config[version] ?? null)
      ? (config[sent] ?? null)
      : `version ${String(before)}`;
  }
  return { ...held, values };
}

/** An object as engines may keep it: in place of each secret that was only sent, its version. */
export function sealed(fields: Fields, values: Values, like: Values): Values {
  const kept = { ...values };
  for (const { name, version } of sealedIn(fields)) {
    const stands = like[version] ?? null;
    kept[version] = stands;
    if (stands !== null) kept[name] = null;
  }
  return kept;
}

/** The attribute that a change of a field shows at. */
export const changedAt = (fields: Fields, planned: Values, prior: Values | undefined, name: string): string =>
  sealedIn(fields).find(
    (sealed) =>
      sealed.name === name && (isGiven(planned[sealed.version]) || isGiven(prior?.[sealed.version])),
  )?.version ?? name;
