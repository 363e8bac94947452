import { expect, test } from "@jest/globals";
import * as z from "zod";
import { HostError, hostClient, nextLink } from "../../../review/post/client.ts";
import { type Double, type Fault, testClock, transportTo } from "./double.ts";

const token = "canary-token-cL3";
const api = "https://host.test/api";

/** Returns a client whose requests get these replies, its requests, and its printed requests. */
function clientOf(fault: Fault, isDryRun = false) {
  const clock = testClock();
  const log: string[] = [];
  const printed: string[] = [];
  const headers: Readonly<Record<string, string>>[] = [];
  const double: Double = { api, answer: () => ({ status: 200, body: {} }) };
  const transport = transportTo(double, {
    clock,
    log,
    fault(request, count) {
      headers.push(request.headers);
      return fault(request, count);
    },
  });
  const client = hostClient({
    ports: { clock, foreign: transport },
    name: "Host",
    api,
    token,
    authorization: (value) => ["authorization", `Bearer ${value}`],
    headers: { "user-agent": "kcloud" },
    dryRun: isDryRun ? (text) => void printed.push(text) : undefined,
  });
  return { client, log, printed, headers };
}

const failure = async (work: Promise<unknown>): Promise<HostError> => {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (error instanceof HostError) return error;
  throw new Error("the request did not fail");
};

test("a redirect within the origin is followed, with the token", async () => {
  const { client, log, headers } = clientOf((_, count) =>
    count === 1 ? { status: 301, headers: { location: "/api/b" } } : { status: 200, body: [1] },
  );
  expect(await client.read({ method: "GET", path: "/a" }, z.array(z.number()))).toEqual([1]);
  expect(log).toEqual(["GET /a", "GET /b"]);
  expect(headers.map(({ authorization }) => authorization)).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
});

test.each([
  ["http://host.test/api/b", "another host, host.test"],
  ["https://host.test:8443/api/b", "another host, host.test:8443"],
  ["https://host.test.evil.example/", "another host, host.test.evil.example"],
  ["//evil.example/b", "another host, evil.example"],
  ["https://[", "no URL"],
])("a redirect to %s is refused", async (location, place) => {
  const { client, log } = clientOf(() => ({ status: 307, headers: { location } }));
  expect((await failure(client.send({ method: "GET", path: "/a" }))).message).toBe(
    `GET /a of Host is redirected (307) to ${place}, which does not get the token. Set --api-url to the URL of the API.`,
  );
  expect(log).toEqual(["GET /a"]);
});

test("a redirect that would turn a write into a read is refused, and endless ones end", async () => {
  const moved = clientOf(() => ({ status: 301, headers: { location: "/api/b" } })).client;
  expect((await failure(moved.send({ method: "POST", path: "/a" }))).message).toBe(
    "POST /a of Host is redirected (301) to /api/b. Set --repository to the present name.",
  );
  expect((await failure(moved.send({ method: "GET", path: "/a" }))).message).toBe(
    "GET /a of Host is redirected more than 3 times.",
  );
});

test("a failed write may have had an effect if the host failed, and not if it refused", async () => {
  const post = { method: "POST", path: "/a", body: {} } as const;
  const ambiguous = async (fault: Fault) => (await failure(clientOf(fault).client.send(post))).isAmbiguous;
  expect(await ambiguous(() => ({ status: 502 }))).toBe(true);
  expect(await ambiguous(() => "lost")).toBe(true);
  expect(await ambiguous(() => ({ status: 200, text: "<html>" }))).toBe(true);
  expect(await ambiguous(() => ({ status: 422 }))).toBe(false);
});

test("a write that is not repeatable is sent once after 502, and again after 429", async () => {
  const post = { method: "POST", path: "/a", body: {} } as const;
  const failed = clientOf(() => ({ status: 502 }));
  await failure(failed.client.send(post));
  expect(failed.log).toHaveLength(1);
  const limited = clientOf((_, count) => (count < 3 ? { status: 429 } : undefined));
  await limited.client.send(post);
  expect(limited.log).toHaveLength(3);
});

test("pages are read to the end, at most 50", async () => {
  const page = ({ url }: { url: URL }) => Number(url.searchParams.get("page") ?? 1);
  const link = (number: number) => ({ link: `<${api}/a?page=${number}>; rel="next"` });
  const three = clientOf((request) => ({
    status: 200,
    body: [page(request)],
    headers: page(request) < 3 ? link(page(request) + 1) : {},
  }));
  expect(await three.client.readPages("/a", z.array(z.number()), nextLink(api))).toEqual([1, 2, 3]);
  const endless = clientOf((request) => ({ status: 200, body: [], headers: link(page(request) + 1) }));
  expect((await failure(endless.client.readPages("/a", z.array(z.number()), nextLink(api)))).message).toBe(
    "GET /a?page=51 of Host has more than 50 pages.",
  );
});

test("a link to another host is no next page", () => {
  const next = nextLink(api);
  expect(next({ link: `<${api}/a?page=1>; rel="prev", <${api}/a?page=3>; rel="next"` })).toBe("/a?page=3");
  expect(next({})).toBeUndefined();
  expect(() => next({ link: '<https://evil.example/a>; rel="next"' })).toThrow(
    "the next page is at another URL than the API: https://evil.example/a",
  );
});

test("an error of the host that repeats the token is redacted", async () => {
  const { client } = clientOf(() => ({ status: 400, body: { message: `bad "${token}"\n::error::x` } }));
  const { message } = await failure(client.send({ method: "GET", path: "/a" }));
  expect(message).not.toContain(token);
  expect(message).not.toContain("\n");
});

test("a dry run sends reads, prints writes, and prints no token", async () => {
  const { client, log, printed } = clientOf(() => undefined, true);
  await client.send({ method: "GET", path: "/a" });
  await client.send({ method: "POST", path: "/q", body: { query: 1 }, isRead: true });
  await client.send({ method: "POST", path: "/b", body: { text: `x ${token}` } });
  expect(log).toEqual(["GET /a", "POST /q"]);
  expect(printed.map((text) => text.split("\n").slice(0, 2))).toEqual([
    [`GET ${api}/a`, "authorization: ***"],
    [`POST ${api}/q`, "authorization: ***"],
    [`POST ${api}/b`, "authorization: ***"],
  ]);
  expect(printed.join("")).not.toContain(token);
});
