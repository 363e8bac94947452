import * as z from "zod/mini";
import { type Client, createApi, openClient } from "../../provider/client/client.ts";
import type { Given } from "../../provider/config/config.ts";
import { CloudError, SignInError } from "../../provider/core/error.ts";
import { parseHttpDate } from "../../provider/core/time.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import type { Ports } from "../../provider/platform/ports.ts";
import { loadNetwork } from "../../provider/platform/real-ports.ts";
import { type Finding, failed, note, ok } from "./finding.ts";
import { variableOf } from "./setting.ts";

/** Checks the API with reads: address, clock, credentials and region. */

/** Inputs of the checks. */
export interface ApiContext {
  readonly ports: Ports;
  readonly environment: NodeJS.ProcessEnv;
  /** Timeout of each check in seconds. */
  readonly limit: number;
}

/** Maximum timeout of a check in seconds. */
export const longestLimit = 9999;

/** Maximum difference of the clocks in seconds. Tokens are valid for five minutes (docs/contract.md#1.2). */
const largestSkew = 300;

/** The only list operation that needs no region (docs/contract.md#1.3). */
const searchVpcs = endpoint("read", "GET /v1/highlvlvpc/search_vpc", z.looseObject({}), { region: false });
const listTypes = endpoint(
  "read",
  "GET /api/v1/flavor/compute",
  z.array(z.object({ groupBy: z.array(z.unknown()) })),
);

const limitOf = ({ limit }: ApiContext): AbortSignal => AbortSignal.timeout(limit * 1000);

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === "TimeoutError";

const slow = (check: string, { limit }: ApiContext): Finding =>
  failed(
    check,
    `no response within ${limit} s`,
    `Check the network; --timeout ${Math.min(limit * 3, longestLimit)} waits longer.`,
  );

/** Sends a request without credentials to the address: any response proves that it can be reached. */
export async function checkAddress(
  settings: Given,
  certificates: string | undefined,
  context: ApiContext,
): Promise<Finding[]> {
  const { ports, environment } = context;
  const { clock, transport } = ports;
  const address = String(settings.baseUrl);
  const variable = variableOf("baseUrl", environment);
  try {
    await loadNetwork();
    const requested = clock.wall();
    const url = `${address.replace(/\/+$/, "")}/`;
    const request = { method: "GET", url, headers: { accept: "application/json" } };
    const limit = limitOf(context);
    const reply = await transport.send(
      certificates === undefined ? request : { ...request, certificates },
      limit,
    );
    if (reply.kind === "unsent" && limit.aborted) return [slow("address", context)];
    if (reply.kind !== "answer")
      return [
        failed(
          "address",
          `${address}: ${reply.reason}`,
          reply.reason.includes("certificate")
            ? `Check ${variable}, or set ${variableOf("caCertFile", environment)} to the certificates of its authority.`
            : `Check ${variable}, the network and the variable HTTPS_PROXY.`,
        ),
      ];
    return [
      ok("address", `${address} is reachable`),
      clockFinding(reply.headers.date, requested, clock.wall()),
    ];
  } catch (error) {
    if (isTimeout(error)) return [slow("address", context)];
    throw error;
  }
}

/** Compares the `Date` header of a response with the times in ms at which it was requested and received. */
function clockFinding(date: string | undefined, requested: number, received: number): Finding {
  const sent = parseHttpDate(date ?? "");
  if (sent === undefined) return note("clock", "the response has no date to compare with");
  // The header has a resolution of one second: the response was sent within the second that begins then.
  const [behind, ahead] = [sent - received, requested - sent - 1000];
  if (Math.max(behind, ahead) <= 0) return ok("clock", "equal to that of the API");
  const seconds = Math.ceil(Math.max(behind, ahead) / 1000);
  const text = `${seconds} s ${behind > 0 ? "behind" : "ahead of"} that of the API`;
  if (seconds <= largestSkew) return ok("clock", text);
  return failed(
    "clock",
    text,
    "Set the clock of this machine, for example by NTP: certificates and tokens expire by it.",
  );
}

/** Sends a read with the credentials; signs in first if they are an email and a password. */
export async function checkCredentials(client: Client, context: ApiContext): Promise<Finding> {
  const { identity } = client.settings;
  try {
    await createApi(client, { region: "", signal: limitOf(context) }).send(searchVpcs, {
      query: { page: 1, size: 1 },
    });
    const what = "apiKey" in identity ? "the API key" : `the sign-in of ${identity.email}`;
    return ok("credentials", `the API accepts ${what}`);
  } catch (error) {
    if (isTimeout(error)) return slow("credentials", context);
    if (!(error instanceof CloudError)) throw error;
    return failed("credentials", reasonOf(error), credentialRemedy(error, context));
  }
}

const reasonOf = ({ reason, route }: CloudError): string => `${inWordsOf("terraform", reason)} (${route})`;

function credentialRemedy(error: CloudError, { environment }: ApiContext): string {
  const variable = (name: Parameters<typeof variableOf>[0]) => variableOf(name, environment);
  if (error instanceof SignInError)
    return error.credential === "sign-in address"
      ? `Check that ${variable("baseUrl")} is the address of the API.`
      : `Set a valid ${variable("email")} and ${variable("password")}, or ${variable("apiKey")} instead.`;
  if (error.failure === "auth") return `Set a valid ${variable("apiKey")}.`;
  if (error.failure === "throttled") return "Run kcloud doctor again in some minutes.";
  if (error.status === 403) return "Use credentials that may list VPCs.";
  return `Check that ${variable("baseUrl")} is the address of the API.`;
}

/** Lists the instance types of the region, which needs no object in it. */
export async function checkRegion(client: Client, context: ApiContext): Promise<Finding> {
  const { region } = client.settings;
  const variable = variableOf("region", context.environment);
  const choose = `Set ${variable} to a region of the account, such as In-Bangalore-1.`;
  if (region === undefined) return note("region", "none is set, so each resource must have its own", choose);
  try {
    const listed = await createApi(client, { region, signal: limitOf(context) }).send(listTypes, {
      query: { type: "CPU" },
    });
    const count = listed.reduce((sum, { groupBy }) => sum + groupBy.length, 0);
    if (count === 0) return note("region", `${region} lists no instance type`, choose);
    return ok("region", `${region} has ${count} instance ${count === 1 ? "type" : "types"}`);
  } catch (error) {
    if (isTimeout(error)) return slow("region", context);
    if (!(error instanceof CloudError)) throw error;
    return failed("region", `${region}: ${reasonOf(error)}`, choose);
  }
}

/** Opens a client that logs nothing. */
export const openDoctorClient = (settings: Given, { ports }: ApiContext): Client =>
  openClient(settings, ports, undefined, "doctor");
