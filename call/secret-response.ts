import type { Operation } from "../operation/operation.ts";

/** Returns the names of the fields of a response that contain a secret. */
export const secretFields = ({ endpoint, secrets }: Operation): readonly string[] => [
  ...new Set([...endpoint.secrets, ...secrets]),
];
