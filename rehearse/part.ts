import { accountCommands } from "../account/command/main.ts";
import { toolParts } from "../mcp/object/part.ts";
import { rehearseMain } from "./command/main.ts";

/**
 * Commands that contain the engine of the provider, and what the tool server needs of it: one part of the program, so that the
 * package has it once.
 */
export const engineCommands = { ...accountCommands, rehearse: rehearseMain, ...toolParts } as const;
