import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { ephemerals } from "../../functions/index.ts";
import type { CloudError } from "../../provider/core/error.ts";
import { reveal, type Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import type { Transport } from "../../provider/platform/ports.ts";
import { type Between, failure } from "../support/cloud.ts";
import { named, open } from "../support/object-function.ts";

/** Lookups, actions and ephemeral resources of object storage, none of which is in a state. */

test.each<EmulatorOptions>([{}, { assume: { objectListShape: "array", objectListDepth: "all" } }])(
  "objects below a prefix are listed in every shape of the response: %p",
  async (options) => {
    const { put, ask, bucketId } = await open(options);
    for (const key of ["a.txt", "logs/1.txt", "logs/old/0.txt"]) await put(key, key);
    const { objects } = await ask("objects", { bucketId, prefix: "logs/" });
    expect((objects as Values[]).map(({ key, sizeBytes }) => [key, sizeBytes]).toSorted()).toEqual([
      ["logs/1.txt", 10],
      ["logs/old/0.txt", 14],
    ]);
  },
);

test("the content of an object is read as text and bytes, up to the given limit", async () => {
  const { put, ask, bucketId } = await open();
  await put("a.txt", "grüße");
  const asked = { bucketId, key: "a.txt" };
  expect(await ask("object-content", asked)).toMatchObject({
    content: "grüße",
    contentBase64: Buffer.from("grüße").toString("base64"),
    checksum: expect.stringMatching(/^[\da-f]{64}$/),
  });
  await expect(ask("object-content", { ...asked, maxBytes: 6 })).rejects.toThrow(
    "maxBytes: the object holds 7 bytes or more: set a larger maxBytes, or download it",
  );
  await expect(ask("object-content", { ...asked, key: "b.txt" })).rejects.toThrow(
    "key: is not the key of an object in the bucket",
  );
});

test("a URL serves an object without credentials", async () => {
  const { cloud, put, lease, bucketId } = await open();
  await put("a.txt", "one");
  const { values, lease: kept } = await lease("object-address", { bucketId, key: "a.txt" });
  const response = await cloud.emulator.fetch(String(reveal(values.url ?? null)));
  expect([response.status, await response.text(), kept]).toEqual([200, "one", undefined]);
});

test("tokens of a session of another key are redacted, even if another process opened the session", async () => {
  const quotes: string[] = [];
  const { cloud, lease } = await open(
    {},
    {
      wrap: (transport) => ({
        send: async (request, signal) => {
          const { url, body } = request;
          if (!/sessions.(refresh|deactivate)/.test(url)) return transport.send(request, signal);
          const said = `no such session: ${url.split("/").at(-1)} ${body ?? ""}`;
          quotes.push(said);
          return {
            kind: "answer",
            status: 400,
            headers: {},
            body: JSON.stringify({ said, message: said }),
            cut: false,
          };
        },
      }),
    },
  );
  const key = await cloud.run(cloud.create("access-key", { name: "other" }));
  const pair = { accessKey: String(key.id), secretKey: String(reveal(key.values.secretKey ?? null)) };
  const { lease: kept } = await lease("object-session", pair);
  if (kept === undefined) throw new Error("no lease");
  const ephemeral = named(ephemerals, "object-session");
  for (const session of [cloud.session, cloud.reopen(), cloud.reopen()])
    for (const ask of [engine.renew, engine.close]) {
      const { cause } = await cloud.run(
        failure(ask(session, ephemeral, kept, cloud.call) as Promise<unknown>),
      );
      expect((cause as CloudError).reason).toMatch(
        /^the API reports: no such session: \*\*\*( \{"refreshToken":"\*\*\*"\})?$/,
      );
    }
  expect(quotes).toHaveLength(6);
  expect(cloud.session.redact(String(kept.key.refreshToken))).toBe("***");
});

test("the token and the secret of a response are redacted from later messages of the API", async () => {
  const said: string[] = [];
  let refused = 0;
  const wrap = (transport: Transport): Transport => ({
    async send(request, signal) {
      const [, token] = /sessions\/status\/(.+)$/.exec(request.url) ?? [];
      if (token === undefined || refused > 0) return transport.send(request, signal);
      refused += 1;
      const body = JSON.stringify({ message: `wait, session ${token} is new` });
      return { kind: "answer", status: 429, headers: {}, body, cut: false };
    },
  });
  const log: Between["log"] = (_, message, facts) =>
    said.push(`${inWordsOf("terraform", message)} ${JSON.stringify(facts)}`);
  const { cloud, lease } = await open({}, { wrap, log });
  cloud.emulator.faults.add({ target: "activate_session", kind: "missing-field", field: "expiresAt" });
  const key = await cloud.run(cloud.create("access-key", { name: "other" }));
  const secretKey = String(reveal(key.values.secretKey ?? null));
  expect(cloud.session.redact(secretKey)).toBe("***");
  const { values } = await lease("object-session", { accessKey: String(key.id), secretKey });
  expect(said.filter((line) => line.includes("wait, session"))).toHaveLength(1);
  expect(said.filter((line) => line.includes(String(values.token)))).toEqual([]);
});
