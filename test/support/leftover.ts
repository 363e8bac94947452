import type { Emulator } from "../../emulator/emulator.ts";

/** Kinds of the emulator that no route deletes. */
const permanent = ["document_job", "text_request"];

/** Returns the objects that a destroy should have deleted. A cancelled task is shown for some time. */
export const leftover = ({ inventory }: Emulator) =>
  inventory
    .list()
    .filter(
      ({ kind, deletingAt }) =>
        !permanent.includes(kind) && !(kind === "inference_task" && deletingAt !== undefined),
    );
