import { publicKey } from "../resources/public-key.ts";
import { type ClientCloud, openClientCloud } from "./client-cloud.ts";

/** Objects that a machine needs. */
export interface Network {
  readonly vpcId: string;
  readonly subnetId: string;
  readonly securityGroupId: string;
  readonly imageKrn: string;
}

/** Opens a client with a VPC, its subnet, a security group, an SSH key and an image. */
export const withNetwork = (...options: Parameters<typeof openClientCloud>) =>
  createNetwork(openClientCloud(...options));

/** Creates a VPC, its subnet, a security group and an SSH key, and selects an image. */
export async function createNetwork(world: ClientCloud) {
  const { client, run, rows } = world;
  const { task_id: taskId } = await run(
    client.vpc.createVpc({ name: "shop", subnet: { name: "front", cidr: "10.0.0.0/24" } }),
  );
  const { vpcId } = await run(client.vpc.waitUntilCreated({ taskId: taskId ?? "" }));
  const { data } = await run(client.vpc.getVpc({ vpcId }));
  const subnetId = data.tasks.flatMap(({ subnet_list }) => subnet_list ?? [])[0]?.krn ?? "";
  const group = await run(client.securityGroup.createSecurityGroup({ vpcId, name: "web" }));
  await run(client.sshKey.createSshKey({ keyName: "deploy", publicKey: publicKey(1) }));
  const [image] = await rows(client.image.listImages());
  const inner = (group.result ?? group) as { readonly id?: string };
  return { ...world, vpcId, subnetId, securityGroupId: String(inner.id), imageKrn: String(image?.krn) };
}

/** Returns the arguments of an instance with a new boot volume. */
export const instanceArguments = ({ vpcId, subnetId, securityGroupId, imageKrn }: Network) => ({
  instanceName: "web",
  instanceType: "c1.small",
  vpcId,
  subnetId,
  sshkeyName: "deploy",
  securityGroups: [securityGroupId],
  imageKrn,
  volumeName: "web-disk",
  volumeSize: 20,
  volumeType: "ssd",
});
