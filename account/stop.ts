import { OperationError, StopError } from "../provider/core/error.ts";

/** Returns true for the error of an operation that the user interrupted. */
export const isStop = (error: unknown): boolean =>
  error instanceof OperationError && error.cause instanceof StopError && error.cause.why === "stop";
