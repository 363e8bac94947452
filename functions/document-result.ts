import * as z from "zod/mini";
import { InputError } from "../provider/core/error.ts";
import { isLoopback } from "../provider/core/ip-address.ts";
import { parseIsoTime } from "../provider/core/time.ts";
import { attributeCode, wording } from "../provider/core/wording.ts";
import type { Api } from "../provider/definition/api.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineEphemeral, defineLookup } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";
import { documentStatus, findDocument } from "../resources/wire/document.ts";

/**
 * Results of document jobs. The URL of a result grants access without credentials until it expires, so it is read when it
 * is used, and no resource stores it (docs/contract.md#17.7).
 */

const fields = {
  fileId: field(text, wording`ID of the job: ${attributeCode("fileId")} of a document resource.`),
  status: computed(z.string(), "Status of the job, as reported by the API."),
  url: computed(z.string(), "Signed URL of the result, which expires. Null while the job is in progress.", {
    secret: true,
  }),
};

const refuse = (problem: string) => new InputError([{ path: ["fileId"], problem }]);

/** Reads the result of a job. Throws `InputError` if the job does not exist, or if it failed. */
async function resultOf(api: Api, fileId: string, now: () => number) {
  const found = await findDocument(api, fileId);
  if (found === undefined) throw refuse("is not the ID of a document job");
  const { status, url } = found;
  if (status === documentStatus.pending) return { status, url: undefined };
  if (status !== documentStatus.ready) throw refuse(`names a job that the API reports as ${status}`);
  const problem = url === undefined ? "is missing" : problemOf(url, now());
  if (problem !== undefined) throw refuse(`names a job whose result has no usable URL: the URL ${problem}`);
  return { status, url };
}

/** Returns the reason why a URL cannot be used, as the end of a sentence; undefined if it can. */
function problemOf(url: string, now: number): string | undefined {
  if (!URL.canParse(url)) return "is invalid";
  const { protocol, hostname, searchParams } = new URL(url);
  if (protocol !== "https:" && !(protocol === "http:" && isLoopback(hostname))) return "does not use https";
  const end = expiryOf(searchParams);
  return end !== undefined && end <= now ? "has expired already; run again" : undefined;
}

/** Returns the expiry of a pre-signed URL in ms since 1970; undefined if it has none in a known format. */
function expiryOf(query: URLSearchParams): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get("X-Amz-Date") ?? "") ?? [];
  const seconds = Number(query.get("X-Amz-Expires") ?? Number.NaN);
  const signed = parseIsoTime(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (signed !== undefined && !Number.isNaN(seconds)) return signed + seconds * 1000;
  const expires = query.get("Expires");
  return expires !== null && /^\d{1,12}$/.test(expires) ? Number(expires) * 1000 : undefined;
}

/** Lookup of the current result of a document job. */
export const documentResult = defineLookup({
  name: "document-result",
  category: "ai",
  about: "Reads the status of a document job and the URL of its result.",
  regional: false,
  fields,
})(({ api, inputs: { fileId }, now }) => resultOf(api, fileId, now));

/** Ephemeral result of a document job: waits until the job is done. */
export const documentResultUrl = defineEphemeral({
  name: "document-result",
  category: "ai",
  about: "Waits for a document job and returns the URL of its result, which is stored in no state.",
  regional: false,
  fields,
})({
  async open({ api, inputs: { fileId }, now, poll }) {
    const values = await poll(async () => {
      const { status, url } = await resultOf(api, fileId, now);
      return url === undefined ? { pending: status } : { done: { fileId, status, url } };
    });
    return { values };
  },
});
