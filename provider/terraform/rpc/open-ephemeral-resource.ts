import { type Explanation, InputError } from "../../core/error.ts";
import { terraformType } from "../../core/name.ts";
import type { Values } from "../../core/value.ts";
import { check } from "../../definition/check.ts";
import type { Ephemeral } from "../../definition/function.ts";
import { engine } from "../../engine/engine.ts";
import type { Kept } from "../../engine/ephemeral.ts";
import { diagnosed, errorDiagnostics, noSuch, problemWarnings, warning } from "../codec/diagnostic.ts";
import { answeredShape, nothing } from "../codec/schema.ts";
import { decodeRecord, encode } from "../codec/value.ts";
import type { Diagnostic, Timestamp } from "../tfplugin6/tfplugin6.ts";
import type { Call } from "../transport/grpc.ts";
import { type Configuration, configured } from "./configure-provider.ts";
import type { Handlers } from "./handler.ts";

/** Ephemeral resources: opened in plan and apply alike, renewed by the engine's own clock, closed at the end. */

/** What an engine keeps while one is open. */
const encodeKept = ({ region, key }: Kept): Uint8Array => Buffer.from(JSON.stringify({ region, key }));

function decodeKept(bytes: Uint8Array | undefined): Kept | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const { region, key } = JSON.parse(Buffer.from(bytes).toString("utf8")) as Values;
  return { region: String(region), key: key as Values };
}

const timestamp = (milliseconds: number): Timestamp => ({
  seconds: Math.floor(milliseconds / 1000),
  nanos: Math.floor(milliseconds % 1000) * 1_000_000,
});

const leaseOf = (kept: Kept | undefined): { private?: Uint8Array; renewAt?: Timestamp } =>
  kept === undefined
    ? {}
    : {
        private: encodeKept(kept),
        ...(kept.renewAt === undefined ? {} : { renewAt: timestamp(kept.renewAt) }),
      };

export function ephemeralHandlers(
  ephemerals: readonly Ephemeral[],
  { session }: Pick<Configuration, "session">,
): Pick<
  Handlers,
  | "validateEphemeralResourceConfig"
  | "openEphemeralResource"
  | "renewEphemeralResource"
  | "closeEphemeralResource"
> {
  const byType = new Map(ephemerals.map((ephemeral) => [terraformType(ephemeral.name), ephemeral]));

  const about =
    <Q extends { typeName?: string | undefined }, A extends object>(
      run: (ephemeral: Ephemeral, request: Q, call: Call, diagnostics: Diagnostic[]) => Promise<A> | A,
    ) =>
    (request: Q, call: Call): Promise<A | { diagnostics: Diagnostic[] }> => {
      const { typeName = "" } = request;
      const ephemeral = byType.get(typeName);
      if (ephemeral === undefined)
        return Promise.resolve({
          diagnostics: errorDiagnostics(noSuch("ephemeral resource", typeName), nothing),
        });
      return diagnosed(answeredShape(ephemeral), (diagnostics) => run(ephemeral, request, call, diagnostics));
    };

  const told = (call: Call, diagnostics: Diagnostic[]) => ({
    stop: call.signal,
    warn: ({ summary, detail }: Explanation) => {
      diagnostics.push(warning(summary, detail, [], nothing));
    },
  });

  return {
    validateEphemeralResourceConfig: about((ephemeral, { config }, _, diagnostics) => {
      const shape = answeredShape(ephemeral);
      const { problems, warnings } = check(ephemeral, decodeRecord(config, shape) ?? {});
      diagnostics.push(...problemWarnings(warnings, shape));
      if (problems.length > 0) throw new InputError(problems);
      return {};
    }),

    openEphemeralResource: about(async (ephemeral, { config }, call, diagnostics) => {
      const shape = answeredShape(ephemeral);
      const written = decodeRecord(config, shape) ?? {};
      const to = told(call, diagnostics);
      const { values, kept } = await engine.open(configured(session(call)), ephemeral, written, to);
      return { result: encode({ ...written, ...values }, shape), ...leaseOf(kept) };
    }),

    renewEphemeralResource: about(async (ephemeral, request, call, diagnostics) => {
      const kept = decodeKept(request.private);
      if (kept === undefined) return {};
      const to = told(call, diagnostics);
      return leaseOf(await engine.renew(configured(session(call)), ephemeral, kept, to));
    }),

    closeEphemeralResource: about(async (ephemeral, request, call, diagnostics) => {
      const kept = decodeKept(request.private);
      if (kept !== undefined)
        await engine.close(configured(session(call)), ephemeral, kept, told(call, diagnostics));
      return {};
    }),
  };
}
