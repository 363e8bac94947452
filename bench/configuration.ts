/** Configurations in the JSON syntax of the engines. `count` is the number of objects. */

const reference = (expression: string): string => `\${${expression}}`;

/** Returns a configuration with resources that the engine implements itself. */
export const dataConfiguration = (count: number): object => ({
  resource: { terraform_data: { one: { count, input: reference("count.index") } } },
});

/** Returns a configuration with resources of the Go provider. */
export const timeConfiguration = (count: number): object => ({
  resource: { time_static: { one: { count } } },
});

/** Returns a configuration with one VPC. */
export const vpcConfiguration = (): object => ({
  provider: { kcloud: {} },
  resource: { kcloud_vpc: { one: { name: "one" } } },
});

const vpcs = (count: number): object => ({
  net: { count, name: reference('format("net-%d", count.index)') },
});

export const vpcsConfiguration = (count: number): object => ({
  provider: { kcloud: {} },
  resource: { kcloud_vpc: vpcs(count) },
});

const volume = (vpcId: string): object => ({
  vpc_id: reference(vpcId),
  name: reference('format("data-%d", count.index)'),
  size_gb: 1,
  volume_type: "ssd",
});

export const volumeConfiguration = (count: number, vpcCount = 10): object => ({
  provider: { kcloud: {} },
  resource: {
    kcloud_vpc: vpcs(vpcCount),
    kcloud_volume: { data: { count, ...volume(`kcloud_vpc.net[count.index % ${vpcCount}].id`) } },
  },
});

/**
 * Returns a configuration with volumes in existing VPCs, whose ids are literals: the engine does not resolve a reference for
 * each volume.
 */
export const volumesIn = (vpcIds: readonly string[], count: number): object => ({
  provider: { kcloud: {} },
  locals: { vpcs: vpcIds },
  resource: {
    kcloud_volume: { data: { count, ...volume("local.vpcs[count.index % length(local.vpcs)]") } },
  },
});

/**
 * Returns a configuration with resources that the engine implements itself, in the shape of `volumeConfiguration`. It shows
 * the time of resolving references alone.
 */
export const sameShapeConfiguration = (count: number, vpcCount = 10): object => ({
  resource: {
    terraform_data: {
      net: { count: vpcCount, input: { name: reference('format("net-%d", count.index)') } },
      data: { count, input: volume(`terraform_data.net[count.index % ${vpcCount}].id`) },
    },
  },
});

const image = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";

/**
 * Returns the inputs of an instance with the names of its definition. Image, type and key are in the emulator's
 * catalogue.
 */
export const instanceInputs = (
  name: string,
  where: { readonly vpcId: string; readonly subnetId: string; readonly group: string },
) => ({
  vpcId: where.vpcId,
  subnetId: where.subnetId,
  name,
  instanceType: "c1.small",
  sshkeyName: "demo-key",
  securityGroups: [where.group],
  bootVolume: { imageKrn: image, sizeGb: 10, volumeType: "ssd" },
});

/** Returns a configuration with instances in one subnet. */
export const instanceConfiguration = (count: number): object => ({
  provider: { kcloud: {} },
  resource: {
    kcloud_vpc: { net: { name: "net" } },
    kcloud_subnet: {
      web: { vpc_id: reference("kcloud_vpc.net.id"), name: "web", cidr: "10.0.0.0/16" },
    },
    kcloud_security_group: { web: { vpc_id: reference("kcloud_vpc.net.id"), name: "web" } },
    kcloud_instance: {
      machine: {
        count,
        vpc_id: reference("kcloud_vpc.net.id"),
        subnet_id: reference("kcloud_subnet.web.id"),
        name: reference('format("machine-%d", count.index)'),
        instance_type: "c1.small",
        sshkey_name: "demo-key",
        security_groups: [reference("kcloud_security_group.web.id")],
        boot_volume: { image_krn: image, size_gb: 10, volume_type: "ssd" },
      },
    },
  },
});
