import type { Progress } from "./progress.ts";

/** One installation under way. */
export interface Job {
  readonly cache: string;
  /** A folder of its own under the cache, removed at the end. */
  readonly scratch: string;
  /** The folder under `scratch` that gets the commands. */
  readonly bin: string;
  /** What its lines of progress begin with. */
  readonly label: string;
  readonly progress: Progress;
  readonly signal: AbortSignal | undefined;
}
