import type { Problem } from "../../core/error.ts";
import { snakeCase } from "../../core/name.ts";
import type { Held } from "../../core/state.ts";
import { equal, isRecord, type Path, type Value, type Values } from "../../core/value.ts";
import type { Fields } from "../../definition/field.ts";
import { type Member, memberOf, membersOf } from "../../definition/shape.ts";

/**
 * Secrets that are only sent. Each, in a group too, has a second form beside it, which engines keep in no plan and no
 * state, and a version: what stands there of the secret is unknown for good, so that its version stands for it in
 * every comparison.
 */

interface Sealed {
  readonly name: string;
  /** `modelApiKeyWo`: the form that is only sent. */
  readonly sent: string;
  /** `modelApiKeyWoVersion`. */
  readonly version: string;
}

/** The secrets among fields, and the groups that have some in them. */
interface Level {
  readonly secrets: readonly Sealed[];
  readonly groups: readonly (readonly [name: string, fields: Fields])[];
}

const known = new WeakMap<Fields, Level>();

function levelOf(fields: Fields): Level {
  const level = known.get(fields) ?? makeLevel(fields);
  known.set(fields, level);
  return level;
}

function makeLevel(fields: Fields): Level {
  const all = Object.entries(fields);
  return {
    secrets: all.flatMap(([name, field]) =>
      field.kind === "field" && field.options.secret === true
        ? [{ name, sent: `${name}Wo`, version: `${name}WoVersion` }]
        : [],
    ),
    groups: all.flatMap(([name, field]) => {
      if (field.kind !== "group") return [];
      const { secrets, groups } = levelOf(field.fields);
      return secrets.length + groups.length > 0 ? [[name, field.fields] as const] : [];
    }),
  };
}

const isGiven = (value: Value | undefined): boolean => value !== undefined && value !== null;

/** A group as it stands in values; empty where there is none. */
const groupIn = (values: Values, name: string): Values => {
  const value = values[name];
  return isRecord(value) ? value : {};
};

/** Does the same in every group that is there. */
function inGroups(
  fields: Fields,
  values: Values,
  change: (fields: Fields, values: Values, name: string) => Values,
): Values {
  const changed = { ...values };
  for (const [name, inner] of levelOf(fields).groups)
    if (isRecord(values[name])) changed[name] = change(inner, groupIn(values, name), name);
  return changed;
}

/** The attributes of fields: beside each secret its second form and the version of that. */
export function sealedMembers(fields: Fields): { readonly [name: string]: Member } {
  const { secrets, groups } = levelOf(fields);
  const members = membersOf(fields);
  const inner = groups.map(([name, of]) => {
    const member = memberOf(fields[name] as Fields[string]);
    return [name, { ...member, shape: { kind: "object", fields: sealedMembers(of) } }] as const;
  });
  const forms = secrets.flatMap((secret) => formsOf(memberOf(fields[secret.name] as Fields[string]), secret));
  return { ...members, ...Object.fromEntries(inner), ...Object.fromEntries(forms) };
}

/** A secret in both forms, of which either will do. */
function formsOf(member: Member, { name, sent, version }: Sealed): [string, Member][] {
  const { default: _, ...plain } = member;
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
    [name, { ...member, required: false }],
    [sent, { ...plain, about, setBy: "user", required: false, writeOnly: true }],
    [version, number],
  ];
}

/** What is wrong with the forms that a configuration gives; the secrets themselves are checked as the fields are. */
export function sealedProblems(fields: Fields, config: Values, allowed: boolean, path: Path = []): Problem[] {
  const { secrets, groups } = levelOf(fields);
  const own = secrets.flatMap(({ name, sent, version }): Problem[] => {
    const [isSent, isVersioned] = [isGiven(config[sent]), isGiven(config[version])];
    const problem = (at: string, problem: string) => [{ path: [...path, at], problem }];
    if (isSent && !allowed)
      return problem(sent, `needs Terraform 1.11 or OpenTofu 1.11; with this engine give ${snakeCase(name)}`);
    if (isSent && isGiven(config[name])) return problem(sent, `give either this or ${snakeCase(name)}`);
    if (isSent && !isVersioned) return problem(version, `is due beside ${snakeCase(sent)}`);
    return isVersioned && !isSent ? problem(sent, `is due beside ${snakeCase(version)}`) : [];
  });
  const inner = groups.flatMap(([name, of]) =>
    sealedProblems(of, groupIn(config, name), allowed, [...path, name]),
  );
  return [...own, ...inner];
}

/**
 * Values as the core takes them: whichever form a secret was given in. What is only sent no plan has: it is in `config`.
 */
export function unsealed(fields: Fields, values: Values, config: Values = values): Values {
  const written = inGroups(fields, values, (of, group, name) => unsealed(of, group, groupIn(config, name)));
  for (const { name, sent, version } of levelOf(fields).secrets) {
    if (isGiven(config[sent])) written[name] = config[sent] ?? null;
    delete written[sent];
    delete written[version];
  }
  return written;
}

/** A problem of a secret at the form that it was given in. */
export const atSealed = (fields: Fields, config: Values, { path, problem }: Problem): Problem => ({
  path: givenAt(fields, config, path),
  problem,
});

function givenAt(fields: Fields, config: Values, path: Path): Path {
  const [name = "", ...rest] = path;
  const { secrets, groups } = levelOf(fields);
  const secret = secrets.find((secret) => secret.name === name);
  if (secret !== undefined && isGiven(config[secret.sent])) return [secret.sent, ...rest];
  const group = groups.find(([group]) => group === name);
  return group === undefined ? path : [name, ...givenAt(group[1], groupIn(config, group[0]), rest)];
}

/** What stood there before, so that a secret has changed where its version has, and nowhere else. */
export const sealedBefore = (fields: Fields, held: Held, prior: Values, config: Values): Held => ({
  ...held,
  values: valuesBefore(fields, held.values, prior, config),
});

function valuesBefore(fields: Fields, held: Values, prior: Values, config: Values): Values {
  const values = inGroups(fields, held, (of, group, name) =>
    valuesBefore(of, group, groupIn(prior, name), groupIn(config, name)),
  );
  for (const { name, sent, version } of levelOf(fields).secrets) {
    const before = prior[version] ?? null;
    if (before === null) continue;
    values[name] = equal(before, config[version] ?? null)
      ? (config[sent] ?? null)
      : `version ${String(before)}`;
  }
  return values;
}

/** An object as engines may keep it: in place of each secret that was only sent, its version. */
export function sealed(fields: Fields, values: Values, like: Values): Values {
  const kept = inGroups(fields, values, (of, group, name) => sealed(of, group, groupIn(like, name)));
  for (const { name, version } of levelOf(fields).secrets) {
    const stands = like[version] ?? null;
    kept[version] = stands;
    if (stands !== null) kept[name] = null;
  }
  return kept;
}

/** The attribute that a change of a field shows at. */
export function changedAt(fields: Fields, planned: Values, prior: Values, path: Path): Path {
  const [name = "", ...rest] = path;
  const { secrets, groups } = levelOf(fields);
  const secret = secrets.find((secret) => secret.name === name);
  if (secret !== undefined && (isGiven(planned[secret.version]) || isGiven(prior[secret.version])))
    return [secret.version];
  const group = groups.find(([group]) => group === name);
  if (group === undefined) return path;
  return [name, ...changedAt(group[1], groupIn(planned, group[0]), groupIn(prior, group[0]), rest)];
}
