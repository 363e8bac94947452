import { expect, test } from "@jest/globals";
import { checkAddress } from "../../command/doctor/api.ts";
import type { Reply } from "../../provider/platform/ports.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";

/** Checks of address and clock for scripted responses, on a manual clock. */

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
    text: "https://cloud.example responds (HTTP 401)",
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
