import * as z from "zod/mini";
import { InputError } from "../provider/core/error.ts";
import { attributeCode, wording } from "../provider/core/wording.ts";
import { field } from "../provider/definition/field.ts";
import { defineFunction } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";

/** Prefixes by which cloud-init detects the type of a part, each with its MIME type; longer prefixes first. */
const partKinds = [
  ["#cloud-config-archive", "text/cloud-config-archive"],
  ["#cloud-config-jsonp", "text/cloud-config-jsonp"],
  ["#cloud-config", "text/cloud-config"],
  ["#cloud-boothook", "text/cloud-boothook"],
  ["#include-once", "text/x-include-once-url"],
  ["#include", "text/x-include-url"],
  ["#part-handler", "text/part-handler"],
  ["## template: jinja", "text/jinja2"],
  ["#!", "text/x-shellscript"],
] as const;

/** MIME boundary. It cannot occur in a part, since no line of base64 starts with a hyphen. */
const boundary = "part";

/**
 * Returns user data of several parts, as one multipart message in base64 for `userDataBase64` of an instance. A part is a
 * script or a cloud-init configuration; its type follows from its first characters. Throws `InputError` for a part of an
 * unknown type, and if there is no part.
 */
export function userData(...parts: readonly string[]): string {
  if (parts.length === 0) throw new InputError([{ path: ["parts"], problem: "must have at least one part" }]);
  const message = [
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    ...parts.flatMap((part, index) => [
      `--${boundary}`,
      `Content-Type: ${kindOf(part, index)}; charset="utf-8"`,
      "Content-Transfer-Encoding: base64",
      `Content-Disposition: attachment; filename="part-${String(index + 1).padStart(3, "0")}"`,
      "",
      ...(Buffer.from(part)
        .toString("base64")
        .match(/.{1,76}/g) ?? []),
    ]),
    `--${boundary}--`,
    "",
  ];
  return Buffer.from(message.join("\n")).toString("base64");
}

function kindOf(part: string, index: number): string {
  const kind = partKinds.find(([begin]) => part.startsWith(begin));
  if (kind !== undefined) return kind[1];
  const begins = partKinds.map(([begin]) => begin).join(", ");
  throw new InputError([{ path: ["parts", index], problem: `must begin with one of ${begins}` }]);
}

/** Definition of `userData` for the adapters. */
export const userDataFunction = defineFunction({
  name: "user-data",
  category: "provider",
  about: wording`Combines scripts and cloud-init configurations to user data in Base64, for ${attributeCode("userDataBase64")} of an instance.`,
  fields: {
    parts: field(
      z.array(text).check(z.refine((parts) => parts.length > 0, { error: "must have at least one part" })),
      "Scripts and configurations; the type of each follows from its start, such as `#!/bin/sh` or `#cloud-config`.",
    ),
  },
  variadic: true,
  result: z.string(),
})(({ parts }) => userData(...parts));
