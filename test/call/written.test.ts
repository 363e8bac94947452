import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parseCall } from "../../call/argument.ts";
import { missingSecret, writtenParameters } from "../../call/written.ts";
import type { Operation } from "../../operation/operation.ts";
import { areas } from "../../operation/operations.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kcloud-written-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const operationOf = (area: string, method: string): Operation => {
  const operation = areas[area]?.[method];
  if (operation === undefined) throw new TypeError(method);
  return operation;
};

/** Returns the parameters of a call, or its problem. */
async function written(
  ...[area, method, args, input = "", environment = {}, stop = new AbortController().signal]: readonly [
    area: string,
    method: string,
    args: readonly string[],
    input?: string,
    environment?: NodeJS.ProcessEnv,
    stop?: AbortSignal,
  ]
) {
  const operation = operationOf(area, method);
  const terminal = { canAsk: false } as never;
  try {
    return await writtenParameters(operation, parseCall(operation, args), {
      input: async function* () {
        yield Buffer.from(input);
      },
      environment,
      terminal,
      stop,
    });
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

test.each([
  ["{", "standard input is not valid JSON"],
  ["", "standard input is empty, not JSON"],
  ["[1]", "standard input must be a JSON object with parameters"],
  ["null", "standard input must be a JSON object with parameters"],
  ['{"name":1,"name":2}', 'standard input has the key "name" more than once in one object'],
  ['{"name":"a"}', "name is set in two places: remove one"],
])("the document %j: %s", async (input, problem) => {
  expect(await written("vpc", "createVpc", ["--json", "-", "--name", "x"], input)).toBe(problem);
});

test("options and a document are joined", async () => {
  const parameters = await written(
    "vpc",
    "createVpc",
    ["--json", "-", "--name", "x"],
    '{"description":"d","__proto__":{"a":1}}',
  );
  // Every key is a parameter, also one that no operation has.
  expect(JSON.stringify(parameters)).toBe('{"name":"x","description":"d","__proto__":{"a":1}}');
});

test("a pipe is read to its end, and one without a writer until a signal", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const args = ["--json", pipe];
  const stop = new AbortController();
  const waiting = written("vpc", "createVpc", args, "", {}, stop.signal);
  await setTimeout(10);
  stop.abort();
  expect(await waiting).toMatchObject({ code: "ABORT_ERR" });
  const writer = openSync(pipe, constants.O_RDWR);
  writeSync(writer, '{"name":');
  const reading = written("vpc", "createVpc", args);
  await setTimeout(10);
  writeSync(writer, '"a"}');
  closeSync(writer);
  expect(await reading).toEqual({ name: "a" });
});

test("a document that is missing, a folder, or too large is refused", async () => {
  expect(await written("vpc", "createVpc", ["--json", join(folder, "no")])).toBe(
    `${join(folder, "no")} does not exist`,
  );
  expect(await written("vpc", "createVpc", ["--json", folder])).toBe(`${folder} cannot be read (EISDIR)`);
  writeFileSync(join(folder, "large"), Buffer.alloc(17 * 1024 * 1024, " "));
  expect(await written("vpc", "createVpc", ["--json", join(folder, "large")])).toContain(
    "is larger than 16 MiB",
  );
  expect(await written("vpc", "createVpc", ["--json", "-"], " ".repeat(17 * 1024 * 1024))).toContain(
    "is larger than 16 MiB",
  );
});

test("a variable is named, and neither its value nor the argument is shown", async () => {
  const at = ["--email", "a@b.example", "--password-env"];
  expect(await written("signIn", "signInRoot", [...at, "PW"], "", { PW: "s" })).toMatchObject({
    password: "s",
  });
  for (const given of ["canary", "canary-1!"]) {
    const problem = await written("signIn", "signInRoot", [...at, given], "", { canary: "" });
    expect(problem).toMatch(/^(?!.*canary)/s);
  }
  const pod = ["--environment-variables-env", "VARIABLES"];
  expect(await written("aiPod", "createPod", pod, "", { VARIABLES: '{"A":"b"}' })).toMatchObject({
    environmentVariables: { A: "b" },
  });
  expect(await written("aiPod", "createPod", pod, "", { VARIABLES: "canary" })).toBe(
    "the variable of --environment-variables-env is not valid JSON",
  );
});

test("the content of an operation is no part of its document", async () => {
  const args = ["--json", "-"];
  expect(await written("document", "extractDocumentText", args, '{"content":{"path":"/etc/passwd"}}')).toBe(
    "the content is not part of the JSON document: use --content FILE",
  );
});

test("only a secret has ways to pass it", () => {
  const operation = operationOf("signIn", "signInRoot");
  expect(missingSecret(operation, "password")).toContain("set --password-env");
  expect(missingSecret(operation, "email")).toBeUndefined();
});
