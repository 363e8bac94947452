import { accountCommands } from "../account/command/main.ts";
import { rehearseMain } from "./command/main.ts";

/** Commands that contain the engine of the provider: one part of the program, so that the package has it once. */
export const engineCommands = { ...accountCommands, rehearse: rehearseMain } as const;
