import { expect, test } from "@jest/globals";
import { listOperations } from "../../emulator/operation-list.ts";
import { callOperation } from "../../library/call.ts";
import { allOperations, clientOperations, type NamedOperation } from "../../operation/operations.ts";
import type { Value } from "../../provider/core/value.ts";
import type { Transport } from "../../provider/platform/ports.ts";
import { recorded, type SentRequest } from "../support/cloud.ts";
import { openClientCloud, region } from "./client-cloud.ts";
import { drawArguments } from "./drawn-arguments.ts";

/**
 * Requests of all operations as the emulator receives them. The emulator was written from the contract alone and refuses headers, queries and
 * bodies that the contract does not have.
 */

const implemented = new Set(listOperations().flatMap(({ name, built }) => (built ? [name] : [])));
/** Rows whose request goes to a pre-signed URL of a response: `test/library/client.test.ts` has them. */
const requests = clientOperations().filter(
  ({ name, operation }) => operation.transfer === undefined && implemented.has(name),
);

/** Reasons of a 400 that concern other objects, and not the form of the request. */
const ofObjects: { readonly [operation: string]: RegExp } = {
  create_inference_task: /checkpoint \S+ not found/,
};

/** Opens a client and records the requests that its transport sends. */
function openRecorded() {
  const sent: SentRequest[] = [];
  const wrap = (transport: Transport) => recorded(transport, sent);
  return { sent, ...openClientCloud({ assume: { otpRequired: false } }, { otpRequired: false }, { wrap }) };
}

type Call = (args: object) => PromiseLike<unknown>;
const callOf = (client: object, { area, method }: NamedOperation): Call =>
  (client as { [area: string]: { [method: string]: Call } })[area]?.[method] as Call;

/** Returns the texts and numbers in a value. */
const leaves = (value: Value | undefined): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [
        ...(name.startsWith("label") && !Array.isArray(value) ? [name] : []),
        ...leaves(inner as Value),
      ])
    : typeof value === "string" || typeof value === "number"
      ? [String(value)]
      : [];

/** Returns the arguments that a request has neither in its URL, nor in a header, nor in its body. */
function missingIn(request: SentRequest | undefined, written: Value): string[] {
  const whole = [
    decodeURIComponent(request?.url ?? ""),
    JSON.stringify(request?.headers),
    request?.text,
  ].join(" ");
  const encoded = (leaf: string) => Buffer.from(leaf).toString("base64");
  return leaves(written).filter(
    (leaf) =>
      leaf !== region &&
      !whole.includes(JSON.stringify(leaf).slice(1, -1)) &&
      !whole.includes(encoded(leaf)) &&
      !whole.includes(leaf),
  );
}

/** Content that every operation with content sends. */
const content = Buffer.from("content of a file");

test.each(requests.map((row) => [row.name, row] as const))(
  "%s: the emulator accepts the form of each request, which has every argument",
  async (name, row) => {
    const { cloud, client, run, sent } = openRecorded();
    for (let seed = 1; seed <= 8; seed++) {
      const written = drawArguments(row, seed * 7_919);
      const args = row.operation.content === undefined ? written : { ...written, content };
      const failed = await run(
        Promise.resolve(callOf(client, row)(args)).then(
          () => undefined,
          (error) => error,
        ),
      );
      const [entry] = cloud.emulator.log.entries({ operation: name });
      expect([name, failed instanceof Error ? failed.message : "", entry?.operation]).toEqual([
        name,
        expect.anything(),
        name,
      ]);
      const own = cloud.emulator.log.entries().filter(({ operation }) => operation === name);
      for (const { outcome } of own) {
        const isKnown = ofObjects[name]?.test(String(failed));
        if (outcome === 400 && !isKnown) throw new Error(`${name} ${JSON.stringify(written)}: ${failed}`);
      }
      const request = sent.findLast(
        ({ url }) => !/sessions\/activate/.test(url) || name === "activate_session",
      );
      expect({ written, missing: missingIn(request, written) }).toEqual({ written, missing: [] });
      cloud.emulator.log.clear();
      sent.length = 0;
    }
  },
);

const further = allOperations().filter(({ name }) => !implemented.has(name));

test.each(further.map((row) => [row.name, row] as const))(
  "%s, which the emulator does not implement, is sent to its route with every argument",
  async (name, row) => {
    const { operation } = row;
    const { cloud, run, sent } = openRecorded();
    for (let seed = 1; seed <= 4; seed++) {
      const written = drawArguments(row, seed * 7_919);
      const args = operation.content === undefined ? written : { ...written, content };
      await expect(run(callOperation(cloud.session, operation, args))).rejects.toMatchObject({ status: 501 });
      const received = new Set(cloud.emulator.log.entries().map(({ operation }) => operation));
      expect([...received]).toEqual([name]);
      expect({ written, missing: missingIn(sent.at(-1), written) }).toEqual({ written, missing: [] });
      cloud.emulator.log.clear();
    }
  },
);
