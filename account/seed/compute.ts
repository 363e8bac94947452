import { plainId } from "../../provider/core/krn.ts";
import type { Values } from "../../provider/core/value.ts";
import {
  type Convert,
  common,
  derivedUuid,
  given,
  isStopped,
  krnFor,
  krnOf,
  needed,
  numberIn,
  type Row,
  recordIn,
  recordsIn,
  textIn,
  textsIn,
} from "./row.ts";

/** Rows of machines. */

export const sshKey: Convert = (entry, owner) => {
  const krn = textIn(entry.values, "krn") ?? krnFor(entry, owner, "ssh:sshkey");
  const { fields, assumed } = needed(`the SSH key ${krn}`, {
    publicKey: [entry.values.publicKey, "ssh-ed25519 AAAA unknown"],
  });
  return { rows: [{ ...common("ssh_key", entry, krn), ...fields }], assumed };
};

/** Returns the rows of an instance and of the port, the boot volume and the address that its create made. */
export const instance: Convert = (entry, owner) => {
  const { id, region, values } = entry;
  const row = common("instance", entry, id);
  const quoted = JSON.stringify(row.name);
  const [networkPort] = recordsIn(values, "networkPorts");
  const derived = (type: string) => krnOf(owner, type, region, derivedUuid(`${type} of ${id}`));
  const portKrn =
    textIn(values, "portId") ?? (networkPort && textIn(networkPort, "krn")) ?? derived("vpc:port");
  const bootVolume = textIn(values, "bootVolumeId") ?? textIn(values, "volumeId") ?? derived("kbs:volume");
  const boot = recordIn(values, "bootVolume");
  const image = boot && textIn(boot, "imageKrn");
  const place = { vpc: values.vpcId, subnet: values.subnetId };
  const securityGroups = textsIn(values, "securityGroups");
  const address = textIn(values, "floatingIpId");
  const { fields, assumed } = needed(`the instance ${id}`, {
    instanceType: [values.instanceType, "c1.small"],
  });
  return {
    rows: [
      {
        ...{ ...row, ...place, port: portKrn, bootVolume, ...fields },
        ...{ image: image ?? null, sshKey: { name: textIn(values, "sshkeyName") ?? "", uuid: "" } },
        // A volume that may be destroyed with the instance counts as one that is.
        deleteOnTermination: values.deleteOnTermination ?? (boot !== undefined || entry.isListed === true),
        deleteProtection: textIn(values, "deleteProtectionStatus") === "true",
        tags: Object.entries(recordIn(values, "tagsAll") ?? recordIn(values, "tags") ?? {}).map(
          ([key, value]) => ({
            ...{ key, value: String(value) },
          }),
        ),
        ...given({ gpu: values.isGpu, batch: values.batchId, taskId: values.taskId }),
        running: !isStopped(values),
      },
    ],
    parts: [
      {
        ...{ kind: "port", krn: portKrn, name: `${row.name}-port`, ...place, network: values.networkId },
        ...{ ip: textIn(values, "ipAddress"), deletedWithInstance: true },
      },
      {
        ...{ kind: "volume", krn: bootVolume, name: (boot && textIn(boot, "name")) ?? `${row.name}-volume` },
        ...{ vpc: values.vpcId, size: numberIn(values, "bootVolumeSizeGb") ?? boot?.sizeGb ?? 1 },
        ...{ volumeType: (boot && textIn(boot, "volumeType")) ?? "ssd" },
        ...(image !== undefined && { source: { type: "image", id: image } }),
      },
      ...(address === undefined
        ? []
        : [
            {
              ...{ kind: "floating_ip", krn: address, name: `${row.name}-ip`, ...place, port: portKrn },
              ...{ address: values.floatingIpAddress, deletedWithPort: true },
            },
          ]),
    ],
    changes: [
      {
        krn: portKrn,
        fields: { instance: id, securityGroups, ...(entry.isListed && { deletedWithInstance: true }) },
      },
      ...(address === undefined
        ? []
        : [
            { krn: address, fields: { port: portKrn } },
            // An address without a port of its own was created with the instance, and is released with it.
            {
              krn: address,
              fields: { deletedWithPort: true },
              when: ({ reservedPort = null }: Row) => reservedPort === null,
            },
          ]),
    ],
    assumed: [
      ...assumed,
      ...(entry.isListed
        ? [`that the boot volume and the port of the instance ${quoted} are deleted with it`]
        : []),
      ...(textIn(values, "bootVolumeId") === undefined ? [`the boot volume of the instance ${quoted}`] : []),
    ],
  };
};

export const image: Convert = (entry) => ({ rows: [common("image", entry, entry.id)] });

/** The rows of other objects, whose names a template repeats, replace its references at the end. */
export const instanceTemplate: Convert = (entry) => {
  const { id, region, values } = entry;
  const boot = recordIn(values, "bootVolume") ?? {};
  return {
    rows: [
      {
        ...common("template", entry, id),
        config: {
          ...{
            region,
            vpc_id: values.vpcId,
            subnet_id: values.subnetId,
            network_id: textIn(values, "networkId") ?? "",
          },
          ...{
            security_groups: textsIn(values, "securityGroups"),
            image_krn: textIn(boot, "imageKrn") ?? "",
          },
          ...{ image_name: textIn(values, "imageName") ?? "", instanceType: values.instanceType },
          ...{ isGpu: values.isGpu ?? false, sshkey_name: values.sshkeyName, user_data: textOf(values) },
          ...{ volume_name: textIn(boot, "name") ?? "", volume_size: numberIn(boot, "sizeGb") ?? 1 },
          volumetype: textIn(boot, "volumeType") ?? "ssd",
        },
      },
    ],
  };
};

const textOf = (values: Values): string => {
  const encoded = textIn(values, "userDataBase64");
  return textIn(values, "userData") ?? (encoded ? Buffer.from(encoded, "base64").toString("utf8") : "");
};

/** Returns the machines of a batch, as far as its state shows them; their template has the rest. */
export const instanceBatch: Convert = (entry, owner) => {
  const { id, region, values } = entry;
  const members = recordsIn(values, "instances").flatMap((member) => {
    const krn = textIn(member, "id");
    if (krn === undefined) return [];
    const name = textIn(member, "name") ?? plainId(krn);
    const shown: Values = {
      ...{ name, vpcId: values.vpcId ?? null, status: member.status ?? null, batchId: id },
      ...{ ipAddress: member.ip ?? null, deleteOnTermination: values.deleteOnTermination ?? null },
    };
    return [instance({ kind: "instance", id: krn, region, values: shown }, owner)];
  });
  const template = textIn(values, "templateId");
  return {
    members: members.map(({ rows = [], parts = [], changes = [] }) => ({
      rows: rows.map((row) => ({ ...row, template })),
      ...{ parts, changes },
      assumed: rows.map(({ name }) => `volume and port of the machine ${JSON.stringify(name)} of a batch`),
    })),
  };
};
