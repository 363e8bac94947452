import * as z from "zod";
import { refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, listed, listingTime, refuseDuplicateName } from "../model/cloud.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { count, optionalText, page, regional, text } from "../model/schema.ts";
import { floatingIpsByPort, insertFloatingIp, publicAddressesFor } from "./floating-ip-model.ts";
import { addressesFor, insertPort, type Port, portModel, portStatus } from "./port-model.ts";
import { renderFoundPort } from "./port-view.ts";
import { requireSubnet } from "./subnet-model.ts";
import { networkOf, requireReadyVpc } from "./vpc-model.ts";

const createPort = operation({
  name: "create_port",
  method: "POST",
  path: "/v1/highlvlvpc/create_port",
  section: "2.3",
  source: "client",
  headers: regional,
  body: z.strictObject({
    name: text,
    vpc_id: text,
    network_id: text,
    subnet_id: text,
    floating_ip: z.boolean(),
  }),
  handle(cloud, { headers, body }) {
    refuseByName(body.name);
    const vpc = requireReadyVpc(cloud, body.vpc_id, headers["x-region"]);
    if (body.network_id !== networkOf(cloud, vpc)?.krn)
      throw new Refusal(404, `network ${body.network_id} not found in VPC ${vpc.name}`);
    const subnet = requireSubnet(cloud, vpc, body.subnet_id);
    refuseDuplicateName(cloud, portModel(cloud).all(), subnet.krn, "port", body.name);
    const [ip = ""] = addressesFor(cloud, subnet, 1);
    const [address] = body.floating_ip ? publicAddressesFor(cloud, 1) : [];
    const data = { name: body.name, parents: [subnet.krn], networkKrn: body.network_id, ip };
    const port = insertPort(cloud, { vpc, subnet }, { ...data, uses: [], device: null });
    const reserved = { name: body.name, reservedPort: port.krn, deletedWithPort: true };
    const floatingIp = address === undefined ? null : insertFloatingIp(cloud, port, { address, ...reserved });
    // Deleting the address in the console deletes its port too, as a release does (docs/contract.md#17.2).
    if (floatingIp) port.parents = [subnet.krn, floatingIp.krn];
    const created = {
      port_krn: port.krn,
      floating_ip_krn: floatingIp?.krn ?? null,
      floating_ip_address: floatingIp?.address ?? null,
    };
    return { status: 201, body: { ...created, message: "port created" } };
  },
});

const portSearchQuery = z.strictObject({
  port_id: optionalText,
  name: optionalText,
  network_id: optionalText,
  vpc_id: optionalText,
  status: optionalText,
  page: count.optional(),
  size: count.optional(),
});

function matchingPorts(cloud: Cloud, query: z.output<typeof portSearchQuery>, region: string): Port[] {
  const time = listingTime(cloud);
  const is = (filter: string | undefined, value: string) => filter === undefined || filter === value;
  return listed(cloud, portModel(cloud).all()).filter(
    (port) =>
      port.region === region &&
      is(query.port_id, port.krn) &&
      is(query.network_id, port.networkKrn) &&
      is(query.vpc_id, port.vpcKrn) &&
      port.name.includes(query.name ?? "") &&
      is(query.status?.toUpperCase(), portStatus(cloud, port, time)),
  );
}

const searchPort = operation({
  name: "search_port",
  method: "GET",
  path: "/v1/highlvlvpc/search_port",
  section: "2.3",
  source: "client",
  headers: regional,
  query: portSearchQuery,
  handle(cloud, { headers, query }) {
    const { portPageDefault, portPageMax, portSearchShape } = cloud.settings.assume;
    const time = listingTime(cloud);
    const addresses = floatingIpsByPort(cloud, time);
    const render = (port: Port) => renderFoundPort(cloud, port, time, addresses.get(port.krn));
    const all = matchingPorts(cloud, query, headers["x-region"]);
    if (portSearchShape === "array") return { status: 200, body: all.map(render) };
    const size = Math.min(query.size ?? portPageDefault, portPageMax);
    const { rows, paging } = page(all, { page: query.page, size });
    return { status: 200, body: { ports: rows.map(render), ...paging } };
  },
});

/** Ports of a subnet, created with instances or directly. No route deletes one (docs/contract.md#2.3). */
export const portKind: ResourceKind = {
  name: "port",
  operations: [createPort, searchPort],
};
