import { readFileSync } from "node:fs";
import * as modules from "node:module";
import vm from "node:vm";
import { Worker } from "node:worker_threads";
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
  /** Maximum resident memory of the process, in bytes. */
  readonly memory: number;
}

const input = JSON.parse(readFileSync(0, "utf8")) as RunnerInput;

// The limit of the heap does not include what the runtime itself allocates, such as the stack of `JSON.parse`.
new Worker(
  `import { writeSync } from "node:fs";
setInterval(() => {
  if (process.memoryUsage.rss() < ${input.memory}) return;
  writeSync(2, "\\nout of memory");
  process.kill(process.pid, "SIGKILL");
}, 10);`,
  { eval: true },
).unref();
const context = vm.createContext(Object.create(null), {
  name: "rules",
  codeGeneration: { strings: false, wasm: false },
});
/**
 * Globals that rules may use. Rules are pure: no clock, no random numbers, no shared memory, no output, and nothing that depends on
 * the garbage collector.
 */
const globals =
  "Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError globalThis JSON Math Map BigInt Set WeakMap WeakSet Proxy Reflect Iterator ArrayBuffer DataView Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN";
vm.runInContext(
  `{
  const allowed = new Set(${JSON.stringify(globals)}.split(" "));
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!allowed.has(name)) delete globalThis[name];
  delete Math.random;
}`,
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

let textOfError = (thrown: unknown): string =>
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
    textOfError = inContext;
    const rules = moduleOf(javaScriptOf(input), "rule");
    await rules.link(link);
    await rules.evaluate();
    const { describe, check } = openRules((rules.namespace as { default?: unknown }).default, input.context);
    const described = JSON.parse(describe()) as { id?: unknown }[];
    const found = described.map((rule, index) => {
      process.stderr.write(`${JSON.stringify(String(rule.id).slice(0, 64))}\n`);
      return { rule, hits: input.isChecked ? (JSON.parse(check(index)) as unknown) : [] };
    });
    return { rules: found };
  } catch (error) {
    return { error: textOfError(error) };
  }
}

/** Error of code that a rule left running, such as a rejected promise. */
let late: object | undefined;
process.on("uncaughtException", (error) => {
  late ??= { error: textOfError(error) };
});
const result = await run();
// Lets such code run to its end.
await new Promise((done) => setImmediate(done));
process.stdout.write(JSON.stringify(late ?? result));
