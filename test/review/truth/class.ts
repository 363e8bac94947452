import type { Severity } from "../../../review/rule/rule.ts";

/** Dangers that can be observed in the emulator, and the rules that report them. */

export const classNames = [
  ...(["data", "discarded", "address", "detached", "opened", "published"] as const),
  ...(["interrupted", "password", "byAction"] as const),
] as const;
export type ClassName = (typeof classNames)[number];

/** Class of dangers. */
export interface DangerClass {
  /** Heading in the table. */
  readonly title: string;
  /** Condition under which the danger counts as having happened to an object, as a sentence. */
  readonly witness: string;
  /** Rules whose findings report the danger; "any", or the severities of the findings that count. */
  readonly rules: Readonly<Record<string, readonly Severity[] | "any">>;
  /** Kinds of objects to which the danger can happen. */
  readonly kinds: readonly string[];
  /** Kinds of objects of which a finding is never proven: the API does not document what a value does. */
  readonly neverProven?: readonly string[];
  /** Set if an object that is deleted does not count, as of an interruption. */
  readonly isOfSurvivors?: true;
  /** Set if the danger happens to an action, or to an output too, in place of an object. */
  readonly isOf?: "actions" | "outputs";
}

export const classes: Readonly<Record<ClassName, DangerClass>> = {
  data: {
    title: "data destroyed",
    witness:
      "A volume, a boot volume, a pod or an image that was written to, or an object of a bucket, no longer exists.",
    rules: {
      "DATA-01": "any",
      "DATA-02": "any",
      "DATA-04": "any",
      // At medium severity, instances of a batch are deleted and their boot volumes remain.
      "DATA-06": ["critical"],
      "DATA-08": "any",
      "DATA-10": "any",
    },
    kinds: ["volume", "instance", "instance-batch", "bucket", "object", "ai-pod", "image"],
  },
  discarded: {
    title: "discarded later",
    witness:
      "A lifecycle rule deletes objects or versions of a bucket, by their age and number, that no rule of the bucket deleted before.",
    rules: { "DATA-12": "any" },
    kinds: ["lifecycle-rule"],
  },
  address: {
    title: "address lost",
    witness: "A public address is no longer the account's.",
    rules: { "NET-05": "any" },
    kinds: ["instance", "floating-ip"],
  },
  detached: {
    title: "detached",
    witness:
      "A floating IP no longer serves the port to which it was attached, or a volume was detached from an instance that ran.",
    rules: { "NET-12": "any", "OPS-14": "any" },
    kinds: ["floating-ip", "volume-attachment"],
  },
  opened: {
    title: "opened",
    witness:
      "A port is reachable from a sixteenth of all public addresses or more that did not reach it before, by all rules of its group together.",
    rules: { "NET-01": "any", "NET-02": "any", "NET-09": "any", "NET-10": "any" },
    kinds: ["security-group-rule", "instance", "port", "port-security-groups", "ai-pod"],
  },
  published: {
    title: "published",
    witness:
      "A bucket became public, an object was stored in a public one, a policy newly allows a sixteenth of all public addresses or `*`, or an output or metadata shows a secret in clear text, in Base64 or as part of a URL.",
    rules: { "PUB-01": "any", "PUB-03": "any", "PUB-04": "any", "SEC-07": "any", "SEC-08": "any" },
    kinds: ["bucket", "object", "bucket-policy", "account-policy", "output"],
    neverProven: ["account-policy", "output", "volume"],
    isOf: "outputs",
  },
  interrupted: {
    title: "interrupted",
    witness: "An instance or a pod that existed before was stopped, restarted, or deleted and created again.",
    rules: { "OPS-02": "any", "OPS-03": "any" },
    isOfSurvivors: true,
    kinds: ["instance", "instance-batch", "ai-pod"],
  },
  password: {
    title: "password needed",
    witness: "A delete was sent with a one-time password.",
    rules: { "OPS-01": "any" },
    kinds: ["bucket", "access-key"],
  },
  byAction: {
    title: "by an action",
    witness:
      "An action of the provider that the plan invokes stopped or restarted an instance or a pod, deleted a checkpoint, or ended the access of all keys.",
    rules: { "DATA-01": "any", "OPS-02": "any", "SEC-01": "any" },
    kinds: [],
    isOf: "actions",
  },
};

/** Returns the table of the dangers as Markdown. */
export function markdownOfClasses(): string {
  const lines = classNames.map((name) => {
    const { title, witness, rules } = classes[name];
    const ids = Object.entries(rules).map(([id, severities]) =>
      severities === "any" ? id : `${id} (${severities.join(", ")})`,
    );
    return [title, witness, ids.join(", ")];
  });
  return markdownTable(["danger", "what counts as having happened", "rules"], lines);
}

/** Returns a table as Markdown, with columns of equal width. */
export function markdownTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const all = [head, ...lines];
  const widths = head.map((_, at) => Math.max(...all.map((cells) => cells[at]?.length ?? 0)));
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [row(head), rule, ...lines.map(row)].join("\n");
}
