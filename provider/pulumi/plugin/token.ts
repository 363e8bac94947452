import manifest from "../../../package.json" with { type: "json" };
import { nearest } from "../../core/string.ts";
import { GrpcError, status } from "../../grpc/grpc.ts";

/** Returns the definition with that token. Throws `GrpcError` for an unknown token, with the most similar one. */
export function findByToken<D extends { readonly name: string }>(
  definitions: readonly D[],
  tokenOf: (name: string) => string,
  token: string,
): D {
  const found = definitions.find(({ name }) => tokenOf(name) === token);
  if (found !== undefined) return found;
  const close = nearest(
    token,
    definitions.map(({ name }) => tokenOf(name)),
  );
  const hint = close === undefined ? "" : `; did you mean ${close}?`;
  throw new GrpcError(status.notFound, `${token} is not of this plugin, version ${manifest.version}${hint}`);
}
