import * as z from "zod/mini";
import type { Api } from "../provider/client.ts";
import { endpoint } from "../provider/endpoint.ts";
import { CloudError } from "../provider/errors.ts";
import { maybe } from "../provider/type.ts";
import { observed, wire } from "./instance.wire.ts";
import { insideMissing } from "./vpc.wire.ts";

/** The search that shows every machine of a VPC, building and failed ones too, page by page (contract section 6). */

const count = maybe(z.number());
const list = endpoint(
  "read",
  "GET /vm/v1/search_instances",
  z.object({
    instances: z.array(wire),
    total_count: count,
    totalCount: count,
    total_pages: count,
    totalPages: count,
  }),
);
/** The largest page that is known to work (contract 17.2). */
const limit = 100;
const passes = 3;

/**
 * Every instance of a VPC. Rows that vanish while the pages are read move later ones to a page that was read already:
 * then all pages are read once more, and what any pass showed counts.
 */
export async function listInstances(api: Api, region: string, vpcId: string) {
  const rows = new Map<string, ReturnType<typeof observed>>();
  for (let pass = 1; pass <= passes; pass++) {
    const found = await onePass(api, vpcId);
    if (found === undefined) return insideMissing(api, region, vpcId);
    for (const row of found.rows) {
      const seen = observed(row, vpcId, region);
      rows.set(`${seen.id}\n${seen.name}`, seen);
    }
    if (!found.moved) break;
  }
  return [...rows.values()];
}

/** All pages once, and whether they moved meanwhile; undefined when the cloud knows no such VPC. */
async function onePass(api: Api, vpcId: string) {
  const rows: z.infer<typeof wire>[] = [];
  let first: number | undefined;
  for (let page = 1; ; page++) {
    const answer = await api.find(list, { query: { vpc_id: vpcId, page, limit } });
    if (answer === undefined) return undefined;
    const total = answer.total_count ?? answer.totalCount;
    const pages = answer.total_pages ?? answer.totalPages;
    first ??= total;
    rows.push(...answer.instances);
    const more = pages === undefined ? answer.instances.length >= limit : page < pages;
    if (more && answer.instances.length > 0) continue;
    const moved = total !== first;
    // A listing that is cut short must not look like a machine that is gone (contract 17.3).
    if (!moved && rows.length < (total ?? 0)) throw short(rows.length, total ?? 0);
    return { rows, moved };
  }
}

const short = (shown: number, total: number) =>
  new CloudError({
    failure: "unreadable",
    route: `${list.method} ${list.path}`,
    said: `it lists ${shown} of ${total} instances`,
  });
