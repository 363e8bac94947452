import type { Problem } from "../../core/error.ts";
import { memoize } from "../../core/memoize.ts";
import { snakeCase } from "../../core/name.ts";
import type { ResourceState } from "../../core/state.ts";
import { equal, isRecord, type Path, UNKNOWN, type Value, type Values } from "../../core/value.ts";
import { wording } from "../../core/wording.ts";
import type { Fields } from "../../definition/field.ts";
import type { Resource } from "../../definition/resource.ts";
import { type Member, memberOf, membersOf } from "../../definition/shape.ts";

/**
 * Write-only arguments. Every secret, also within a group, has two more attributes: a write-only form, which engines
 * store in no plan and no state, and a version. As the state does not contain the write-only secret, comparisons use its
 * version.
 */

interface SecretForms {
  readonly name: string;
  /** Name of the write-only form: `modelApiKeyWo`. */
  readonly writeOnly: string;
  /** Name of the version: `modelApiKeyWoVersion`. */
  readonly version: string;
}

/** Secrets among fields, and the groups that contain secrets. */
interface SecretFields {
  readonly secrets: readonly SecretForms[];
  readonly groups: readonly (readonly [name: string, fields: Fields])[];
}

const secretFieldsOf = memoize((fields: Fields): SecretFields => {
  const all = Object.entries(fields);
  return {
    secrets: all.flatMap(([name, field]) =>
      field.kind === "field" && field.options.secret === true
        ? [{ name, writeOnly: `${name}Wo`, version: `${name}WoVersion` }]
        : [],
    ),
    groups: all.flatMap(([name, field]) => {
      if (field.kind !== "group") return [];
      const { secrets, groups } = secretFieldsOf(field.fields);
      return secrets.length + groups.length > 0 ? [[name, field.fields] as const] : [];
    }),
  };
});

const isGiven = (value: Value | undefined): boolean => value !== undefined && value !== null;

/** Returns true for a value that is known not to be null. An unknown one may be null. */
const isSet = (value: Value | undefined): boolean => isGiven(value) && value !== UNKNOWN;

/** Returns true if the write-only form has the secret, or may have it while no form is known to be set. */
const isWriteOnly = (config: Values, { name, writeOnly }: SecretForms): boolean =>
  isSet(config[writeOnly]) || (isGiven(config[writeOnly]) && !isSet(config[name]));

/** Returns the values of a group; empty if the group is null. */
const groupIn = (values: Values, name: string): Values => {
  const value = values[name];
  return isRecord(value) ? value : {};
};

/** Returns the values with `change` applied to every group that contains secrets and is not null. */
function inGroups(
  fields: Fields,
  values: Values,
  change: (fields: Fields, values: Values, name: string) => Values,
): Values {
  const changed = { ...values };
  for (const [name, inner] of secretFieldsOf(fields).groups)
    if (isRecord(values[name])) changed[name] = change(inner, groupIn(values, name), name);
  return changed;
}

/** Returns the attributes of fields, including write-only form and version of each secret. */
export function writeOnlyMembers(fields: Fields): { readonly [name: string]: Member } {
  const { secrets, groups } = secretFieldsOf(fields);
  const members = membersOf(fields);
  const inner = groups.map(([name, of]) => {
    const member = memberOf(fields[name] as Fields[string]);
    return [name, { ...member, shape: { kind: "object", fields: writeOnlyMembers(of) } }] as const;
  });
  const forms = secrets.flatMap((secret) => formsOf(memberOf(fields[secret.name] as Fields[string]), secret));
  return { ...members, ...Object.fromEntries(inner), ...Object.fromEntries(forms) };
}

/** Returns the attributes of one secret: plain form, write-only form, version. Either form may be configured. */
function formsOf(member: Member, { name, writeOnly, version }: SecretForms): [string, Member][] {
  const { default: _, ...plain } = member;
  const about = wording`Write-only form of \`${snakeCase(name)}\`, stored in no plan and no state. ${member.about}`;
  const number: Member = {
    shape: { kind: "number" },
    about: `Version of \`${snakeCase(writeOnly)}\`, a number such as 1: change it whenever its value changes.`,
    setBy: "user",
    required: false,
    secret: false,
    writeOnly: false,
  };
  return [
    [name, { ...member, required: false }],
    [writeOnly, { ...plain, about, setBy: "user", required: false, writeOnly: true }],
    [version, number],
  ];
}

/**
 * Returns the problems of the configured forms. An unknown form may be null: it is checked in the plan or apply that
 * knows it. `allowed` is true if the engine supports write-only arguments. */
export function writeOnlyProblems(
  fields: Fields,
  config: Values,
  allowed: boolean,
  path: Path = [],
): Problem[] {
  const { secrets, groups } = secretFieldsOf(fields);
  const problems = secrets.flatMap(({ name, writeOnly, version }): Problem[] => {
    const problem = (field: string, problem: string) => [{ path: [...path, field], problem }];
    if (isGiven(config[writeOnly]) && !allowed)
      return problem(
        writeOnly,
        `needs Terraform 1.11 or OpenTofu 1.11; with this version set ${snakeCase(name)}`,
      );
    if (isSet(config[writeOnly]) && isSet(config[name]))
      return problem(writeOnly, `conflicts with ${snakeCase(name)}: set only one of them`);
    if (isSet(config[writeOnly]) && !isGiven(config[version]))
      return problem(version, `is required with ${snakeCase(writeOnly)}`);
    return isSet(config[version]) && !isGiven(config[writeOnly])
      ? problem(writeOnly, `is required with ${snakeCase(version)}`)
      : [];
  });
  const inner = groups.flatMap(([name, of]) =>
    writeOnlyProblems(of, groupIn(config, name), allowed, [...path, name]),
  );
  return [...problems, ...inner];
}

/**
 * Converts values to those of the core, with each secret from the configured form. Write-only values come from `config`,
 * since a plan contains none.
 */
export function resolveWriteOnly(fields: Fields, values: Values, config: Values = values): Values {
  const resolved = inGroups(fields, values, (of, group, name) =>
    resolveWriteOnly(of, group, groupIn(config, name)),
  );
  for (const secret of secretFieldsOf(fields).secrets) {
    if (isWriteOnly(config, secret)) resolved[secret.name] = config[secret.writeOnly] ?? null;
    delete resolved[secret.writeOnly];
    delete resolved[secret.version];
  }
  return resolved;
}

/** Returns a problem of a secret with the path of the configured form. */
export const atGivenForm = (fields: Fields, config: Values, problem: Problem): Problem => ({
  ...problem,
  path: givenAt(fields, config, problem.path),
});

function givenAt(fields: Fields, config: Values, path: Path): Path {
  const [name = "", ...rest] = path;
  const { secrets, groups } = secretFieldsOf(fields);
  const secret = secrets.find((secret) => secret.name === name);
  if (secret !== undefined && isWriteOnly(config, secret)) return [secret.writeOnly, ...rest];
  const group = groups.find(([group]) => group === name);
  return group === undefined ? path : [name, ...givenAt(group[1], groupIn(config, group[0]), rest)];
}

/** Returns the prior state with write-only secrets, such that a secret differs exactly if its version differs. */
export const withPriorSecrets = (
  fields: Fields,
  state: ResourceState,
  prior: Values,
  config: Values,
): ResourceState => ({
  ...state,
  values: priorValues(fields, state.values, prior, config),
});

function priorValues(fields: Fields, current: Values, prior: Values, config: Values): Values {
  const values = inGroups(fields, current, (of, group, name) =>
    priorValues(of, group, groupIn(prior, name), groupIn(config, name)),
  );
  for (const { name, writeOnly, version } of secretFieldsOf(fields).secrets) {
    const before = prior[version] ?? null;
    if (before === null) continue;
    values[name] = equal(before, config[version] ?? null)
      ? (config[writeOnly] ?? null)
      : `version ${String(before)}`;
  }
  return values;
}

/**
 * Converts values for engines to store: a secret whose version is set in `like` becomes null with that version. A plain form
 * that is unknown in `like` stays unknown, as engines require of a plan.
 */
export function encodeWriteOnly(fields: Fields, values: Values, like: Values): Values {
  const stored = inGroups(fields, values, (of, group, name) =>
    encodeWriteOnly(of, group, groupIn(like, name)),
  );
  for (const { name, writeOnly, version } of secretFieldsOf(fields).secrets) {
    stored[version] = like[version] ?? null;
    const mayBeWriteOnly = isGiven(like[version]) || isGiven(like[writeOnly]);
    if (mayBeWriteOnly && !isSet(like[name])) stored[name] = like[name] ?? null;
  }
  return stored;
}

/**
 * Converts the values of a refresh. The reason of a failure is a text of the API and may contain a write-only secret, which
 * a refresh cannot redact: the reason from the last apply is kept.
 */
export function encodeRefreshed({ fields, lifecycle }: Resource, values: Values, like: Values): Values {
  const stored = encodeWriteOnly(fields, values, like);
  const { reason } = lifecycle ?? {};
  if (reason === undefined || !isGiven(stored[reason]) || !hasWriteOnly(fields, like)) return stored;
  return { ...stored, [reason]: like[reason] ?? null };
}

/** Returns true if stored values have a secret that was configured in its write-only form. */
function hasWriteOnly(fields: Fields, stored: Values): boolean {
  const { secrets, groups } = secretFieldsOf(fields);
  return (
    secrets.some(({ version }) => isGiven(stored[version])) ||
    groups.some(([name, of]) => hasWriteOnly(of, groupIn(stored, name)))
  );
}

/** Returns the path of the attribute that shows the change of a field: for a write-only secret that of its version. */
export function changedPath(fields: Fields, planned: Values, prior: Values, path: Path): Path {
  const [name = "", ...rest] = path;
  const { secrets, groups } = secretFieldsOf(fields);
  const secret = secrets.find((secret) => secret.name === name);
  if (secret !== undefined && (isGiven(planned[secret.version]) || isGiven(prior[secret.version])))
    return [secret.version];
  const group = groups.find(([group]) => group === name);
  if (group === undefined) return path;
  return [name, ...changedPath(group[1], groupIn(planned, group[0]), groupIn(prior, group[0]), rest)];
}
