import { snakeCase } from "../provider/core/name.ts";
import { inference } from "./area/inference.ts";
import { object } from "./area/object.ts";
import { objectSession } from "./area/object-session.ts";
import { signIn } from "./area/sign-in.ts";
import { volume } from "./area/volume.ts";
import { vpc } from "./area/vpc.ts";
import type { Area, Operation } from "./operation.ts";

/** Table of the operations of the API by area. An area is a file of `operation/area/` and a line here. */
export const areas: { readonly [area: string]: Area } = {
  signIn,
  vpc,
  volume,
  objectSession,
  object,
  inference,
};

/** Operation with its names. */
export interface NamedOperation {
  /** Name in the contract: `create_volume`. */
  readonly name: string;
  /** Name of the area and of the method in the client: `volume`, `createVolume`. */
  readonly area: string;
  readonly method: string;
  readonly operation: Operation;
}

/** Returns all operations in the order of the table. */
export const allOperations = (): NamedOperation[] =>
  Object.entries(areas).flatMap(([area, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: snakeCase(method),
      area,
      method,
      operation,
    })),
  );
