import type { Emulator } from "../../emulator/emulator.ts";

/** Sends a request as another client of the API; throws unless the response is 2xx. */
async function send(emulator: Emulator, request: string, body?: object): Promise<unknown> {
  const [method = "", path = ""] = request.split(" ");
  const response = await emulator.fetch(`http://127.0.0.1${path}`, {
    method,
    headers: { authorization: "Bearer emulator-key", "x-region": "In-Bangalore-1" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${request}: ${response.status} ${text}`);
  return JSON.parse(text);
}

const image = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";

/** Creates a running instance through the API in a VPC with a subnet; returns its KRN. `pause` waits between two polls. */
export async function makeMachine(emulator: Emulator, vpc: string, pause: () => Promise<void>) {
  const krnOf = (kind: string) => emulator.inventory.list().find((item) => item.kind === kind)?.krn ?? "";
  await send(emulator, "POST /securityGroup/v1", { name: "web", vpcid: vpc });
  await send(emulator, "POST /vm/v1/create_instance_async", {
    instanceName: "web",
    instanceType: "c1.small",
    region: "In-Bangalore-1",
    vpc_id: vpc,
    subnet_id: krnOf("subnet"),
    sshkey_name: "demo-key",
    security_groups: [krnOf("security_group")],
    image_krn: image,
    volume_name: "web-volume",
    volume_size: 10,
    volumetype: "ssd",
  });
  const krn = krnOf("instance");
  while ((await machineStatus(emulator, krn)) !== "ACTIVE") await pause();
  return krn;
}

export async function machineStatus(emulator: Emulator, krn: string): Promise<string> {
  const found = (await send(emulator, `GET /v1/highlvlvpc/instance?krn=${krn}`)) as { status: string };
  return found.status;
}
