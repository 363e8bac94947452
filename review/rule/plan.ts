import { provider } from "../../provider/core/name.ts";
import { hasUnknown, isMarked, isRecord } from "../../provider/core/value.ts";
import { creates } from "../model/change.ts";
import { isOwnSource } from "../model/kind.ts";
import { called, joined, say, word } from "../model/sentence.ts";
import { counted } from "./fact.ts";
import { changeRule, type Rule } from "./rule.ts";

/** Rules about the completeness of a plan, its side effects, and tags. */

const tagsMissing = changeRule(
  {
    id: "META-01",
    title: "A required tag is missing",
    severity: "low",
    confidence: "proven",
    about: "An object is created or changed without a tag that the policy requires.",
    remedy: "Add the tag, or set it once as a default tag of the provider.",
  },
  (change, { settings }) => {
    const { resource, after } = change;
    if (
      resource?.fields.tags === undefined ||
      after === undefined ||
      (!creates(change) && change.action !== "update")
    )
      return undefined;
    const all = [after.tagsAll, after.tags].filter((tags) => tags !== undefined).filter(isRecord);
    // Unknown tags may include the required ones.
    if (hasUnknown(after.tagsAll) || hasUnknown(after.tags)) return undefined;
    const missing = settings.requiredTags.filter((name) => !all.some((tags) => Object.hasOwn(tags, name)));
    return missing.length === 0
      ? undefined
      : { path: ["tags"], text: say`${called(change)} has no tag ${word(missing.join(", "))}.` };
  },
);

const incomplete: Rule = {
  id: "META-03",
  title: "The plan is not complete",
  severity: "high",
  confidence: "proven",
  about:
    "The plan ended with an error, was limited by -target, or defers a part. An apply does not do exactly what the plan shows.",
  remedy: "Create a complete plan and review it.",
  *check({ plans }) {
    for (const { name, gaps } of plans)
      for (const gap of gaps) yield { plan: name, text: say`${name}: ${gap}.` };
  },
};

const sideEffects: Rule = {
  id: "META-04",
  title: "The apply does more than change objects",
  severity: "medium",
  confidence: "proven",
  about: "The apply invokes an action, a provisioner or a command. A plan does not show what these change.",
  remedy: "Read the code that runs, in the configuration or the program.",
  *check({ plans }) {
    for (const { name, invocations } of plans)
      for (const { kind, address, type, triggeredBy, action, values = null } of invocations) {
        // META-07 covers reads, and the rules of its effect cover an action of this provider.
        if (kind === "read" || action?.effect !== undefined) continue;
        const by =
          triggeredBy === undefined || triggeredBy === address ? say`` : say`, triggered by ${triggeredBy}`;
        yield {
          ...{ plan: name, address, values },
          // Nothing is known of what the action of another provider does.
          ...(kind === "action" && action === undefined ? { severity: "high" as const } : {}),
          text: say`${name} runs ${type} of ${address}${by}.`,
        };
      }
  },
};

/** Data sources that send a request to any address, or run a program. */
const sends: ReadonlySet<string> = new Set(
  ["http", "external", "terraform_remote_state", "shell_script"].map((type) => `data source ${type}`),
);

const readsAtApply: Rule = {
  id: "META-07",
  title: "Data is read during the apply",
  severity: "medium",
  confidence: "proven",
  about:
    "A data source depends on values that are known only after the apply, so that the apply reads it. Its configuration is sent to its provider, and the plan does not show what it returns. The severity is high if it runs a program, sends a request to any address, or gets a sensitive value.",
  remedy:
    "Read the configuration of the data source. Values that are known when the plan is made are read then.",
  *check({ plans }) {
    for (const { name, invocations } of plans)
      for (const [type, all] of Map.groupBy(
        invocations.filter(({ kind }) => kind === "read"),
        ({ type }) => type,
      )) {
        const isSensitive = all.some(({ values = null }) => isMarked(values));
        const what = isSensitive ? say`, with a sensitive value in the configuration` : say``;
        yield {
          ...{ plan: name, address: type, values: all.map((one) => one.values ?? null) },
          ...(isSensitive || sends.has(type) ? { severity: "high" as const } : {}),
          text: say`${name} reads ${type} during the apply${what}: ${joined(
            all.slice(0, 5).map(({ address }) => say`${address}`),
            ", ",
          )}${word(all.length > 5 ? ` and ${all.length - 5} more` : "")}.`,
        };
      }
  },
};

const foreignProvider: Rule = {
  id: "META-08",
  title: "A provider of another source serves kcloud types",
  severity: "high",
  confidence: "proven",
  about:
    "A configuration takes the types of this package from a provider that neither this package nor the policy lists. Such a provider gets the credentials, and can do anything in the name of the plan.",
  remedy: "Correct the source of the provider, or list the source in providers of the policy.",
  *check({ plans, settings }) {
    const isAllowed = (source: string): boolean => isOwnSource(source) || settings.providers.includes(source);
    for (const { name: plan, providers, changes, drift } of plans) {
      const sources = [
        ...providers
          .filter(({ name, source }) => isOwnName(name) || isOwnName(source))
          .map(({ source }) => source),
        ...[...changes, ...drift].flatMap(({ foreignSource }) => foreignSource ?? []),
      ];
      for (const source of new Set(sources.filter((one) => !isAllowed(one)))) {
        const count = changes.filter(({ foreignSource }) => foreignSource === source).length;
        const objects = count === 0 ? say`` : say`, for ${word(counted(count, "object"))}`;
        yield { plan, address: source, text: say`${plan} uses the provider ${source}${objects}.` };
      }
    }
  },
};

/** Returns true for the name or the source of a provider that has the name of this package's provider. */
const isOwnName = (name: string): boolean => name.split(/[/.:]+/).includes(provider);

const unshownCommand: Rule = {
  id: "META-09",
  title: "The plan does not show a command that runs",
  severity: "low",
  confidence: "proven",
  about:
    "A command of a provisioner refers to a value. The JSON of a plan holds the references only, not the text around them: other text can run without a difference in the plan. A plan file also holds the configuration.",
  remedy:
    "Review the plan file instead of its JSON: the digest then covers the configuration of the command.",
  *check({ plans }) {
    for (const { name: plan, invocations, configuration } of plans) {
      const hidden = invocations.filter(({ isPartial }) => isPartial);
      const [first] = hidden;
      if (first === undefined || configuration !== undefined) continue;
      const others = word(hidden.length === 1 ? "" : ` and ${hidden.length - 1} more`);
      yield {
        plan,
        address: first.address,
        text: say`${plan} does not show the whole ${first.type} of ${first.address}${others}.`,
      };
    }
  },
};

const failedCheck: Rule = {
  id: "META-10",
  title: "A check failed",
  severity: "medium",
  confidence: "proven",
  about:
    "A check of the configuration, or a policy of the engine, reports a problem. The engine applies the plan anyway.",
  remedy: "Correct the problem, or the check.",
  *check({ plans }) {
    for (const { name: plan, messages } of plans)
      for (const { level, text, isCheck } of messages)
        if (isCheck)
          yield {
            plan,
            ...(level === "error" ? { severity: "high" as const } : {}),
            text: say`${plan}: ${text}`,
          };
  },
};

export const planRules: readonly Rule[] = [
  failedCheck,
  tagsMissing,
  incomplete,
  sideEffects,
  readsAtApply,
  foreignProvider,
  unshownCommand,
];
