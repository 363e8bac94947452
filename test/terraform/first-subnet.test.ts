import { describe, expect, test } from "@jest/globals";
import { openSite } from "../support/engine/open-site.ts";
import { configure, succeed } from "../support/engine/terraform.ts";
import { engines } from "../support/engine/terraform-engine.ts";

/** Tests instances in the first subnet of a VPC with the real engines: import with the VPC, in-place changes, batches. */

const imageKrn = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";
const place = {
  vpc_id: `\${kcloud_vpc.net.id}`,
  subnet_id: `\${kcloud_vpc.net.primary_subnet.id}`,
  instance_type: "c1.small",
  sshkey_name: "demo-key",
  security_groups: [`\${kcloud_security_group.web.id}`],
  boot_volume: { image_krn: imageKrn, size_gb: 10, volume_type: "ssd" },
};
const network = {
  kcloud_vpc: { net: { name: "net", primary_subnet: { name: "first", cidr: "10.0.0.0/24" } } },
  kcloud_subnet: { other: { vpc_id: place.vpc_id, name: "other", cidr: "10.0.1.0/24" } },
  kcloud_security_group: { web: { vpc_id: place.vpc_id, name: "web" } },
};
const batch = (name: string, machine_count: number) => ({
  vpc_id: place.vpc_id,
  template_id: `\${kcloud_instance_template.small.id}`,
  name,
  machine_count,
});

describe.each(engines)("%s", (_, engine) => {
  const site = openSite();
  const { emulator } = site;

  const open = async (configuration: object) => {
    const folder = await site.open(engine, { SERVICE_SETTLE_SECONDS: "1" });
    await configure(folder, configuration);
    await succeed(folder, ["init"]);
    return folder;
  };
  const machines = () =>
    emulator.inventory
      .list()
      .filter(({ kind, deletingAt }) => kind === "instance" && deletingAt === undefined)
      .map(({ name }) => name);

  test("a VPC and an instance of its first subnet are imported in one apply, and nothing is replaced", async () => {
    const resource = { ...network, kcloud_instance: { web: { ...place, name: "web" } } };
    const made = await open({ resource });
    await succeed(made, ["apply", "-auto-approve"]);
    const krn = (kind: string, name: string) =>
      emulator.inventory.list().find((item) => item.kind === kind && item.name === name)?.krn;
    const vpc = krn("vpc", "net");
    const imports = [
      { to: "kcloud_vpc.net", id: vpc },
      { to: "kcloud_subnet.other", id: `${vpc},${krn("subnet", "other")}` },
      { to: "kcloud_security_group.web", id: `${vpc},${krn("security_group", "web")}` },
      { to: "kcloud_instance.web", id: `${vpc},${krn("instance", "web")}` },
    ];
    const again = await open({ resource, import: imports });
    const { output } = await again.run(["apply", "-auto-approve", "-no-color"]);
    expect(output).toMatch(/4 imported, 0 added, [12] changed, 0 destroyed/);
    const { code } = await again.run(["plan", "-detailed-exitcode"]);
    expect(code).toBe(0);
  });

  test("an in-place change of an instance does not change a security group rule that uses its address", async () => {
    const stack = (more: object, rules: object = {}) => ({
      resource: {
        ...network,
        kcloud_instance: { web: { ...place, name: "web", ...more } },
        kcloud_floating_ip: {
          web: {
            vpc_id: place.vpc_id,
            subnet_id: place.subnet_id,
            name: "web",
            port_id: `\${kcloud_instance.web.network_ports[0].krn}`,
          },
        },
        ...rules,
      },
    });
    const rule = {
      vpc_id: place.vpc_id,
      security_group_id: `\${kcloud_security_group.web.id}`,
      direction: "ingress",
      protocol: "tcp",
      remote_ip_prefix: `\${kcloud_instance.web.floating_ip_address}/32`,
    };
    const folder = await open(stack({}));
    await succeed(folder, ["apply", "-auto-approve"]);
    const rules = { kcloud_security_group_rule: { own: rule } };
    await configure(folder, stack({}, rules));
    expect(await succeed(folder, ["apply", "-auto-approve"])).toContain("1 added, 0 changed, 0 destroyed");
    await configure(folder, stack({ deletion_protection: true, power_state: "stopped" }, rules));
    expect(await succeed(folder, ["apply", "-auto-approve"])).toContain("0 added, 1 changed, 0 destroyed");
  });

  test("a batch with the name of an instance of another batch is a separate one, and the destroy of one keeps the other", async () => {
    const template = { kcloud_instance_template: { small: { ...place, name: "small" } } };
    const resource = { ...network, ...template, kcloud_instance_batch: { web: batch("web", 11) } };
    const folder = await open({ resource });
    await succeed(folder, ["apply", "-auto-approve"]);
    const both = { ...resource.kcloud_instance_batch, one: batch("web-1", 1) };
    await configure(folder, { resource: { ...resource, kcloud_instance_batch: both } });
    await succeed(folder, ["apply", "-auto-approve"]);
    const { code } = await folder.run(["plan", "-detailed-exitcode"]);
    expect([code, machines().length]).toEqual([0, 12]);
    await succeed(folder, ["destroy", "-auto-approve", "-target=kcloud_instance_batch.one"]);
    expect(machines()).toHaveLength(11);
    expect(machines()).not.toContain("web-1-1");
  });
});
