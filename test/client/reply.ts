import * as z from "zod/mini";
import { endpoint } from "../../provider/definition/endpoint.ts";
import type { Reply } from "../../provider/platform/ports.ts";

/** Replies of an API to a create, for tests of their classification. */

export const create = endpoint("create", "POST /things", z.object({ id: z.string() }));

export const now = Date.UTC(2026, 0, 1);

export const answer = (
  status: number,
  body: unknown,
  more: Partial<Extract<Reply, { kind: "answer" }>> = {},
): Reply => ({
  kind: "answer",
  status,
  headers: {},
  body: typeof body === "string" ? body : JSON.stringify(body),
  cut: false,
  ...more,
});
