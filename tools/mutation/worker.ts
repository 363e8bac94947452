import { registerHooks } from "node:module";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import "../../test/suite/no-process.ts";
import { collectTests, endTests, type Test } from "./globals.ts";

/**
 * Process of the mutation run in the copy: runs single tests, with or without a mutant, at the request of its parent. Loads
 * each file only once, because a variable activates a mutant. `KCLOUD_MUTANT` activates a mutant from the start, for code that
 * runs when a module is loaded.
 */

/** Request for one test or, without `index`, for the tests of a file, which may also be a source without tests. */
export interface Request {
  readonly file: string;
  readonly index?: number;
  readonly mutant?: string;
  /** Maximum number of times that the mutant may be reached, which ends endless loops with an error. */
  readonly hitLimit?: number;
  /** CPU time in milliseconds after which the process ends itself. */
  readonly cpuLimit?: number;
  /** Number of tenths of a second without work after which the test counts as endless. */
  readonly idleLimit?: number;
}

export interface Response {
  /** Names of the tests of the file, for a request without `index`. */
  readonly names?: readonly string[];
  /** Message of the failure. */
  readonly error?: string;
  /** True if the mutant was reached too often, or if the test waited for an event that never occurred. */
  readonly isEndless?: boolean;
  readonly cpuMilliseconds: number;
  /** CPU time in milliseconds of loading the file; 0 if it was loaded before. */
  readonly loadMilliseconds: number;
  readonly milliseconds: number;
  /** Number of times that the test, or loading the file, reached each mutant. */
  readonly counts?: Readonly<Record<string, number>>;
}

type Counts = Record<string, number>;

/** Variables of the code that contains the mutants. */
interface Instrumentation {
  activeMutant?: string;
  hitCount?: number;
  hitLimit?: number;
  currentTestId?: string;
  readonly mutantCoverage: { readonly static: Counts; perTest: Record<string, Counts> };
}

const always = process.env.KCLOUD_MUTANT;
const instrumentation: Instrumentation = { mutantCoverage: { static: {}, perTest: {} } };
if (always !== undefined) instrumentation.activeMutant = always;
(globalThis as { __stryker__?: Instrumentation }).__stryker__ = instrumentation;

const globals = pathToFileURL(join(import.meta.dirname, "globals.ts")).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@jest/globals" ? { url: globals, shortCircuit: true } : next(specifier, context),
});

/** CPU time of this process at which it ends; 0 for never. Read by the thread below, since a loop may block this one. */
const limit = new Float64Array(new SharedArrayBuffer(8));
new Worker(
  `const { workerData } = require("node:worker_threads");
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if (workerData[0] > 0 && (user + system) / 1000 > workerData[0]) process.kill(process.pid, "SIGKILL");
  }, 100);`,
  { eval: true, workerData: limit },
).unref();

/** CPU time in milliseconds that loading a file may take beyond that of one test. */
const loadLimit = 30_000;

const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const files = new Map<string, Promise<Test[]>>();
function load(file: string): Promise<Test[]> {
  const known = files.get(file);
  if (known !== undefined) return known;
  const loading = collectTests(() => import(pathToFileURL(join(process.cwd(), file)).href));
  files.set(file, loading);
  return loading;
}

let failInBackground = (_: unknown): void => {};
process.on("uncaughtException", (error) => failInBackground(error));
process.on("unhandledRejection", (error) => failInBackground(error));

/** Resolves after the given number of tenths of a second in which the process had nothing to do. */
function idle(ticks: number): { ended: Promise<"idle">; stop(): void } {
  let left = ticks;
  let used = cpu();
  const { promise, resolve } = Promise.withResolvers<"idle">();
  const timer = setInterval(() => {
    const now = cpu();
    if (now - used < 20) left -= 1;
    used = now;
    if (left <= 0) resolve("idle");
  }, 100);
  return { ended: promise, stop: () => clearInterval(timer) };
}

async function runTest(test: Test, request: Request): Promise<Partial<Response>> {
  const watch = idle(request.idleLimit ?? 600);
  const failed = new Promise<never>((_, reject) => {
    failInBackground = reject;
  });
  try {
    const end = await Promise.race([test.run(), watch.ended, failed]);
    return end === "idle" ? { error: "the test does not end", isEndless: true } : {};
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    watch.stop();
    failInBackground = () => {};
  }
}

async function answer(request: Request): Promise<Response> {
  const { file, index } = request;
  const start = cpu();
  let loaded: number | undefined;
  const measure = (began: number, used: number) => ({
    milliseconds: performance.now() - began,
    cpuMilliseconds: cpu() - used,
    loadMilliseconds: (loaded ?? cpu()) - start,
  });
  let [began, used] = [performance.now(), cpu()];
  let tests: Test[];
  const { mutantCoverage } = instrumentation;
  mutantCoverage.perTest = {};
  instrumentation.currentTestId = "load";
  // With a mutant, loading may not end either.
  if (request.cpuLimit !== undefined) limit[0] = used + loadLimit + request.cpuLimit;
  try {
    tests = await load(file);
  } catch (error) {
    return { error: String(error), ...measure(began, used) };
  } finally {
    delete instrumentation.currentTestId;
    loaded = cpu();
  }
  const whileLoading = mutantCoverage.perTest.load ?? {};
  if (index === undefined)
    return { names: tests.map(({ name }) => name), counts: whileLoading, ...measure(began, used) };
  const test = tests[index];
  if (test === undefined) return { error: "there is no such test", ...measure(began, used) };
  [began, used] = [performance.now(), cpu()];
  limit[0] = request.cpuLimit === undefined ? 0 : used + request.cpuLimit;
  mutantCoverage.perTest = {};
  instrumentation.currentTestId = "test";
  instrumentation.hitCount = 0;
  instrumentation.hitLimit = request.hitLimit ?? Number.POSITIVE_INFINITY;
  if (request.mutant !== undefined) instrumentation.activeMutant = request.mutant;
  const result = await runTest(test, request);
  if (always === undefined) delete instrumentation.activeMutant;
  delete instrumentation.currentTestId;
  limit[0] = 0;
  const isEndless = result.isEndless || instrumentation.hitCount > instrumentation.hitLimit;
  const counts = mutantCoverage.perTest.test ?? {};
  return { ...result, isEndless, counts, ...measure(began, used) };
}

process.on("message", (request: Request) => {
  void answer(request).then((response) => process.send?.(response));
});
process.once("disconnect", () => {
  void endTests().finally(() => process.exit());
});
