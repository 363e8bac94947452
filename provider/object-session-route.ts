import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { parseIsoTime } from "./ports.ts";
import { maybeText } from "./type.ts";

/** Sessions of object storage as the cloud writes them (contract 9.5). */

const tokens = z.object({ sessionToken: z.string(), refreshToken: z.string() });
/** What a session is used and prolonged by. */
export type Tokens = z.infer<typeof tokens>;

const activated = z.extend(tokens, { expiresAt: maybeText, lastActiveAt: maybeText });
/** A session that was just opened, and when it ends. */
export type Activated = z.infer<typeof activated>;

/** How sessions travel: but for the first, on their token alone. */
export const sessionRoutes = {
  activate: endpoint("sign-in", "POST /kos/v1/sessions/activate", activated, {
    region: "x-region-id",
    account: true,
  }),
  refresh: endpoint("sign-in", "POST /kos/v1/sessions/refresh/{token}", tokens, { region: false }),
  deactivate: endpoint("delete", "DELETE /kos/v1/sessions/deactivate/{token}", undefined, { region: false }),
};

/** How long a session lives in ms, by the cloud's own clock: a time of its is never compared with one of ours. */
export function lifeOf({ expiresAt = "", lastActiveAt = "" }: Partial<Activated>): number {
  const [end, begin] = [expiresAt, lastActiveAt].map(parseIsoTime);
  if (end === undefined || begin === undefined || end <= begin) return Number.POSITIVE_INFINITY;
  return end - begin;
}
