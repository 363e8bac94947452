import { isAmbiguous, mayHaveExecuted } from "../provider/core/error.ts";

/**
 * Returns true if the request that failed may have been executed: its response is missing or unreadable, or the API may reject a request that it
 * has executed. A read shows whether it was. False for every other error: then nothing was changed.
 */
export const mayHaveBeenExecuted = (error: unknown): boolean => isAmbiguous(error) || mayHaveExecuted(error);
