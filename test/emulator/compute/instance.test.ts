import { expect, test } from "@jest/globals";
import {
  at,
  type Cloud,
  cloud,
  image,
  instanceBody,
  makeGroup,
  makeInstance,
  makeVolume,
  makeVpc,
  openSite,
  refusal,
  region,
  type Site,
  textAt,
} from "../client.ts";

const create = "POST /vm/v1/create_instance_async";

const rows = async (emulator: Cloud, site: Site) =>
  at((await emulator.call(`GET /vm/v1/search_instances?vpc_id=${site.vpc}`)).body, "instances") as unknown[];

const task = async (emulator: Cloud, id: string) =>
  (await emulator.call(`GET /vm/v1/get_instance_task_status?task_id=${id}`)).body;

const read = async (emulator: Cloud, krn: string) =>
  (await emulator.call(`GET /v1/highlvlvpc/instance?krn=${krn}`)).body;

const volumes = async (emulator: Cloud, site: Site) =>
  (await emulator.call("GET /kbs/v1/volumes", { headers: { "k-tenant-id": site.vpc } })).body;

test("a create returns only a task; the row exists immediately and becomes ACTIVE with the task", async () => {
  const { emulator, site } = await openSite();
  const made = await emulator.call(create, { body: instanceBody(site) });
  const task_id = textAt(made.body, "task_id");
  expect([made.status, made.body]).toEqual([202, { message: "instance creation accepted", task_id }]);
  expect(await rows(emulator, site)).toMatchObject([{ vm_name: "vm", status: "BUILD", task_id }]);
  expect(await task(emulator, task_id)).toEqual({ task_id, status: "pending" });
  await emulator.clock.advance(999);
  expect(await task(emulator, task_id)).toEqual({ task_id, status: "processing" });
  await emulator.clock.advance(1);
  expect(await task(emulator, task_id)).toEqual({ task_id, status: "success" });
  expect(await rows(emulator, site)).toMatchObject([{ vm_name: "vm", status: "ACTIVE", task_id }]);
});

test("a read returns all fields of a machine", async () => {
  const { emulator, site } = await openSite();
  const tags = [{ key: "team", value: "a" }];
  const krn = await makeInstance(emulator, site, { floating_ip: true, tags });
  const [network, port, volume, floating] = ["network", "port", "volume", "floatingIP"].map((type) =>
    expect.stringMatching(new RegExp(`^krn:.*:${type}:`)),
  );
  const address = { mac: expect.stringMatching(/^fa:16:3e(:[0-9a-f]{2}){3}$/), network };
  const answer = await read(emulator, krn);
  expect(answer).toEqual({
    krn,
    instanceId: krn.slice(-36),
    vm_name: "vm",
    flavor_name: "c1.small",
    created_at: "2026-01-01T00:00:01.000Z",
    status: "ACTIVE",
    region,
    account_id: "000000000000",
    vpcId: site.vpc,
    project_krn: site.vpc,
    networkId: network,
    subnetId: site.subnet,
    ip_fixed: "10.0.0.2",
    ipAddress: "10.0.0.2",
    floatingIpAddress: "198.18.0.1",
    floating_ip_krn: floating,
    port_krn: port,
    volume_krn: volume,
    volumes: [volume],
    vm_volume_disk_size: "50",
    security_groups: [site.group],
    tags,
    image_krn: image,
    sshkey_name: "demo-key",
    ssh_id: "00000000-0000-4000-8000-000000000301",
    flavor_cost: 1,
    flavor_type: "CPU",
    locked: false,
    delete_protection_status: false,
    batch_id: null,
    task_id: expect.any(String),
    failed_step: null,
    failure_reason: null,
    network_ports: [{ krn: port, fixed_ip: "10.0.0.2", floating_ip: "198.18.0.1" }],
    ip_addresses: expect.any(String),
  });
  expect(JSON.parse(textAt(answer, "ip_addresses"))).toEqual([
    { ...address, ip: "10.0.0.2", type: "fixed" },
    { ...address, ip: "198.18.0.1", type: "floating" },
  ]);
});

test("the boot volume is created with the machine and attached to it", async () => {
  const { emulator, site } = await openSite();
  await emulator.call(create, { body: instanceBody(site) });
  expect(await volumes(emulator, site)).toMatchObject([{ name: "vm-volume", state: "creating" }]);
  await emulator.clock.advance(1000);
  const [row] = (await rows(emulator, site)) as { krn: string; volume_krn: string }[];
  expect(await volumes(emulator, site)).toMatchObject([
    {
      krn: row?.volume_krn,
      state: "in-use",
      size: 50,
      bootable: true,
      source_id: image,
      attachments: [
        {
          device: "/dev/vda",
          instance_id: row?.krn,
          instance_name: "vm",
          volume_id: row?.volume_krn,
          remote_attachment_id: expect.any(String),
        },
      ],
    },
  ]);
  expect(await refusal(emulator, `DELETE /kbs/v1/volumes/${row?.volume_krn}`)).toEqual([
    409,
    "volume vm-volume is in use",
  ]);
});

const existing = (site: Site, volume: string, more: Record<string, unknown> = {}) => {
  const { image_krn, volume_name, volume_size, volumetype, ...rest } = instanceBody(site);
  return { ...rest, volumes: [volume], delete_on_termination: false, ...more };
};

test("a machine boots from an existing volume, which must be free and is not deleted with the machine", async () => {
  const { emulator, site } = await openSite();
  const volume = await makeVolume(emulator, site.vpc);
  const careless = existing(site, volume, { delete_on_termination: true });
  expect(await refusal(emulator, create, { body: careless })).toEqual([
    400,
    "delete_on_termination: must be false for an existing volume",
  ]);
  expect((await emulator.call(create, { body: existing(site, volume) })).status).toBe(202);
  expect(await volumes(emulator, site)).toMatchObject([{ krn: volume, state: "in-use" }]);
  expect(await refusal(emulator, create, { body: existing(site, volume) })).toEqual([
    409,
    "volume disk is in-use",
  ]);
});

test("a machine boots from exactly one volume, either a new or an existing one", async () => {
  const { emulator, site } = await openSite();
  const volume = await makeVolume(emulator, site.vpc);
  const both = existing(site, volume, { image_krn: image, volume_size: 5 });
  expect(await refusal(emulator, create, { body: both })).toEqual([
    400,
    "image_krn, volume_size: not together with volumes",
  ]);
  const two = existing(site, volume, { volumes: [volume, volume] });
  expect(await refusal(emulator, create, { body: two })).toEqual([
    400,
    "volumes: one volume boots one instance",
  ]);
  const none = existing(site, volume, { volumes: [] });
  expect(await refusal(emulator, create, { body: none })).toEqual([
    400,
    "image_krn: required; volume_name: required; volume_size: required; volumetype: required",
  ]);
});

test.each([
  [
    "network_id",
    { network_id: "x" },
    400,
    "network_id: must not be sent; it follows from the VPC and the subnet",
  ],
  ["no name", { instanceName: undefined }, 400, "instanceName: required"],
  ["no key", { sshkey_name: undefined }, 400, "sshkey_name: required"],
  ["no group", { security_groups: [] }, 400, "security_groups: must not be empty"],
  ["another region", { region: "In-Hyderabad-1" }, 400, "region: is not that of the header, In-Bangalore-1"],
  ["an unknown VPC", { vpc_id: "x" }, 404, "VPC x not found"],
  ["an unknown subnet", { subnet_id: "x" }, 404, "subnet x not found in VPC net"],
  ["an unknown group", { security_groups: ["x"] }, 404, "security group x not found"],
  ["an unknown key", { sshkey_name: "x" }, 404, "SSH key x not found"],
  [
    "an unknown type",
    { instanceType: "x" },
    404,
    "instance type x not found; there are c1.small, c1.medium, c1.large, g1.large",
  ],
  [
    "an unknown image",
    { image_krn: "x" },
    404,
    `image x not found; there are ${image}, ${image.replace("101", "102")}`,
  ],
  ["an unknown port", { port_krn: "x" }, 404, "port x not found"],
  ["a tag that is text", { tags: ["a"] }, 400, "tags.0: must be of type object"],
  ["a count of 0", { count: 0 }, 400, "count: must be 1 or more"],
  ["an unknown field", { name: "x" }, 400, 'name: unknown field "name"'],
  [
    "a name that selects a rejection",
    { instanceName: "vm-error-429" },
    429,
    "refused because of the name vm-error-429",
  ],
])("a machine with %s is rejected, and nothing is created", async (_, wrong, status, message) => {
  const { emulator, site } = await openSite();
  const before = emulator.inventory.list();
  expect(await refusal(emulator, create, { body: instanceBody(site, wrong) })).toEqual([status, message]);
  expect(emulator.inventory.list()).toEqual(before);
});

test("an unknown volume, and a group, subnet or volume of another VPC are refused", async () => {
  const { emulator, site } = await openSite();
  const vpc = await makeVpc(emulator, "other");
  const group = await makeGroup(emulator, vpc, "strange");
  const volume = await makeVolume(emulator, vpc);
  const refused = (body: unknown) => refusal(emulator, create, { body });
  expect(await refused(existing(site, "x"))).toEqual([404, "Unable to fetch volume"]);
  expect(await refused(existing(site, volume))).toEqual([404, "Unable to fetch volume"]);
  expect(await refused(instanceBody(site, { security_groups: [group] }))).toEqual([
    400,
    "security group strange is not of VPC net",
  ]);
  expect(await refused(instanceBody(site, { vpc_id: vpc }))).toEqual([
    404,
    `subnet ${site.subnet} not found in VPC other`,
  ]);
});

test("fields that one client always sends are accepted", async () => {
  const { emulator, site } = await openSite();
  const always = { user_data: "", delete_on_termination: true, port_krn: "", isGpu: false, volumes: [] };
  const more = {
    tags: [],
    count: 1,
    easydeploy_type: "",
    gateway_password: "",
    model_name: "",
    model_api_key: "",
  };
  const body = instanceBody(site, { ...always, ...more, timeout: 600 });
  expect((await emulator.call(create, { body })).status).toBe(202);
});

test("user data is stored unchanged; the switch requires base64", async () => {
  const { emulator, site } = await openSite();
  const krn = await makeInstance(emulator, site, { user_data: "#cloud-config" });
  expect(emulator.inventory.get(krn)).toMatchObject({ userData: "#cloud-config" });
  emulator.configure({ assume: { userDataForm: "base64" } });
  const body = instanceBody(site, { user_data: "#cloud-config" });
  expect(await refusal(emulator, create, { body })).toEqual([400, "user_data: must be base64"]);
  const encoded = instanceBody(site, { user_data: "I2Nsb3VkLWNvbmZpZw==" });
  expect((await emulator.call(create, { body: encoded })).status).toBe(202);
});

test("a count creates that number of numbered machines with one task, each with a separate address", async () => {
  const { emulator, site } = await openSite();
  const made = await emulator.call(create, { body: instanceBody(site, { count: 3, floating_ip: true }) });
  await emulator.clock.advance(1000);
  const task_id = at(made.body, "task_id");
  expect(await rows(emulator, site)).toMatchObject([
    { vm_name: "vm-1", ip_fixed: "10.0.0.2", floatingIpAddress: "198.18.0.1", task_id },
    { vm_name: "vm-2", ip_fixed: "10.0.0.3", floatingIpAddress: "198.18.0.2", task_id },
    { vm_name: "vm-3", ip_fixed: "10.0.0.4", floatingIpAddress: "198.18.0.3", task_id },
  ]);
});

test("a full subnet rejects the next machine, and nothing is created", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator, "net", { subnet: { name: "small", cidr: "10.0.0.0/30" } });
  const subnet = emulator.inventory.list().find(({ kind }) => kind === "subnet")?.krn ?? "";
  const site = { vpc, subnet, group: await makeGroup(emulator, vpc) };
  const full = [409, "subnet small has no free address"];
  const two = instanceBody(site, { count: 2 });
  const before = emulator.inventory.list();
  expect(await refusal(emulator, create, { body: two })).toEqual(full);
  expect(emulator.inventory.list()).toEqual(before);
  await makeInstance(emulator, site);
  expect(await refusal(emulator, create, { body: instanceBody(site) })).toEqual(full);
});

test("a machine that fails by its name ends in ERROR with step and reason, and its row remains", async () => {
  const { emulator, site } = await openSite();
  const made = await emulator.call(create, { body: instanceBody(site, { instanceName: "vm-fails" }) });
  await emulator.clock.advance(1000);
  const failure = "failed because of the name vm-fails";
  expect(await rows(emulator, site)).toMatchObject([
    { vm_name: "vm-fails", status: "ERROR", failed_step: "boot", failure_reason: failure },
  ]);
  const id = textAt(made.body, "task_id");
  expect(await task(emulator, id)).toEqual({ task_id: id, status: "failed", message: failure });
  await emulator.clock.advance(3_600_000);
  expect(await rows(emulator, site)).toHaveLength(1);
});
