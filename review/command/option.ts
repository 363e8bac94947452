import { resolve } from "node:path";
import { type Arguments, checkPositionals, parseArguments, UsageError } from "../../command/argument.ts";
import type { FailOn } from "../gate/policy.ts";
import { budgets } from "../render/markdown.ts";
import type { SymbolStyle } from "../render/symbol.ts";
import { severities } from "../rule/rule.ts";

/** Command line of `kcloud review`. */

/** Formats of an output, each with its description. */
export const formats = {
  text: "a report for the terminal",
  md: "Markdown for a comment, within --budget",
  html: "one self-contained HTML page",
  json: "the report as JSON, an input of --in",
  sarif: "SARIF 2.1.0 for code scanning",
  junit: "JUnit XML",
  annotations: "workflow commands of GitHub Actions",
  gitlab: "a code-quality report of GitLab",
} as const;

export type Format = keyof typeof formats;

/** Input with its name in the report. */
export interface Input {
  readonly name: string;
  /** Path of a file; "-" for standard input. */
  readonly path: string;
}

/** Folder of a program in the repository; without a name, it applies to every input. */
export interface Root {
  readonly name: string | undefined;
  readonly path: string;
}

/** File of a rehearsal; without the name of an input, it belongs to the only one with its plan. */
export interface RehearsalFile {
  readonly name: string | undefined;
  readonly path: string;
}

/** Output and its file; standard output if `path` is undefined. */
export interface Output {
  readonly format: Format;
  readonly path: string | undefined;
}

/** Form of the outputs. */
export interface OutputOptions {
  readonly budget: keyof typeof budgets;
  readonly reportUrl: string | undefined;
  readonly emoji: boolean;
  readonly screenReader: boolean;
}

/** Policy and outputs of a report. */
export interface ReportOptions extends OutputOptions {
  /** Undefined without `--out`. */
  readonly outputs: readonly Output[] | undefined;
  readonly policy: string | undefined;
  readonly policyHead: string | undefined;
  readonly trustHead: boolean;
  readonly profile: string | undefined;
  readonly failOn: FailOn | undefined;
  readonly previous: string | undefined;
  readonly detailedExitCode: boolean;
  /** True if drift blocks, and counts, like a planned change. Default: it blocks if the profile has `failOnDrift`. */
  readonly judgesDrift?: boolean;
}

export interface ReviewOptions extends ReportOptions {
  readonly inputs: readonly Input[];
  /** Paths of `cdk.tf.json` files of CDKTF or CDKTN programs, by the names of the inputs that were planned from them. */
  readonly synthesized: ReadonlyMap<string, string>;
  readonly roots: readonly Root[];
  readonly rehearsals: readonly RehearsalFile[];
  readonly approved: string | undefined;
  readonly report: string | undefined;
  readonly requireCovered: boolean;
  /** Folder in which the engine reads binary plans. Default: the folder of the plan. */
  readonly folder: string | undefined;
}

/** Options of every command that writes a report. */
export const reportOptions = {
  out: {
    type: "string",
    multiple: true,
    value: "FORMAT[:PATH]",
    values: formats,
    about: "output; repeatable. One output may go to standard output, without a path. Default: text",
  },
  budget: {
    type: "string",
    value: "HOST",
    values: Object.keys(budgets),
    about: `size of the Markdown: ${Object.keys(budgets).join(", ")}. Default: github`,
  },
  "report-url": {
    type: "string",
    value: "URL",
    about: "URL of the full report, linked from Markdown that omits parts of it",
  },
  policy: {
    type: "string",
    value: "DIR",
    path: "folder",
    about: "folder with kcloud-review.json and rules; in a pull request, of the base revision",
  },
  "policy-head": {
    type: "string",
    value: "DIR",
    path: "folder",
    about: "policy folder of the reviewed revision: compared with --policy, not applied",
  },
  "trust-head": { type: "boolean", about: "applies --policy-head instead of --policy" },
  profile: { type: "string", value: "NAME", about: "profile of the policy. Default: default" },
  "fail-on": {
    type: "string",
    value: "SEVERITY",
    values: [...severities, "none"],
    about: `lowest severity of a finding that blocks: ${severities.join(", ")}, none. Default: critical`,
  },
  previous: {
    type: "string",
    value: "PATH",
    path: "file",
    about: "JSON report of the last review; the new report lists the changes since then",
  },
  "detailed-exitcode": { type: "boolean", about: "exit code 2 instead of 0 if there are changes" },
  "no-emoji": { type: "boolean", about: "letters instead of symbols" },
  "screen-reader": { type: "boolean", about: "words instead of symbols and colours" },
} as const;

/** Options of `review` and `review verify`. */
const options = {
  in: {
    type: "string",
    multiple: true,
    value: "[NAME=]PATH",
    path: "file",
    about: "plan to review; repeatable; - reads standard input",
  },
  synth: {
    type: "string",
    multiple: true,
    value: "[NAME=]PATH",
    path: "file",
    about:
      "cdk.tf.json of the CDKTF or CDKTN program of an input, from which the report takes the constructs of objects; repeatable",
  },
  chdir: {
    type: "string",
    value: "DIR",
    path: "folder",
    about: "folder in which terraform or tofu reads plan files. Default: the folder of the plan file",
  },
  root: {
    type: "string",
    multiple: true,
    value: "[NAME=]DIR",
    path: "folder",
    about: "folder of the program in the repository, the prefix of source paths; repeatable",
  },
  rehearsal: {
    type: "string",
    multiple: true,
    value: "[NAME=]PATH",
    path: "file",
    about: "outcome of kcloud rehearse --out for an input; repeatable",
  },
  ...reportOptions,
  approved: { type: "string", value: "DIGEST", about: "approved digest; for verify" },
  report: {
    type: "string",
    value: "PATH",
    path: "file",
    about: "JSON report of the approved plans; verify compares their prior states",
  },
  "require-covered": {
    type: "boolean",
    about: "exit code 4 if the digest does not cover every effect of the plans; for verify",
  },
} as const;

/** Options of `review explain`. */
export const explainOptions = {
  policy: { type: "string", value: "DIR", path: "folder", about: "folder with rules of a policy" },
} as const;

/** Options of `review waive`. */
export const waiverOptions = {
  address: { type: "string", value: "PATTERN", about: "addresses of the objects; * matches any characters" },
  until: { type: "string", value: "DATE", about: "last day of the waiver, in UTC; at most a year away" },
  owner: { type: "string", value: "NAME", about: "owner of the waiver" },
  reason: { type: "string", value: "TEXT", about: "reason of the waiver" },
  plan: { type: "string", value: "NAME", about: "name of the plan of the objects. Default: every plan" },
  report: {
    type: "string",
    value: "PATH",
    path: "file",
    about: "JSON report: waives its findings of the rule, each for its object and values only",
  },
  policy: explainOptions.policy,
} as const;

/** Hosts that `review post` can post to. */
const hosts = ["github", "gitlab"] as const;

/** Options of `review post`. */
export const postOptions = {
  in: { type: "string", value: "PATH", path: "file", about: "JSON report to post; - reads standard input" },
  stack: {
    type: "string",
    value: "NAME",
    about: "name of the stack; each has a comment of its own. Default: the names of the inputs",
  },
  host: {
    type: "string",
    value: "HOST",
    values: hosts,
    about: `host: ${hosts.join(", ")}. Default: that of the CI system`,
  },
  "api-url": { type: "string", value: "URL", about: "URL of its API. Default: that of the CI system" },
  repository: {
    type: "string",
    value: "NAME",
    about: "OWNER/NAME of GitHub, or number or path of a project of GitLab. Default: that of the CI system",
  },
  request: {
    type: "string",
    value: "NUMBER",
    about:
      "number of the pull or merge request. Default: that of the CI system, or after an apply the merged one of the revision",
  },
  revision: {
    type: "string",
    value: "HASH",
    about:
      "commit that was reviewed or applied. Default: the head of the request when the job began, or the commit of the job that applied",
  },
  applied: {
    type: "boolean",
    about: "posts a report after the apply; without it, such a report is refused",
  },
  labels: { type: "boolean", about: "labels the request with the worst verdict of its stacks" },
  "dry-run": { type: "boolean", about: "prints the requests without the token, and changes nothing" },
  "report-url": reportOptions["report-url"],
  "no-emoji": reportOptions["no-emoji"],
  "screen-reader": reportOptions["screen-reader"],
} as const;

/** Options of `review applied`. */
export const appliedOptions = {
  report: {
    type: "string",
    value: "PATH",
    path: "file",
    about: "approved JSON report of the applied plans",
  },
  log: {
    type: "string",
    multiple: true,
    value: "[NAME=]PATH",
    path: "file",
    about: "log of the apply of a plan: apply -json, pulumi up --json, or an event log of Pulumi; repeatable",
  },
  state: {
    type: "string",
    multiple: true,
    value: "[NAME=]PATH",
    path: "file",
    about: "state of a plan after the apply: show -json, state pull, pulumi stack export; repeatable",
  },
  "exit-code": { type: "string", value: "NUMBER", about: "exit code of the engine" },
  out: reportOptions.out,
  budget: reportOptions.budget,
  "report-url": reportOptions["report-url"],
  "no-emoji": reportOptions["no-emoji"],
  "screen-reader": reportOptions["screen-reader"],
} as const;

/** Parsed options of `review applied`. */
export interface AppliedCommandOptions extends OutputOptions {
  readonly report: string;
  readonly logs: readonly Root[];
  readonly states: readonly Root[];
  readonly exitCode: number | undefined;
  readonly outputs: readonly Output[] | undefined;
}

/** Parses the options of `review applied`. Throws `UsageError`. */
export function parseAppliedOptions(args: readonly string[]): AppliedCommandOptions {
  const { values, positionals } = parseArguments(appliedOptions, args);
  checkPositionals(positionals, 0);
  const { report, log = [], state = [], "exit-code": code } = values;
  if (report === undefined) throw new UsageError("--report PATH is required; - reads standard input");
  if (code !== undefined && !(/^\d{1,3}$/.test(code) && Number(code) < 256))
    throw new UsageError(`--exit-code must be a number below 256, not ${JSON.stringify(code)}`);
  const [logs, states] = [log.map(parseNamed), state.map(parseNamed)];
  if ([report, ...[...logs, ...states].map(({ path }) => path)].filter((path) => path === "-").length > 1)
    throw new UsageError("standard input can be read once");
  return {
    ...outputOptionsOf(values),
    report,
    logs,
    states,
    exitCode: code === undefined ? undefined : Number(code),
    outputs: outputsOf(values.out),
  };
}

/** Parsed options of `review post`. */
export interface PostCommandOptions {
  readonly path: string;
  readonly stack: string | undefined;
  readonly target: {
    readonly host: (typeof hosts)[number] | undefined;
    readonly apiUrl: string | undefined;
    readonly repository: string | undefined;
    readonly request: string | undefined;
    readonly revision: string | undefined;
  };
  /** True for a report after the apply. */
  readonly isApplied: boolean;
  readonly setsLabels: boolean;
  readonly isDryRun: boolean;
  readonly reportUrl: string | undefined;
  readonly symbols: SymbolStyle;
}

/** Parses the options of `review post`. Throws `UsageError`. */
export function parsePostOptions(args: readonly string[]): PostCommandOptions {
  const { values, positionals } = parseArguments(postOptions, args);
  checkPositionals(positionals, 0);
  const { in: path, stack, repository, request, revision, host } = values;
  if (path === undefined) throw new UsageError("--in PATH is required; - reads standard input");
  return {
    path,
    stack,
    target: {
      host: host === undefined ? undefined : oneOf("--host", host, hosts),
      apiUrl: values["api-url"],
      ...{ repository, request, revision },
    },
    isApplied: values.applied ?? false,
    setsLabels: values.labels ?? false,
    isDryRun: values["dry-run"] ?? false,
    reportUrl: values["report-url"],
    symbols: values["screen-reader"] ? "words" : values["no-emoji"] ? "letter" : "emoji",
  };
}

/** Parses the options of `review` and `review verify`. Throws `UsageError`. */
export function parseOptions(args: readonly string[]): ReviewOptions {
  const { values, positionals } = parseArguments(options, args);
  const inputs = parseInputs("--in", [...(values.in ?? []), ...positionals]);
  const named = (option: string, texts: readonly string[] = []) => {
    const parts = texts.map(parseNamed);
    const unused = parts.find(
      ({ name }) => name !== undefined && !inputs.some((input) => input.name === name),
    );
    if (unused !== undefined) throw new UsageError(`${option}: no input is called ${unused.name}`);
    return parts;
  };
  const roots = named("--root", values.root);
  const rehearsals = named("--rehearsal", values.rehearsal);
  if ([...inputs, ...rehearsals].filter(({ path }) => path === "-").length > 1)
    throw new UsageError("standard input can be read once");
  return {
    ...reportOptionsOf(values),
    inputs,
    synthesized: parseSynthesized(values.synth ?? [], inputs),
    roots,
    rehearsals,
    approved: values.approved,
    report: values.report,
    requireCovered: values["require-covered"] ?? false,
    folder: values.chdir,
  };
}

/** Returns the parsed options of a report. Throws `UsageError`. */
export function reportOptionsOf(values: Arguments<typeof reportOptions>["values"]): ReportOptions {
  return {
    ...outputOptionsOf(values),
    outputs: outputsOf(values.out),
    policy: values.policy,
    policyHead: values["policy-head"],
    trustHead: values["trust-head"] ?? false,
    profile: values.profile,
    failOn:
      values["fail-on"] === undefined
        ? undefined
        : oneOf("--fail-on", values["fail-on"], [...severities, "none"] as const),
    previous: values.previous,
    detailedExitCode: values["detailed-exitcode"] ?? false,
  };
}

/** Returns the parsed outputs. Throws `UsageError` if two of them have the same destination. */
function outputsOf(texts: readonly string[] | undefined): readonly Output[] | undefined {
  const outputs = texts?.map(parseOutput);
  checkPlaces(outputs ?? []);
  return outputs;
}

const outputOptionsOf = (values: Arguments<typeof appliedOptions>["values"]): OutputOptions => ({
  budget: oneOf("--budget", values.budget ?? "github", Object.keys(budgets) as (keyof typeof budgets)[]),
  reportUrl: values["report-url"],
  emoji: !(values["no-emoji"] ?? false),
  screenReader: values["screen-reader"] ?? false,
});

/** Parses the inputs of an option. Throws `UsageError`. */
export function parseInputs(option: string, texts: readonly string[]): readonly Input[] {
  const inputs = texts.map(parseInput);
  if (inputs.length === 0) throw new UsageError(`${option} PATH is required; - reads standard input`);
  const twice = inputs.find(({ name }, index) => inputs.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined)
    throw new UsageError(`two inputs are called ${twice.name}: name them, as in ${option} net=${twice.path}`);
  if (inputs.filter(({ path }) => path === "-").length > 1)
    throw new UsageError("standard input can be read once");
  return inputs;
}

const namedInput = /^([\w.-]+)=(.+)$/;

/** Parses `name=path`; without a name, it belongs to the only input. */
function parseSynthesized(texts: readonly string[], inputs: readonly Input[]): ReadonlyMap<string, string> {
  const pairs = texts.map((text): [string, string] => {
    const [, name = "", path = text] = namedInput.exec(text) ?? [];
    const [first, ...others] = inputs;
    const input = name !== "" ? name : others.length === 0 ? first?.name : undefined;
    if (input === undefined || !inputs.some((one) => one.name === input))
      throw new UsageError(`--synth ${text} must name an input, as in --synth ${first?.name}=${path}`);
    return [input, path];
  });
  return new Map(pairs);
}

function parseNamed(text: string): Root {
  const [, name, path = text] = namedInput.exec(text) ?? [];
  return { name, path };
}

/** Parses `name=path`; without a name, the base name of the file without its extension. */
function parseInput(text: string): Input {
  const [, name, path] = namedInput.exec(text) ?? [];
  if (name !== undefined && path !== undefined) return { name, path };
  const base = text === "-" ? "stdin" : (text.split(/[\\/]/).at(-1) ?? text).replace(/\.[^.]+$/, "");
  return { name: base === "" ? text : base, path: text };
}

function parseOutput(text: string): Output {
  const colon = text.indexOf(":");
  const format = oneOf("--out", colon < 0 ? text : text.slice(0, colon), Object.keys(formats) as Format[]);
  if (colon === text.length - 1) throw new UsageError(`--out ${text}: the path is missing`);
  return { format, path: colon < 0 ? undefined : text.slice(colon + 1) };
}

/** Throws `UsageError` if two outputs have the same destination. */
function checkPlaces(outputs: readonly Output[]): void {
  const places = outputs.map(({ path }) => (path === undefined ? undefined : resolve(path)));
  const twice = outputs.find((_, index) => places.indexOf(places[index]) !== index);
  if (twice === undefined) return;
  throw new UsageError(
    twice.path === undefined
      ? "only one output can go to standard output: name a file, as in --out md:comment.md"
      : `two outputs go to ${twice.path}`,
  );
}

function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found === undefined)
    throw new UsageError(`${option} must be one of ${known.join(", ")}, not ${JSON.stringify(value)}`);
  return found;
}

/** Description of the command, from which `kcloud` makes its help and the completion of shells. */
export const reviewCommand = {
  about: "reviews planned changes before they are applied",
  usage: [
    "review --in [NAME=]PATH... [options]",
    "review verify --in [NAME=]PATH... --approved DIGEST\n                     [--report PATH] [--require-covered]\n                     [--out FORMAT[:PATH]]...",
    "review explain [RULE] [--policy DIR]",
    "review waive RULE --address PATTERN | --report PATH --until DATE\n                     --owner NAME --reason TEXT [--policy DIR]",
    "review applied --report PATH --log [NAME=]PATH...\n                     [--state [NAME=]PATH]... [--exit-code NUMBER]\n                     [--out FORMAT[:PATH]]...",
    "review post --in PATH [--applied] [--stack NAME] [--labels]\n                     [--dry-run] [--host HOST] [--api-url URL]\n                     [--repository NAME] [--request NUMBER] [--revision HASH]",
  ],
  description: `Reviews planned changes of Terraform, OpenTofu and Pulumi before they are
applied. It reads "terraform show -json PLANFILE", "tofu show -json PLANFILE",
plan files, its own JSON report, and of Pulumi "pulumi preview --json
--show-sames --show-replacement-steps" and "pulumi preview --event-log FILE".
It sends no request and needs no credentials, except for "post", which posts a
JSON report to a pull request of GitHub or a merge request of GitLab.`,
  options,
  subcommands: {
    verify: { about: "checks that plans are the approved ones" },
    explain: { about: "describes a rule, or lists all", options: explainOptions },
    waive: { about: "adds a waiver to the policy", options: waiverOptions },
    applied: { about: "reports what the apply of an approved report did", options: appliedOptions },
    post: { about: "posts a report to a pull request or merge request", options: postOptions },
  },
  notes: `Exit codes: 0 passed, 1 an input, policy or option cannot be read, 2 passed with
changes (--detailed-exitcode), 3 blocked by findings, 4 a plan or a rehearsal
cannot be used, 5 not the approved plan (verify), 6 not or only partly posted
(post), 7 the apply is incomplete, 8 the apply did something else than planned,
or it cannot be known (applied). The exit code of post does not depend on the
verdict.

Sensitive values are never shown. With KCLOUD_REVIEW_KEY, equal sensitive values
have equal marks, and the digest covers them.

The token of post is in GITHUB_TOKEN, or in GITLAB_TOKEN or CI_JOB_TOKEN.`,
} as const;
