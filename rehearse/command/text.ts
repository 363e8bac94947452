import { CommandError } from "../../command/run.ts";
import { readText } from "../../review/read/file.ts";
import { UnreadableError } from "../../review/read/read.ts";

/** Returns the text of a file. Throws `CommandError` with its path. */
export function textIn(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    throw error instanceof UnreadableError ? new CommandError(`${path} ${error.message}`) : error;
  }
}
