import { defaultApiKey } from "../auth/auth.ts";
import type { Emulator } from "../emulator.ts";
import { imageKrn, images } from "../model/catalogue.ts";
import { resourceKinds } from "../resource-kinds.ts";
import type { ScenarioName } from "./option.ts";

/** Accounts with which an emulator can begin. Their objects are made by requests to the emulator itself. */

/** Error for a scenario that the settings of the emulator do not allow. */
export class ScenarioError extends Error {
  constructor(name: ScenarioName, reason: string) {
    super(`the scenario ${name} cannot be made with these settings: ${reason}`);
    this.name = "ScenarioError";
  }
}

/** Age in ms of the oldest object of a scenario. */
export const scenarioAge = 90 * 86_400_000;

/** Time in ms between two objects of a scenario. */
const interval = 3_600_000;

const operations = new Map(resourceKinds.flatMap((kind) => kind.operations).map((one) => [one.name, one]));

/** Values of a request of an operation. */
type Request = {
  readonly path?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
};

/** Functions with which a scenario makes its objects. */
type Maker = {
  readonly region: string;
  /** Sends a request, and waits until its task has ended. Returns the response. */
  send(operation: string, request: Request): Promise<Readonly<Record<string, unknown>>>;
  /** Sends a request, and returns the KRN of the newest object of a kind. */
  make(kind: string, operation: string, request: Request): Promise<string>;
  /** Returns the KRN of the object with a name. */
  find(kind: string, name: string): string;
};

/** Emulator in which a scenario is made. */
export type ScenarioTarget = {
  readonly emulator: Emulator;
  readonly region: string;
  /** Advances the clock of the emulator by milliseconds. */
  advance(ms: number): Promise<void>;
};

/**
 * Makes the objects of a scenario in an emulator without objects; does nothing if it has some. Throws `ScenarioError` if a request
 * is refused.
 */
export async function makeScenario(
  name: ScenarioName,
  { emulator, region, advance }: ScenarioTarget,
): Promise<void> {
  if (emulator.inventory.peek().length > 0) return;
  const { account, taskMs, latencyMs } = emulator.settings();
  // Nobody advances a manual clock during a request.
  emulator.configure({ latencyMs: 0 });
  const find: Maker["find"] = (kind, objectName) =>
    emulator.inventory.peek().find((item) => item.kind === kind && item.name === objectName)?.krn ?? "";
  const send: Maker["send"] = async (operationName, { path = {}, headers = {}, body: fields }) => {
    const operation = operations.get(operationName);
    if (operation === undefined) throw new Error(`no operation ${operationName}`);
    const pathname = operation.path.replace(/\{(\w+)\}/g, (_, part) => encodeURIComponent(path[part] ?? ""));
    const response = await emulator.fetch(
      `http://emulator${pathname}?${new URLSearchParams(operation.select)}`,
      {
        method: operation.method,
        headers: {
          authorization: `Bearer ${defaultApiKey}`,
          "content-type": "application/json",
          "x-region": region,
          "x-account-id": account,
          "x-region-id": region,
          ...headers,
        },
        ...(fields && { body: JSON.stringify(fields) }),
      },
    );
    const body = JSON.parse((await response.text()) || "{}");
    if (!response.ok)
      throw new ScenarioError(name, `${operationName} is answered ${response.status}: ${body.message}`);
    await advance(Math.max(interval, taskMs));
    return body;
  };
  const make: Maker["make"] = async (kind, operationName, request) => {
    await send(operationName, request);
    return emulator.inventory.peek().findLast((item) => item.kind === kind)?.krn ?? "";
  };
  try {
    await makers[name]({ region, send, make, find });
  } catch (error) {
    emulator.reset();
    throw error;
  } finally {
    emulator.configure({ latencyMs });
  }
  emulator.log.clear();
}

const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGVtdWxhdG9yIHB1YmxpYyBrZXkgb2Ygbm9ib2R5ISE= ana@laptop";

/** Makes an account of a shop, which grew without a plan. */
async function makeExistingAccount({ region, send, make, find }: Maker): Promise<void> {
  const vpcIn = async (name: string, description: string, subnet: object) => {
    await send("create_vpc", {
      body: { vpc: { name, description }, network: { name: `${name} network` }, subnet },
    });
    return find("vpc", name);
  };
  const subnetIn = async (vpc: string, name: string, cidr: string) => {
    const subnet = { name, cidr, ip_version: 4, ingress: true, egress: true };
    await send("create_subnet", { body: { vpc_id: vpc, subnet_data: subnet } });
    return find("subnet", name);
  };
  const groupIn = (vpc: string, name: string, description = "") =>
    make("security_group", "create_security_group", { body: { name, description, vpcid: vpc } });
  const volumeIn = (vpc: string, name: string, size: number, more: object = {}) =>
    make("volume", "create_volume", {
      headers: { "k-tenant-id": vpc },
      body: { name, size, volumetype: "ssd", availability_zone: "nova", ...more },
    });
  const machine = { region, instanceType: "c1.small", sshkey_name: "ana@laptop" };
  const newBoot = (name: string) => ({
    image_krn: imageKrn(region, images[0]?.uuid ?? ""),
    volume_name: `${name}-boot`,
    volume_size: 20,
    volumetype: "ssd",
  });
  const attach = (vpc: string, volume: string, instanceId: string, mountPartition: string) =>
    send("attach_volume", {
      path: { volume },
      headers: { "k-tenant-id": vpc },
      body: { input: { instanceId, mountPartition } },
    });

  await send("create_ssh_key", { body: { keyName: "ana@laptop", publicKey } });
  await send("create_ssh_key", { body: { keyName: "old key of the agency", publicKey } });

  const shop = await vpcIn("PRODUCTION - do not touch!", "Ask Ana\nbefore you change it", {
    name: "subnet-1",
    cidr: "10.0.0.0/24",
  });
  const office = find("subnet", "subnet-1");
  const backend = await subnetIn(shop, "subnet-1 (copy)", "10.0.1.0/24");
  await subnetIn(shop, "für später", "10.0.9.0/24");
  const web = await groupIn(shop, 'web "public"', "80 & 443 ${everybody}");
  const database = await groupIn(shop, "db/intern");
  await groupIn(shop, "test123", "delete me?");
  const rule = await make("security_group_rule", "create_rule", {
    body: {
      ...{ direction: "ingress", ethertypes: "ipv4", protocol: "tcp", vpcid: shop },
      ...{ portMinRange: 443, portMaxRange: 443, remoteIPPrefix: "0.0.0.0/0" },
    },
  });
  await send("attach_rule", { body: { ruleid: rule, securityid: web, vpcid: shop } });

  const inOffice = { ...machine, vpc_id: shop, subnet_id: office };
  const inBackend = { ...machine, vpc_id: shop, subnet_id: backend };
  const shopWeb = await make("instance", "create_instance", {
    body: {
      ...{ ...inOffice, instanceName: "web01", security_groups: [web], ...newBoot("web01") },
      ...{ floating_ip: true, user_data: "#!/bin/sh\nservice nginx start\n" },
      tags: [
        { key: "Owner", value: "ana" },
        { key: "cost center", value: "4711/A" },
      ],
    },
  });
  await make("instance", "create_instance", {
    body: { ...inOffice, instanceName: "WEB02 neu", security_groups: [web], ...newBoot("web02") },
  });
  const db = await make("instance", "create_instance", {
    body: {
      ...{ ...inBackend, instanceName: "db.intern", security_groups: [database], ...newBoot("db") },
      instanceType: "c1.medium",
    },
  });
  await make("instance", "create_instance", {
    body: {
      ...inBackend,
      instanceName: "nightly-import-fails",
      security_groups: [database],
      ...newBoot("nightly"),
    },
  });

  const orders = await volumeIn(shop, "orders", 100, { metadata: { team: "shop", "cost center": "4711/A" } });
  const invoices = await volumeIn(shop, "Rechnungen 2024", 50, { description: "do not delete (tax!)" });
  await volumeIn(shop, "Copy of orders", 100);
  await volumeIn(shop, "データ", 10);
  await volumeIn(shop, "restore-of-may-fails", 100);
  await attach(shop, orders, db, "/dev/vdb");
  await attach(shop, invoices, db, "/dev/vdc");

  const reserve = (name: string, subnet: string, hasAddress: boolean) =>
    make(hasAddress ? "floating_ip" : "port", "create_port", {
      body: {
        ...{ name, vpc_id: shop, subnet_id: subnet, floating_ip: hasAddress },
        network_id: find("network", "PRODUCTION - do not touch! network"),
      },
    });
  await reserve("printer", office, false);
  await reserve("for the new shop", office, true);

  const lab = await vpcIn("test", "", {});
  await subnetIn(lab, "default", "192.168.0.0/16");
  const all = await groupIn(lab, "all-open");
  await volumeIn(lab, "orders", 10);
  const player = {
    ...{ ...machine, vpc_id: lab, subnet_id: find("subnet", "default"), security_groups: [all] },
    ...newBoot("player"),
  };
  await make("instance", "create_instance", { body: { ...player, instanceName: "${player}" } });
  const template = await make("template", "create_template", {
    body: { ...player, name: "player v2 (final)" },
  });
  await send("batch_create_instances", {
    body: { template_krn: template, count: 2, instanceName: "load test" },
  });
  await send("create_image", { path: { instance: shopWeb }, body: { name: "web golden 2023-11" } });

  const bucket = (name: string, more: object) => make("bucket", "create_bucket", { body: { name, ...more } });
  const backups = await bucket("acme-backups", { versioning: true, tags: { team: "shop" } });
  const files = await bucket("website.acme.example", { anonymous_access: true });
  await send("create_lifecycle_rule", {
    path: { bucket: backups },
    body: { name: "90 days", enabled: true, expiration_days: 90 },
  });
  await send("create_bucket_policy", {
    path: { bucket: files },
    body: { s3_read_write_ips: ["10.0.0.0/16"], s3_read_only_ips: ["0.0.0.0/0"] },
  });
  await send("create_access_key", { body: { key_name: "backup" } });
  await send("create_inference_task", {
    headers: { "x-user": "ana" },
    body: { task_name: "chat", model: "chat-small", ngpu: 1 },
  });
}

const makers: Readonly<Record<ScenarioName, (maker: Maker) => Promise<void>>> = {
  "existing-account": makeExistingAccount,
};
