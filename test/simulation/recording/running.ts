import type { Script } from "./script.ts";

/** Running command as the served provider sees it. */
export interface Running {
  readonly script: Script;
  /** Ids of the objects that earlier commands replaced. */
  readonly old: ReadonlySet<string>;
  /** Called when the engine asks the provider to stop. */
  readonly onStop: () => void;
}
