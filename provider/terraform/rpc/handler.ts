import { ProviderDefinition } from "../tfplugin6/tfplugin6.ts";
import { bind, type Call, type Method, type Routes } from "../transport/grpc.ts";

/** The methods of the provider as functions, typed by the generated table. */

type Methods = typeof ProviderDefinition.methods;
type RequestOf<M> = M extends { requestType: { decode(bytes: Uint8Array): infer Q } } ? Q : never;
type AnswerOf<M> = M extends { responseType: { decode(bytes: Uint8Array): infer A } } ? A : never;

export type Handlers = {
  readonly [K in keyof Methods]: (
    request: RequestOf<Methods[K]>,
    call: Call,
  ) => Methods[K]["responseStream"] extends true
    ? AsyncIterable<AnswerOf<Methods[K]>>
    : Promise<AnswerOf<Methods[K]>>;
};

/** The handlers by their paths. */
export const routesOf = (handlers: Handlers): Routes =>
  Object.fromEntries(
    Object.entries(ProviderDefinition.methods).map(([name, method]) => [
      `/${ProviderDefinition.fullName}/${method.name}`,
      bind(method as Method<unknown, unknown>, handlers[name as keyof Methods] as never),
    ]),
  );
