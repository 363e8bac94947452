import * as z from "zod/mini";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { observed, wire } from "./instance.ts";
import { counts, everyRow, pageSize } from "./page.ts";
import { insideMissing } from "./vpc.ts";

/** Route that lists the instances of a VPC. */
export const instanceList = endpoint(
  "read",
  "GET /vm/v1/search_instances",
  z.object({ instances: z.array(wire), ...counts }),
);

/** Lists the instances of a VPC, including building and failed ones (docs/contract.md#6). */
export async function listInstances(api: Api, region: string, vpcId: string) {
  const rows = await everyRow({
    route: instanceList,
    what: "instances",
    async ask(page) {
      const answer = await api.find(instanceList, { query: { vpc_id: vpcId, page, limit: pageSize } });
      return answer && { ...answer, rows: answer.instances.map((row) => observed(row, vpcId, region)) };
    },
    // Instances of one batch have the same id, that of their task, until each has a KRN.
    keyOf: ({ id, name }) => (id === "" ? undefined : [id, name]),
  });
  return rows ?? insideMissing(api, region, vpcId);
}
