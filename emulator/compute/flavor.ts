import * as z from "zod";
import type { Flavor } from "../model/catalogue.ts";
import { allFlavors } from "../model/instance-type.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { regional } from "../model/schema.ts";

const renderFlavor = (flavor: Flavor) => ({
  flavorid: flavor.uuid,
  flavorname: flavor.name,
  cpus: flavor.cpus,
  cpuram: flavor.memory,
  cost: flavor.cost,
  currency: "XXX",
  unit: "hour",
  flavorstatus: "active",
  type: flavor.type,
});

const listFlavors = operation({
  name: "list_flavors",
  method: "GET",
  path: "/api/v1/flavor/compute",
  section: "5",
  source: "client",
  headers: regional,
  query: z.strictObject({ type: z.enum(["CPU", "GPU"]).optional() }),
  handle(cloud, { headers, query }) {
    const matching = allFlavors(cloud).filter(({ type }) => query.type === undefined || type === query.type);
    return { status: 200, body: [{ subject: headers["x-region"], groupBy: matching.map(renderFlavor) }] };
  },
});

/** Instance types of the catalogue. */
export const flavorKind: ResourceKind = { name: "flavor", operations: [listFlavors] };
