import { terraformType } from "../../core/name.ts";
import type { ObjectShape } from "../../definition/shape.ts";
import type { Session } from "../../engine/engine.ts";
import { bindMethod, type GrpcCall, type Method, type Routes } from "../../grpc/grpc.ts";
import { errorDiagnostics, unknownTypeError, withDiagnostics } from "../codec/diagnostic.ts";
import { emptyShape } from "../codec/schema.ts";
import { type Diagnostic, ProviderDefinition } from "../tfplugin6/tfplugin6.ts";

/** Handlers of the provider's methods, typed by the generated service definition. */

type Methods = typeof ProviderDefinition.methods;
type RequestOf<M> = M extends { requestType: { decode(bytes: Uint8Array): infer Q } } ? Q : never;
type ResponseOf<M> = M extends { responseType: { decode(bytes: Uint8Array): infer A } } ? A : never;

export type Handlers = {
  readonly [K in keyof Methods]: (
    request: RequestOf<Methods[K]>,
    call: GrpcCall,
  ) => Methods[K]["responseStream"] extends true
    ? AsyncIterable<ResponseOf<Methods[K]>>
    : Promise<ResponseOf<Methods[K]>>;
};

/** Returns the handlers by the gRPC paths of their methods. */
export const routesOf = (handlers: Handlers): Routes =>
  Object.fromEntries(
    Object.entries(ProviderDefinition.methods).map(([name, method]) => [
      `/${ProviderDefinition.fullName}/${method.name}`,
      bindMethod(method as Method<unknown, unknown>, handlers[name as keyof Methods] as never),
    ]),
  );

/** Returns the definitions by their Terraform types. */
export const byTerraformType = <D extends { readonly name: string }>(
  definitions: readonly D[],
): ReadonlyMap<string, D> =>
  new Map(definitions.map((definition) => [terraformType(definition.name), definition]));

/**
 * Returns a wrapper for handlers of requests with a type, which get the definition of the type. An unknown type and
 * every thrown error become diagnostics, with paths in the shape of the definition.
 */
/** Context of a call about a resource. */
export interface CallContext<S extends Session | undefined = Session> {
  readonly session: S;
  readonly call: GrpcCall;
  readonly diagnostics: Diagnostic[];
}

export function typedHandlers<D extends { readonly name: string }>(
  kind: string,
  definitions: readonly D[],
  shapeOf: (definition: D) => ObjectShape,
) {
  const byType = byTerraformType(definitions);
  return <Q extends { typeName?: string | undefined }, A extends object>(
    handle: (definition: D, request: Q, call: GrpcCall, diagnostics: Diagnostic[]) => Promise<A> | A,
  ) =>
    (request: Q, call: GrpcCall): Promise<A | { diagnostics: Diagnostic[] }> => {
      const { typeName = "" } = request;
      const definition = byType.get(typeName);
      if (definition === undefined)
        return Promise.resolve({
          diagnostics: errorDiagnostics(unknownTypeError(kind, typeName), emptyShape),
        });
      const run = (diagnostics: Diagnostic[]) => handle(definition, request, call, diagnostics);
      return withDiagnostics(shapeOf(definition), run, call.onError);
    };
}
