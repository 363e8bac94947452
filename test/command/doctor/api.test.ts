import { expect, test } from "@jest/globals";
import { checkAddress } from "../../../command/doctor/api.ts";
import type { Reply } from "../../../provider/platform/ports.ts";
import { realPorts } from "../../../provider/platform/real-ports.ts";
import { about, doctor, serve, setUp } from "./setup.ts";

/** Checks of address and clock for scripted responses, on a manual clock. */

test("a sign-in is checked; the remedy of a rejected one names its variables", async () => {
  const { SERVICE_API_KEY: _, ...rest } = await setUp();
  const login = { ...rest, KCLOUD_EMAIL: "user@example.com" };
  const right = await doctor({ ...login, KCLOUD_PASSWORD: "emulator-password" });
  expect(about(right, "credentials")).toEqual([
    "ok credentials the API accepts the sign-in of user@example.com",
  ]);
  const wrong = await doctor({ ...login, KCLOUD_PASSWORD: "another-password" });
  expect(wrong.code).toBe(1);
  expect(about(wrong, "credentials")[1]).toBe(
    "Set a valid KCLOUD_EMAIL and KCLOUD_PASSWORD, or SERVICE_API_KEY instead.",
  );
});

test.each([
  ["search_vpc=403", "Use credentials that may list VPCs."],
  ["search_vpc=404", "Check that SERVICE_BASE_URL is the address of the API."],
  ["search_vpc=html-200", "Check that SERVICE_BASE_URL is the address of the API."],
])("credentials that cannot be checked because of %s have a remedy", async (fault, remedy) => {
  const ran = await doctor(await setUp({}, [fault]));
  expect([ran.code, about(ran, "credentials")[1]]).toEqual([1, remedy]);
  expect(about(ran, "region")).toEqual(["note region not checked: the credentials are not accepted"]);
});

test("a region that is missing, or has no instance types, is a note", async () => {
  const { SERVICE_REGION: _, ...rest } = await setUp();
  const remedy = "Set SERVICE_REGION to a region of the account, such as In-Bangalore-1.";
  const none = await doctor(rest);
  expect([none.code, about(none, "region")]).toEqual([
    0,
    ["note region none is set, so each resource must have its own", remedy],
  ]);
  const empty = await doctor(await setUp({}, ["list_flavors=empty-list"]));
  expect([empty.code, about(empty, "region")]).toEqual([
    0,
    ["note region In-Bangalore-1 lists no instance type", remedy],
  ]);
});

test("a server that does not respond ends the check at its timeout", async () => {
  const url = await serve(() => {});
  const ran = await doctor({ SERVICE_BASE_URL: url, SERVICE_API_KEY: "key-1" }, "--timeout", "1");
  expect([ran.code, about(ran, "address")]).toEqual([
    1,
    ["FAILED address no response within 1 s", "Check the network; --timeout 3 waits longer."],
  ]);
});

test("a response that takes too long ends the other checks at their timeouts", async () => {
  const late = { "search_vpc=hang": "credentials", "list_flavors=hang": "region" };
  for (const [fault, check] of Object.entries(late)) {
    const ran = await doctor(await setUp({}, [fault]), "--timeout", "1");
    expect([ran.code, about(ran, check)[0]]).toEqual([1, `FAILED ${check} no response within 1 s`]);
  }
});

const now = Date.parse("2026-03-01T12:00:00Z");

/** Returns the findings for a response that takes `seconds`. */
function findings(reply: Reply, environment: NodeJS.ProcessEnv = {}, seconds = 0) {
  let wall = now;
  const clock = { ...realPorts.clock, wall: () => wall };
  const transport = {
    async send(): Promise<Reply> {
      wall += seconds * 1000;
      return reply;
    },
  };
  const ports = { ...realPorts, clock, transport };
  return checkAddress({ baseUrl: "https://cloud.example" }, undefined, { ports, environment, limit: 10 });
}

const at = (date?: string): Reply => ({
  kind: "answer",
  status: 401,
  headers: date === undefined ? {} : { date: new Date(date).toUTCString() },
  body: "",
  cut: false,
});

const clock = async (date: string | undefined, seconds?: number) =>
  (await findings(at(date), {}, seconds)).find(({ check }) => check === "clock");

test("any response proves that the address can be reached", async () => {
  expect((await findings(at()))[0]).toEqual({
    check: "address",
    status: "ok",
    text: "https://cloud.example is reachable",
  });
});

test.each<[string | undefined, number, string, string]>([
  ["2026-03-01T12:00:00Z", 0, "ok", "equal to that of the API"],
  ["2026-03-01T11:59:59Z", 0, "ok", "equal to that of the API"],
  ["2026-03-01T12:00:04Z", 5, "ok", "equal to that of the API"],
  ["2026-03-01T12:00:04Z", 0, "ok", "4 s behind that of the API"],
  ["2026-03-01T11:54:59Z", 0, "ok", "300 s ahead of that of the API"],
  ["2026-03-01T11:54:58Z", 0, "failed", "301 s ahead of that of the API"],
  ["2026-03-01T12:05:01Z", 0, "failed", "301 s behind that of the API"],
  [undefined, 0, "note", "the response has no date to compare with"],
])("the date %s after %d s", async (date, seconds, status, text) => {
  expect(await clock(date, seconds)).toEqual({
    check: "clock",
    status,
    text,
    ...(status === "failed" && {
      remedy: "Set the clock of this machine, for example by NTP: certificates and tokens expire by it.",
    }),
  });
});

test.each<[Reply, NodeJS.ProcessEnv, string, string]>([
  [
    { kind: "unsent", reason: "the server's certificate has expired" },
    {},
    "https://cloud.example: the server's certificate has expired",
    "Check SERVICE_BASE_URL, or set SERVICE_CA_CERT_FILE to the certificates of its authority.",
  ],
  [
    { kind: "lost", reason: "the connection was closed before the response" },
    { KCLOUD_BASE_URL: "https://cloud.example" },
    "https://cloud.example: the connection was closed before the response",
    "Check KCLOUD_BASE_URL, the network and the variable HTTPS_PROXY.",
  ],
])("an address that cannot be reached has a remedy: %j", async (reply, environment, text, remedy) => {
  expect(await findings(reply, environment)).toEqual([{ check: "address", status: "failed", text, remedy }]);
});
