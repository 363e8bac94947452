import { InputError } from "../../core/error.ts";
import type { Values } from "../../core/value.ts";
import { check } from "../../definition/check.ts";
import type { Ephemeral } from "../../definition/function.ts";
import type { LeaseState } from "../../engine/engine.ts";
import { engine, writtenObject } from "../../engine/engine.ts";
import type { GrpcCall } from "../../grpc/grpc.ts";
import { collectWarnings, problemWarning } from "../codec/diagnostic.ts";
import { definitionShape } from "../codec/schema.ts";
import { decodeRecord, encode } from "../codec/value.ts";
import type { Diagnostic, Timestamp } from "../tfplugin6/tfplugin6.ts";
import { type ProviderConfiguration, requireSession } from "./configure-provider.ts";
import { type Handlers, typedHandlers } from "./handler.ts";

/** Ephemeral resources: opened in plan and apply, renewed when the engine's timer for `renewAt` fires, then closed. */

/** Encodes the private bytes that the engine passes to the renew and close calls. */
const encodeLease = ({ region, key }: LeaseState): Uint8Array => Buffer.from(JSON.stringify({ region, key }));

function decodeLease(bytes: Uint8Array | undefined): LeaseState | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const { region, key } = JSON.parse(Buffer.from(bytes).toString("utf8")) as Values;
  return { region: String(region), key: key as Values };
}

const timestamp = (milliseconds: number): Timestamp => ({
  seconds: Math.floor(milliseconds / 1000),
  nanos: Math.floor(milliseconds % 1000) * 1_000_000,
});

/** Returns the fields of a response for the lease; empty for a resource that needs neither renewal nor closing. */
const leaseFields = (lease: LeaseState | undefined): { private?: Uint8Array; renewAt?: Timestamp } =>
  lease === undefined
    ? {}
    : {
        private: encodeLease(lease),
        ...(lease.renewAt === undefined ? {} : { renewAt: timestamp(lease.renewAt) }),
      };

const callOptions = ({ signal }: GrpcCall, diagnostics: Diagnostic[]) => ({
  stop: signal,
  warn: collectWarnings(diagnostics),
});

/** Returns the handlers of calls about ephemeral resources. */
export function ephemeralHandlers(
  ephemerals: readonly Ephemeral[],
  { session }: Pick<ProviderConfiguration, "session">,
): Pick<
  Handlers,
  | "validateEphemeralResourceConfig"
  | "openEphemeralResource"
  | "renewEphemeralResource"
  | "closeEphemeralResource"
> {
  const forEphemeral = typedHandlers("ephemeral resource", ephemerals, definitionShape);
  return {
    validateEphemeralResourceConfig: forEphemeral((ephemeral, { config }, _, diagnostics) => {
      const shape = definitionShape(ephemeral);
      const values = decodeRecord(config, shape) ?? {};
      const { problems, warnings } = check(ephemeral, values);
      diagnostics.push(
        ...warnings.map((each) => problemWarning(writtenObject(ephemeral, values), each, shape)),
      );
      if (problems.length > 0) throw new InputError(problems);
      return {};
    }),

    openEphemeralResource: forEphemeral(async (ephemeral, { config }, call, diagnostics) => {
      const shape = definitionShape(ephemeral);
      const inputs = decodeRecord(config, shape) ?? {};
      const options = callOptions(call, diagnostics);
      const { values, lease } = await engine.open(requireSession(session(call)), ephemeral, inputs, options);
      return { result: encode({ ...inputs, ...values }, shape), ...leaseFields(lease) };
    }),

    renewEphemeralResource: forEphemeral(async (ephemeral, request, call, diagnostics) => {
      const lease = decodeLease(request.private);
      if (lease === undefined) return {};
      const options = callOptions(call, diagnostics);
      return leaseFields(await engine.renew(requireSession(session(call)), ephemeral, lease, options));
    }),

    closeEphemeralResource: forEphemeral(async (ephemeral, request, call, diagnostics) => {
      const lease = decodeLease(request.private);
      if (lease !== undefined)
        await engine.close(requireSession(session(call)), ephemeral, lease, callOptions(call, diagnostics));
      return {};
    }),
  };
}
