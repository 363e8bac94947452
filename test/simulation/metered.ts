import { hash } from "node:crypto";
import type { Values } from "../../provider/core/value.ts";
import type { Draw } from "./draw.ts";
import type { Row, Written } from "./kind.ts";

/** Objects of metered requests: text requests and document jobs. No route lists or deletes them. */

/** Returns true if a row of the emulator's record is an executed request of the operation with this text. */
const isRequest = ({ name }: Row, operation: string, text: unknown): boolean =>
  name === `${operation} ${hash("md5", String(text))}`;

/** Returns a unique document in one of two forms. */
export function letter(draw: Draw, nth: number) {
  const content = `Name: ours-${nth}\nCity: Pune\nThe order is late.`;
  return draw.chance(0.5) ? { content } : { contentBase64: Buffer.from(content).toString("base64") };
}

/** Returns true if a row is a job of the action on the document of these inputs. */
function isJob(row: Row, action: string, { content, contentBase64 }: Values): boolean {
  const bytes =
    typeof content === "string" ? Buffer.from(content) : Buffer.from(String(contentBase64), "base64");
  return row.name === action && (row as Row & { readonly document: string }).document === hash("md5", bytes);
}

/** Returns the parts that the kinds of text requests share; `field` holds the text. */
export const textRequest = (operation: string, field: "text" | "query") => {
  const another = (inputs: Written, nth: number): Written => ({ ...inputs, [field]: `ours-${nth}` });
  return {
    emulatorKind: "text_request",
    needs: [],
    vary: (_draw: Draw, inputs: Written, nth: number) => another(inputs, nth),
    successor: another,
    is: (row: Row, inputs: Values) => isRequest(row, operation, inputs[field]),
    permanent: true,
    unlisted: true,
  } as const;
};

/** Returns the parts that the kinds of document jobs share. */
export const documentJob = (action: string) =>
  ({
    emulatorKind: "document_job",
    needs: [],
    successor: ({ contentBase64: _, ...inputs }: Written, nth: number) => ({
      ...inputs,
      content: `ours-${nth}`,
    }),
    is: (row: Row, inputs: Values) => isJob(row, action, inputs),
    permanent: true,
    unlisted: true,
  }) as const;
