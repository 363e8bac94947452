import type { Progress } from "./progress.ts";

/** Installation in progress. */
export interface Job {
  readonly cache: string;
  /** Temporary folder of this installation in the cache, removed at the end. */
  readonly scratch: string;
  /** Folder in `scratch` that receives the commands. */
  readonly bin: string;
  /** Prefix of the progress lines. */
  readonly label: string;
  readonly progress: Progress;
  readonly signal: AbortSignal | undefined;
}
