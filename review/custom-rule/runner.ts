import { readFileSync } from "node:fs";
import * as modules from "node:module";
import vm from "node:vm";
import type * as Sandbox from "./sandbox.ts";

/**
 * Program of the child process that runs one rule file. Reads its input as JSON from standard input and writes its result as
 * JSON to standard output; standard error names the running rule. Node receives the program as text, so it needs no permission
 * to read a file.
 */

/** Input of the program. */
export interface RunnerInput {
  /** Texts of `api.ts` and `sandbox.ts` as JavaScript. */
  readonly api: string;
  readonly sandbox: string;
  /** Text of the rule file. */
  readonly rule: string;
  readonly isTypeScript: boolean;
  /** Context of the rules (`contextJson`). */
  readonly context: string;
  /** False to describe the rules without checking a plan. */
  readonly isChecked: boolean;
}

const input = JSON.parse(readFileSync(0, "utf8")) as RunnerInput;
const context = vm.createContext(Object.create(null), {
  name: "rules",
  codeGeneration: { strings: false, wasm: false },
});
// Rules are pure: no clock, no random numbers, no shared memory, no output.
vm.runInContext(
  "for (const name of ['Date', 'Intl', 'console', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'Temporal']) delete globalThis[name]; delete Math.random;",
  context,
);

/** Returns an error of the rules' context: an error of this realm would give the rule access to functions of this process. */
const refusal = (specifier: string): unknown =>
  vm.runInContext(
    `new Error(${JSON.stringify(`it imports ${JSON.stringify(specifier)}; a rule may import "@kcloud/iac/review" only`)})`,
    context,
  );

const refuse = (specifier: string): never => {
  throw refusal(specifier);
};

const moduleOf = (text: string, identifier: string): vm.SourceTextModule =>
  new vm.SourceTextModule(text, { context, identifier, importModuleDynamically: refuse as never });

const api = moduleOf(input.api, "@kcloud/iac/review");
const sandbox = moduleOf(input.sandbox, "sandbox");
const link = (specifier: string): vm.Module => (specifier === "@kcloud/iac/review" ? api : refuse(specifier));

let messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);

function javaScriptOf({ rule, isTypeScript }: RunnerInput): string {
  if (!isTypeScript) return rule;
  if (typeof modules.stripTypeScriptTypes !== "function")
    throw new Error("this Node cannot run TypeScript: write the rule in JavaScript");
  return modules.stripTypeScriptTypes(rule);
}

async function run(): Promise<object> {
  try {
    await api.link(refuse);
    await api.evaluate();
    await sandbox.link(() => api);
    await sandbox.evaluate();
    const { openRules, messageOf: inContext } = sandbox.namespace as typeof Sandbox;
    messageOf = inContext;
    const rules = moduleOf(javaScriptOf(input), "rule");
    await rules.link(link);
    await rules.evaluate();
    const { describe, check } = openRules((rules.namespace as { default?: unknown }).default, input.context);
    const described = JSON.parse(describe()) as { id?: unknown }[];
    const found = described.map((rule, at) => {
      process.stderr.write(`${JSON.stringify(String(rule.id))}\n`);
      return { rule, hits: input.isChecked ? (JSON.parse(check(at)) as unknown) : [] };
    });
    return { rules: found };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

process.stdout.write(JSON.stringify(await run()));
