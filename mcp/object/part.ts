import { shownMessage, structured } from "./data.ts";
import { openObjects } from "./object.ts";
import { settingsIn } from "./setting.ts";

/** Functions of the tool server that need the engine. Only plain values pass between them and the server. */
export const toolParts = { settingsIn, openObjects, structured, shownMessage } as const;
