import type { Values } from "../../provider/core/value.ts";
import {
  type Convert,
  common,
  derivedUuid,
  given,
  krnFor,
  krnOf,
  needed,
  recordIn,
  recordsIn,
  textIn,
  textsIn,
} from "./row.ts";

/** Rows of networks. */

export const vpc: Convert = (entry, owner) => {
  const { id, region, values } = entry;
  const networkId =
    textIn(values, "networkId") ?? krnOf(owner, "vpc:network", region, derivedUuid(`network ${id}`));
  const primary = recordIn(values, "primarySubnet");
  const subnetId = primary && textIn(primary, "id");
  return {
    rows: [
      { ...common("vpc", entry, id), ...given({ description: values.description, enabled: values.enabled }) },
    ],
    parts: [
      {
        ...{ kind: "network", krn: networkId, name: textIn(values, "networkName") ?? "network", vpc: id },
        ...given({ enabled: values.adminStateUp }),
      },
      ...(primary && subnetId
        ? [
            {
              kind: "subnet",
              krn: subnetId,
              name: textIn(primary, "name") ?? "",
              vpc: id,
              ...subnetFields(primary),
            },
          ]
        : []),
    ],
    changes: subnetId ? [{ krn: subnetId, fields: { primary: true } }] : [],
    assumed: textIn(values, "networkId") === undefined ? [`the network of the VPC ${id}`] : [],
  };
};

const subnetFields = (values: Values) =>
  given({
    cidr: values.cidr,
    gatewayIp: values.gatewayIp,
    description: values.description,
    ingress: values.ingress,
    egress: values.egress,
  });

export const subnet: Convert = (entry) => ({
  rows: [{ ...common("subnet", entry, entry.id), vpc: entry.values.vpcId, ...subnetFields(entry.values) }],
});

export const securityGroup: Convert = (entry) => ({
  rows: [
    {
      ...common("security_group", entry, entry.id),
      ...{ vpc: entry.values.vpcId, ...given({ description: entry.values.description }) },
    },
  ],
});

export const securityGroupRule: Convert = (entry, owner) => {
  const { values } = entry;
  const krn = krnFor(entry, owner, "sgr:sgr");
  // Listings show the ids of rules only. A rule whose content is not known counts as open; one without a range is for all ports.
  const isKnown = textIn(values, "direction") !== undefined;
  const { fields, assumed } = needed(`the rule ${krn}`, {
    direction: [values.direction, "ingress"],
    ethertype: [values.ethertype, "IPv4"],
    protocol: [values.protocol, "all"],
    portMin: [values.portRangeMin ?? (isKnown ? 1 : null), 1],
    portMax: [values.portRangeMax ?? (isKnown ? 65_535 : null), 65_535],
    remote: [values.remoteIpPrefix, "0.0.0.0/0"],
  });
  return {
    rows: [
      {
        ...common("security_group_rule", entry, krn),
        ...{ vpc: textIn(values, "vpcId") ?? null, groups: [values.securityGroupId], ...fields },
        ...given({ description: values.description }),
      },
    ],
    assumed,
  };
};

export const port: Convert = (entry) => {
  const { id, values } = entry;
  const [address] = recordsIn(values, "fixedIps");
  return {
    rows: [
      {
        ...common("port", entry, id),
        ...{ vpc: values.vpcId, subnet: values.subnetId, network: values.networkId },
        ...{ ip: address && textIn(address, "ipAddress"), securityGroups: textsIn(values, "securityGroups") },
        ...given({ mac: values.macAddress }),
      },
    ],
  };
};

export const portSecurityGroups: Convert = ({ values }) => ({
  changes: [{ krn: String(values.portId), fields: { securityGroups: textsIn(values, "securityGroups") } }],
});

export const floatingIp: Convert = (entry, owner) => {
  const { id, region, values } = entry;
  const holder = textIn(values, "heldBy");
  const target = textIn(values, "portId");
  const isHeld = target === undefined && holder !== undefined;
  // An attached address keeps the port with which it was reserved; no response shows which of all ports that is.
  const invented = entry.isListed ? null : krnOf(owner, "vpc:port", region, derivedUuid(`reserved ${id}`));
  const reserved = isHeld ? holder : invented;
  const place = { vpc: values.vpcId, subnet: values.subnetId };
  const address = needed(`the floating IP ${id}`, { address: [values.address, "203.0.113.1"] });
  const row = {
    ...common("floating_ip", entry, id),
    ...{
      ...place,
      ...address.fields,
      port: target ?? reserved,
      reservedPort: reserved,
      deletedWithPort: false,
    },
  };
  const reservedWith = { reservedWith: id };
  return {
    rows: [row],
    parts:
      reserved === null
        ? []
        : [
            {
              kind: "port",
              krn: reserved,
              name: row.name,
              ...place,
              network: values.networkId,
              ...reservedWith,
            },
          ],
    changes: reserved === null ? [] : [{ krn: reserved, fields: reservedWith }],
    assumed: [
      ...address.assumed,
      ...(isHeld ? [] : [`the port with which the floating IP ${JSON.stringify(row.name)} was reserved`]),
    ],
  };
};
