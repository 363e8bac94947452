import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type ManualClock,
  manualClock,
} from "../../emulator/emulator.ts";

export type Reply = { status: number; headers: Headers; body: unknown };

type Call = { body?: unknown; text?: string; headers?: Record<string, string> };

/** Emulator with a client: `call` sends the API key and a region by default; the value `""` omits a header. */
export type Cloud = Emulator & {
  readonly clock: ManualClock;
  call(request: string, options?: Call): Promise<Reply>;
};

export const region = "In-Bangalore-1";

/** Creates an emulator on a manual clock; tasks take one second by default. */
export function cloud(options: Omit<EmulatorOptions, "clock"> = {}): Cloud {
  const clock = manualClock();
  const emulator = createEmulator({ clock, taskMs: 1000, ...options });
  return {
    ...emulator,
    clock,
    async call(request, { body, text, headers = {} } = {}) {
      const [method = "", path = ""] = request.split(" ");
      const all = { authorization: "Bearer emulator-key", "x-region": region, ...headers };
      const entries = Object.entries(all).filter(([, value]) => value !== "");
      const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
      const response = await emulator.fetch(`http://127.0.0.1${path}`, {
        method,
        headers: Object.fromEntries(entries),
        ...(content !== undefined && { body: content }),
      });
      return { status: response.status, headers: response.headers, body: decode(await response.text()) };
    },
  };
}

function decode(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sends a request and returns the status and message of its error response. */
export async function refusal(
  emulator: Cloud,
  request: string,
  options: Parameters<Cloud["call"]>[1] = {},
): Promise<[number, unknown]> {
  const reply = await emulator.call(request, options);
  return [reply.status, at(reply.body, "message")];
}

/** Returns the value at a path into a response body, such as `data.tasks.0.krn`. */
export function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
}

/** Returns the value at a path into a response body as a string. */
export function textAt(value: unknown, path: string): string {
  return String(at(value, path));
}

export const vpcBody = (name = "net", more: Record<string, unknown> = {}) => ({
  vpc: { name },
  network: { name: `${name}-network` },
  subnet: {},
  ...more,
});

/** Creates a VPC and returns its KRN. */
export async function makeVpc(
  emulator: Cloud,
  name = "net",
  more: Record<string, unknown> = {},
): Promise<string> {
  await emulator.call("POST /v1/highlvlvpc/create_vpc_async", { body: vpcBody(name, more) });
  await emulator.clock.advance(emulator.settings().taskMs);
  const row = emulator.inventory.list().findLast((item) => item.kind === "vpc" && item.name === name);
  return row?.krn ?? "";
}

export const volumeBody = (name = "disk", more: Record<string, unknown> = {}) => ({
  name,
  size: 10,
  volumetype: "ssd",
  availability_zone: "nova",
  multiattach: false,
  ...more,
});

/** Creates a volume and returns its KRN. */
export async function makeVolume(
  emulator: Cloud,
  vpc: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const headers = { "k-tenant-id": vpc };
  const reply = await emulator.call("POST /kbs/v1/volumes", { body: volumeBody("disk", more), headers });
  await emulator.clock.advance(emulator.settings().taskMs);
  return textAt(reply.body, "volume.id");
}

export const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f me";

/** Creates a security group in the VPC and returns its KRN. */
export async function makeGroup(emulator: Cloud, vpc: string, name = "web"): Promise<string> {
  await emulator.call("POST /securityGroup/v1", { body: { name, vpcid: vpc } });
  return emulator.inventory.list().findLast((item) => item.kind === "security_group")?.krn ?? "";
}

export const image = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";

/** VPC with a subnet and a security group, in which instances are created. */
export type Site = { readonly vpc: string; readonly subnet: string; readonly group: string };

export async function makeSite(emulator: Cloud, name = "net", cidr = "10.0.0.0/24"): Promise<Site> {
  const vpc = await makeVpc(emulator, name, { subnet: { name: `${name}-subnet`, cidr } });
  const subnet = emulator.inventory.list().findLast((item) => item.kind === "subnet")?.krn ?? "";
  return { vpc, subnet, group: await makeGroup(emulator, vpc) };
}

/** Returns the request body of a port create in the site's subnet. */
export const portBody = (emulator: Cloud, site: Site, name: string, floating_ip = false) => ({
  name,
  vpc_id: site.vpc,
  network_id: emulator.inventory
    .list()
    .find(({ kind, parents }) => kind === "network" && parents[0] === site.vpc)?.krn,
  subnet_id: site.subnet,
  floating_ip,
});

/** Creates a port, with a floating IP if `floatingIp` is set, and returns the port's KRN. */
export async function makePort(
  emulator: Cloud,
  site: Site,
  name: string,
  floatingIp = false,
): Promise<string> {
  const body = portBody(emulator, site, name, floatingIp);
  const reply = await emulator.call("POST /v1/highlvlvpc/create_port", { body });
  return textAt(reply.body, "port_krn");
}

/** Returns the request body of an instance create that boots from a new volume. */
export const instanceBody = (site: Site, more: Record<string, unknown> = {}) => ({
  instanceName: "vm",
  instanceType: "c1.small",
  region,
  vpc_id: site.vpc,
  subnet_id: site.subnet,
  sshkey_name: "demo-key",
  security_groups: [site.group],
  image_krn: image,
  volume_name: "vm-volume",
  volume_size: 50,
  volumetype: "ssd",
  ...more,
});

/** Returns the request body of a template create; its instances belong to the site. */
export const templateBody = (site: Site, more: Record<string, unknown> = {}) => {
  const { instanceName: _, ...parts } = instanceBody(site);
  return { ...parts, name: "web", volume_name: "web-volume", ...more };
};

/** Creates a template for instances of the site and returns its KRN. */
export async function makeTemplate(
  emulator: Cloud,
  site: Site,
  more: Record<string, unknown> = {},
): Promise<string> {
  const body = templateBody(site, more);
  const reply = await emulator.call("POST /vm/v1/instance-templates/create", { body });
  return textAt(reply.body, "template_krn");
}

/** Header that object storage requires in addition to the credential (docs/contract.md#9). */
export const accountHeader = { "x-account-id": "000000000000" };
