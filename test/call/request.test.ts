import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parametersIn } from "../../call/parameter.ts";
import { listOperations } from "../../emulator/operation-list.ts";
import { callOperation } from "../../library/call.ts";
import { effectOfCall } from "../../operation/destruction/destruction.ts";
import { confirmationOf } from "../../operation/destruction/identifier.ts";
import { allOperations, clientOperations, type NamedOperation } from "../../operation/operations.ts";
import { openClient } from "../../provider/client/client.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import type { Values } from "../../provider/core/value.ts";
import { drawArguments } from "../library/drawn-arguments.ts";
import { openCallCloud, settings } from "./call-cloud.ts";

/**
 * Requests of all operations as `kcloud call` sends them: those of the client, which `test/library/request.test.ts` compares with the contract,
 * from options, from a JSON document, and as `--dry-run` prints them.
 */

const all = allOperations();
const transferred = all.filter(({ operation }) => operation.transfer !== undefined);
const requests = all.filter(({ operation }) => operation.transfer === undefined);

let folder: string;
let content: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kcloud-call-test-"));
  content = join(folder, "content.txt");
  writeFileSync(content, "content of a file");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns parameters as options, and secrets as environment variables. */
function optionsOf({ operation }: NamedOperation, written: Values) {
  const args: string[] = [];
  const environment: Record<string, string> = {};
  for (const { name, option, schema, isSecret } of parametersIn(operation)) {
    const value = written[name];
    if (value === undefined) continue;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (isSecret) {
      args.push(`--${option}-env`, `SECRET_${name}`);
      environment[`SECRET_${name}`] = text;
    } else if (Array.isArray(value))
      for (const item of value)
        args.push(`--${option}=${typeof item === "string" ? item : JSON.stringify(item)}`);
    else if (schema.type === "boolean") args.push(value === true ? `--${option}` : `--no-${option}`);
    else args.push(`--${option}`, text);
  }
  return { args, environment };
}

/** Returns options that confirm a call, and the file of its response. */
function confirmed(row: NamedOperation, written: Values): string[] {
  const isDestroying = effectOfCall(row, written) === "destroys";
  const id = confirmationOf(row, written, settings.SERVICE_ACCOUNT_ID);
  return [
    "--yes",
    ...(isDestroying ? ["--confirm", id] : []),
    ...(row.operation.content === undefined ? [] : ["--content", content]),
    "--out",
    join(folder, "response.json"),
  ];
}

const open = () => openCallCloud({ assume: { otpRequired: false } });
type Opened = ReturnType<typeof open>;

/** Returns the request of an operation, without the name of the program. Those of the session of the client are not among its own. */
function requestIn({ sent }: Opened, { area }: NamedOperation) {
  const own = sent.filter(
    (request) => area === "objectSession" || !request.url.includes("/kos/v1/sessions/"),
  );
  const { method, url, headers, text } = own.at(-1) ?? {};
  const { "user-agent": _, ...others } = headers ?? {};
  return { method, url, headers: others, text };
}

/** Returns the request that the client library sends for the same parameters. */
async function ofClient(row: NamedOperation, written: Values) {
  const opened = open();
  const client = openClient(
    gatherSettings({ otpRequired: false }, settings),
    opened.cloud.session.ports,
    () => {},
    "client",
  );
  const args = row.operation.content === undefined ? written : { ...written, content: { path: content } };
  await opened.cloud.run(
    callOperation(client, row.operation, args).then(
      () => {},
      () => {},
    ),
  );
  return requestIn(opened, row);
}

/** Replaces the parts of a request that differ in each session. */
const withoutTokens = (text: string) => text.replace(/"x-session-token":"[^"]*"/, '"x-session-token":"***"');

test("the table has all operations of the emulator, of which the rest of this file calls each", () => {
  const built = listOperations().flatMap(({ name, built }) => (built ? [name] : []));
  expect(built.toSorted()).toEqual(
    clientOperations()
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(built).toHaveLength(143);
  expect(transferred.map(({ name }) => name)).toEqual([
    "get_object_content",
    "put_object_content",
    "get_document_result",
  ]);
});

test.each(requests.map((row) => [row.name, row] as const))(
  "%s: options, a JSON document and the dry run have the request of the client",
  async (name, row) => {
    for (let seed = 1; seed <= 4; seed++) {
      const written = drawArguments(row, seed * 7_919);
      const expected = withoutTokens(JSON.stringify(await ofClient(row, written)));
      const environment = { SERVICE_OTP_REQUIRED: "false" };

      const { args, environment: secrets } = optionsOf(row, written);
      const byOptions = open();
      const called = await byOptions.call([name, ...args, "--verbose", ...confirmed(row, written)], {
        environment: { ...environment, ...secrets },
      });
      expect(called.code).not.toBe(2);
      for (const secret of Object.values(secrets))
        expect(called.stdout + called.stderr).not.toContain(secret);
      expect(withoutTokens(JSON.stringify(requestIn(byOptions, row)))).toBe(expected);
      expect(byOptions.cloud.emulator.log.counts()[name]).toBeGreaterThan(0);

      const document = join(folder, "parameters.json");
      writeFileSync(document, JSON.stringify(written));
      chmodSync(document, 0o600);
      const byDocument = open();
      await byDocument.call([name, "--json", document, ...confirmed(row, written)], { environment });
      expect(withoutTokens(JSON.stringify(requestIn(byDocument, row)))).toBe(expected);

      const dry = open();
      const printed = await dry.call(
        [name, ...args, "--dry-run", ...(row.operation.content === undefined ? [] : ["--content", content])],
        { environment: { ...environment, ...secrets } },
      );
      expect([printed.code, dry.sent]).toEqual([0, []]);
      const { method, url } = JSON.parse(expected);
      for (const secret of Object.values(secrets)) expect(printed.stdout).not.toContain(secret);
      if (Object.keys(secrets).length === 0) expect(printed.stdout.split("\n")[0]).toBe(`${method} ${url}`);
    }
  },
);
