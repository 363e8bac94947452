import { format } from "node:util";
import { jestExpect } from "@jest/expect";

/**
 * Replaces `@jest/globals` in a process of the mutation run (`worker.ts`): collects the tests of a file, so that each can run
 * alone and repeatedly. Implements the functions that tests of `npm run unit` use; a file that needs others is omitted.
 */

type Body = (...values: unknown[]) => unknown;

/** Hooks of a file or of a `describe`. */
interface Scope {
  readonly parent?: Scope;
  readonly name: string;
  readonly beforeAll: Body[];
  readonly afterAll: Body[];
  readonly beforeEach: Body[];
  readonly afterEach: Body[];
  hasBegun: boolean;
}

export interface Test {
  readonly name: string;
  /** Runs the hooks and the test. */
  run(): Promise<void>;
}

const newScope = (name: string, parent?: Scope): Scope => ({
  name,
  beforeAll: [],
  afterAll: [],
  beforeEach: [],
  afterEach: [],
  hasBegun: false,
  ...(parent && { parent }),
});

let scope = newScope("");
let tests: Test[] = [];
const ends: Scope[] = [];

/** Imports a test file and returns its tests in their order. */
export async function collectTests(load: () => Promise<unknown>): Promise<Test[]> {
  scope = newScope("");
  tests = [];
  await load();
  return tests;
}

/** Runs the `afterAll` of every started file and `describe`. */
export async function endTests(): Promise<void> {
  for (const { afterAll: hooks } of ends.splice(0).reverse()) for (const hook of hooks) await hook();
}

/** Returns a scope with all enclosing scopes, the outermost first. */
const around = (inner: Scope): Scope[] => [...(inner.parent ? around(inner.parent) : []), inner];

async function runInScopes(scopes: readonly Scope[], body: () => unknown): Promise<void> {
  for (const outer of scopes) {
    if (outer.hasBegun) continue;
    outer.hasBegun = true;
    ends.push(outer);
    for (const hook of outer.beforeAll) await hook();
  }
  try {
    for (const { beforeEach: hooks } of scopes) for (const hook of hooks) await hook();
    await body();
  } finally {
    for (const { afterEach: hooks } of scopes.toReversed()) for (const hook of hooks) await hook();
  }
}

function addTest(name: string, body: () => unknown): void {
  const scopes = around(scope);
  const title = [...scopes.map((each) => each.name), name].filter((part) => part !== "").join(" ");
  tests.push({ name: title, run: () => runInScopes(scopes, body) });
}

function addGroup(name: string, body: () => void): void {
  const outer = scope;
  scope = newScope(name, outer);
  body();
  scope = outer;
}

/** Returns the names and arguments of the rows of an `each`. */
const rowsOf = (table: readonly unknown[], name: string): { name: string; values: unknown[] }[] =>
  table.map((row) => {
    const values = Array.isArray(row) ? row : [row];
    const count = name.match(/%[sdifjoOp]/g)?.length ?? 0;
    return { name: format(name.replaceAll("%p", "%s"), ...values.slice(0, count)), values };
  });

const each = (add: (name: string, body: () => void) => void) => (table: readonly unknown[]) => {
  return (name: string, body: Body) => {
    for (const row of rowsOf(table, name)) add(row.name, () => body(...row.values) as undefined);
  };
};

export const test = Object.assign(addTest, { each: each(addTest), skip: () => {} });
export const describe = Object.assign(addGroup, { each: each(addGroup) });
export const beforeAll = (hook: Body) => void scope.beforeAll.push(hook);
export const afterAll = (hook: Body) => void scope.afterAll.push(hook);
export const beforeEach = (hook: Body) => void scope.beforeEach.push(hook);
export const afterEach = (hook: Body) => void scope.afterEach.push(hook);
export const expect = jestExpect;
/** Files that use mocks fail without a mutant and are omitted. */
export const jest = {};
