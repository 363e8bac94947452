import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { Given } from "../../provider/config/setting.ts";
import type { Values } from "../../provider/core/value.ts";
import { type Between, type Cloud, live, openCloud, operationsOn, resource } from "./cloud.ts";

export const instance = resource("instance");

export const image = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";

/** Opens a cloud with a VPC, its first subnet and a security group; returns the operations on an instance in it. */
export async function openNetwork(options: EmulatorOptions = {}, given: Given = {}, between: Between = {}) {
  const cloud = openCloud(options, given, between);
  const { taskMs = 1_000 } = options;
  cloud.emulator.configure({ taskMs: 0 });
  const primarySubnet = { name: "a", cidr: "10.0.0.0/20" };
  const vpc = await cloud.run(cloud.create("vpc", { name: "net", primarySubnet }));
  const vpcId = String(vpc.id);
  const group = await cloud.run(cloud.create("security-group", { vpcId, name: "web" }));
  cloud.emulator.configure({ taskMs });
  const written: Values = {
    vpcId,
    name: "web",
    instanceType: "c1.small",
    subnetId: live(cloud, "subnet")[0]?.krn ?? "",
    sshkeyName: "demo-key",
    securityGroups: [String(group.id)],
    bootVolume: { imageKrn: image, sizeGb: 10, volumeType: "ssd" },
  };
  return { cloud, vpcId, written, ...operationsOn(cloud, "instance", written) };
}

/** Returns operation and body of every request except GET, starting at an index of the log. */
export const sentSince = ({ emulator }: Cloud, from: number) =>
  emulator.log
    .entries()
    .slice(from)
    .filter(({ method }) => method !== "GET")
    .map(({ operation, body }) => [operation, body]);

export const logged = ({ emulator }: Cloud): number => emulator.log.entries().length;
