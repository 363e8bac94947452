import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import * as z from "zod/mini";
import { createApi } from "../../provider/client/client.ts";
import { CloudError } from "../../provider/core/error.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { endpoint, inRows } from "../../provider/definition/endpoint.ts";
import { openSession } from "../../provider/engine/session.ts";
import type { ByteStream, Transport } from "../../provider/platform/ports.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { type Answer, before } from "./server.ts";

const part = Buffer.alloc(64 * 1024, "kcloud");

/** Returns a stream of this many equal parts. */
const streamOf = (parts: number): ByteStream => ({
  size: parts * part.length,
  async *read() {
    for (let sent = 0; sent < parts; sent++) yield part;
  },
});

const digest = (parts: number) => {
  const hash = createHash("sha256");
  for (let sent = 0; sent < parts; sent++) hash.update(part);
  return hash.digest("hex");
};

const failure = async (work: Promise<unknown>): Promise<CloudError> => {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof CloudError) return error;
  throw new Error(`it ended with ${String(error)}`);
};

test("an upload has its content length and no credential", async () => {
  let seen: Record<string, unknown> = {};
  const answer: Answer = async (request, response) => {
    const hash = createHash("sha256");
    for await (const chunk of request) hash.update(chunk as Buffer);
    const {
      authorization,
      "x-account-id": account,
      "content-length": length,
      "content-type": type,
    } = request.headers;
    seen = { authorization, account, length, type, digest: hash.digest("hex") };
    response.end();
  };
  await before(answer, async ({ transfer }, url) => {
    await transfer.put(`${url}/bucket/a?signature=x`, streamOf(100), { type: "text/plain" });
  });
  expect(seen).toEqual({
    authorization: undefined,
    account: undefined,
    length: String(100 * part.length),
    type: "text/plain",
    digest: digest(100),
  });
});

test("a download is no faster than its consumer", async () => {
  const answer: Answer = (_, response) => {
    for (let sent = 0; sent < 100; sent++) response.write(part);
    response.end();
  };
  await before(answer, async ({ transfer }, url) => {
    const hash = createHash("sha256");
    let taking = 0;
    let most = 0;
    await transfer.get(`${url}/a`, async (chunk) => {
      most = Math.max(most, ++taking);
      await new Promise((later) => setImmediate(later));
      hash.update(chunk);
      taking -= 1;
    });
    expect([most, hash.digest("hex")]).toEqual([1, digest(100)]);
  });
});

test("a truncated download, an error status and a redirect are errors without the URL", async () => {
  const answers: Record<string, Answer> = {
    "/cut": (_, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("half", () => response.destroy());
    },
    "/late": (_, response) => response.writeHead(403).end("<Error><Signature>secret</Signature></Error>"),
    "/moved": (_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    "/busy": (_, response) => response.writeHead(503).end(),
  };
  const answer: Answer = (request, response) =>
    answers[request.url?.split("?")[0] ?? ""]?.(request, response);
  await before(answer, async ({ transfer }, url) => {
    const failureFrom = async (place: string) => {
      const { failure: kind, message } = await failure(
        transfer.get(`${url}${place}?signature=secret`, () => {}),
      );
      return [kind, message];
    };
    expect(await failureFrom("/cut")).toEqual([
      "ambiguous",
      "the content ended early: GET to a pre-signed URL",
    ]);
    expect(await failureFrom("/late")).toEqual([
      "rejected",
      "the object storage returned 403: the pre-signed URL may have expired: GET to a pre-signed URL",
    ]);
    expect(await failureFrom("/moved")).toEqual([
      "ambiguous",
      "the object storage returned 302: GET to a pre-signed URL",
    ]);
    expect(await failureFrom("/busy")).toEqual([
      "ambiguous",
      "the object storage returned 503: GET to a pre-signed URL",
    ]);
  });
});

test("each transfer is logged with its method and status, and a lost connection is reported by its reason", async () => {
  const logged: unknown[] = [];
  const types: unknown[] = [];
  const answer: Answer = (request, response) => {
    types.push(request.headers["content-type"]);
    if (request.url === "/lost") request.socket.destroy();
    else request.resume().on("end", () => response.end());
  };
  const work = async ({ transfer }: ReturnType<typeof createApi>, url: string) => {
    await transfer.put(`${url}/a`, streamOf(1));
    const { failure: kind, message } = await failure(transfer.get(`${url}/lost`, () => {}));
    expect([kind, message]).toEqual(["ambiguous", expect.not.stringContaining("undefined")]);
  };
  await before(answer, work, (level, event, about) => logged.push([level, event, about]));
  expect(types).toEqual([undefined, undefined]);
  const ms = expect.any(Number);
  expect(logged).toEqual([
    ["debug", "transfer", { method: "PUT", status: 200, ms }],
    ["debug", "transfer", { method: "GET", status: "lost", ms }],
  ]);
});

test("a local failure is the error of an upload and of a download", async () => {
  const answer: Answer = (request, response) => {
    request.resume();
    for (let sent = 0; sent < 10; sent++) response.write(part);
    request.on("end", () => response.end());
  };
  await before(answer, async ({ transfer }, url) => {
    const broken: ByteStream = {
      size: 2 * part.length,
      async *read() {
        yield part;
        throw new RangeError("the file changed");
      },
    };
    await expect(transfer.put(`${url}/a`, broken)).rejects.toThrow("the file changed");
    const full = () => {
      throw new RangeError("the disk is full");
    };
    await expect(transfer.get(`${url}/a`, full)).rejects.toThrow("the disk is full");
  });
});

test.each(["http://storage.example/a", "ftp://127.0.0.1/a", "https://user:secret@storage.example/a", "/a"])(
  "no request is sent to a URL such as %s",
  async (address) => {
    const { transfer } = createApi(
      openSession({ baseUrl: "http://127.0.0.1:1", apiKey: "the-api-key" }, realPorts),
      { region: "", signal: new AbortController().signal },
    );
    const { failure: kind, reason, route } = await failure(transfer.get(address, () => {}));
    expect([kind, reason, route]).toEqual([
      "unreadable",
      "the pre-signed URL that the API returned does not use https",
      "GET to a pre-signed URL",
    ]);
  },
);

test.each([
  "https://127.0.0.1/a",
  "http://127.0.0.1:8080/a",
  "http://localhost/a",
  "https://localhost./a",
  "https://storage.localhost/a",
  "https://[::1]/a",
  "https://[::ffff:127.0.0.1]/a",
  "https://0.0.0.0/a",
  "https://[::]/a",
  "https://2130706433/a",
])("no content is sent from a remote API to %s, an address of this machine", async (address) => {
  const asked: string[] = [];
  const foreign: Transport = {
    send: async ({ url }) => {
      asked.push(url);
      return { kind: "answer", status: 200, headers: {}, body: "", cut: false };
    },
  };
  const on = (baseUrl: string) =>
    createApi(openSession({ baseUrl, apiKey: "the-api-key" }, { ...realPorts, foreign }), {
      region: "",
      signal: new AbortController().signal,
    }).transfer;
  const {
    failure: kind,
    reason,
    route,
  } = await failure(on("https://cloud.example").put(address, streamOf(1)));
  expect([kind, inWordsOf("terraform", reason), route]).toEqual([
    "unreadable",
    "the pre-signed URL that the API returned refers to this machine, and base_url does not",
    "PUT to a pre-signed URL",
  ]);
  expect(asked).toEqual([]);
  for (const baseUrl of ["http://127.0.0.1:1", "http://localhost:1", "https://[::1]"])
    await on(baseUrl).put(address, streamOf(1));
  expect(asked).toHaveLength(3);
});

const entry = z.object({ key: z.string(), size: z.number() });

const list = inRows(endpoint("read", "GET /rows", z.object({ objects: z.array(entry) })), entry);

test("a hundred thousand rows in one response need only a few megabytes more than the rows", async () => {
  const count = 100_000;
  const answer: Answer = (_, response) => {
    response.write('{"prefix":"","objects":[');
    const more = (at: number) => {
      for (let row = at; row < Math.min(at + 1000, count); row++)
        response.write(
          `${row === 0 ? "" : ","}${JSON.stringify({ key: `logs/2026/${row}.txt`, isFolder: false, size: row, lastModified: "2026-01-01T00:00:00.000Z", more: "x".repeat(80) })}`,
        );
      if (at < count) setImmediate(more, at + 1000);
      else response.end("]}");
    };
    more(0);
  };
  await before(answer, async (api) => {
    const rows = await api.send(list);
    expect([rows.length, rows.at(-1)]).toEqual([
      count,
      { key: `logs/2026/${count - 1}.txt`, size: count - 1 },
    ]);
  });
});

test("a listing that is an error, is truncated, or has an invalid row is never treated as empty", async () => {
  const bodies = [
    '{"error":{"message":"no"}}',
    '{"objects":[{"key":"a","size":1},',
    '{"objects":[{"key":1}]}',
  ];
  for (const body of bodies)
    await before(
      (_, response) => response.end(body),
      async (api) => {
        expect((await failure(api.send(list))).failure).toBe("unreadable");
      },
    );
});

test("an upload for a new key is rejected if the key has an object, and ambiguous after a 429", async () => {
  const conditions: unknown[] = [];
  let statuses: number[] = [];
  const answer: Answer = async (request, response) => {
    request.resume();
    conditions.push(request.headers["if-none-match"]);
    response.writeHead(statuses.shift() ?? 200, { "retry-after": "0" }).end();
  };
  await before(answer, async ({ transfer }, url) => {
    const put = async (isNew: boolean, ...answers: number[]) => {
      statuses = answers;
      return (await failure(transfer.put(`${url}/a`, streamOf(1), { isNew }))).failure;
    };
    expect(await put(true, 412)).toBe("conflict");
    expect(await put(true, 409)).toBe("conflict");
    expect(await put(true, 429, 412)).toBe("ambiguous");
    expect(await put(false, 409)).toBe("rejected");
  });
  expect(conditions).toEqual(["*", "*", "*", "*", undefined]);
});
