import { expect, test } from "@jest/globals";
import { openSite } from "../support/engine/open-site.ts";
import { flat } from "../support/engine/site.ts";
import { configure, succeed } from "../support/engine/terraform.ts";
import { engines } from "../support/engine/terraform-engine.ts";

/** Machines that real engines must not replace: in a workspace of another region, by another spelling, for a larger volume. */

const there = { SERVICE_REGION: "In-Hyderabad-1" };
const script = "#!/bin/sh\necho ready\n";

/** Returns a configuration with a machine, whose image a lookup finds in the region of the provider. */
const machine = (sizeGb: number, own: object) => ({
  data: { kcloud_image: { ubuntu: { name: "Ubuntu-24.04" } } },
  resource: {
    kcloud_vpc: { net: { name: "net", primary_subnet: { name: "a", cidr: "10.0.0.0/24" } } },
    kcloud_security_group: { web: { vpc_id: "${kcloud_vpc.net.id}", name: "web" } },
    kcloud_instance: {
      web: {
        vpc_id: "${kcloud_vpc.net.id}",
        name: "web",
        instance_type: "c1.small",
        subnet_id: "${kcloud_vpc.net.primary_subnet.id}",
        sshkey_name: "demo-key",
        security_groups: ["${kcloud_security_group.web.id}"],
        boot_volume: { image_krn: "${data.kcloud_image.ubuntu.id}", size_gb: sizeGb, volume_type: "ssd" },
        ...own,
      },
    },
    kcloud_instance_template: {
      worker: {
        vpc_id: "${kcloud_vpc.net.id}",
        name: "worker",
        instance_type: "c1.small",
        subnet_id: "${kcloud_vpc.net.primary_subnet.id}",
        sshkey_name: "demo-key",
        security_groups: ["${kcloud_security_group.web.id}"],
        boot_volume: { image_krn: "${data.kcloud_image.ubuntu.id}", size_gb: 20, volume_type: "ssd" },
      },
    },
    kcloud_instance_batch: {
      workers: {
        vpc_id: "${kcloud_vpc.net.id}",
        name: "worker",
        template_id: "${kcloud_instance_template.worker.id}",
        machine_count: 2,
      },
    },
  },
});

const site = openSite({ taskMs: 0 });
const { emulator } = site;

const sent = (operation: string) => emulator.log.entries({ operation }).length;

test.each(engines)(
  "%s keeps a machine for the same user data in the other attribute, a larger boot volume, and another SERVICE_REGION",
  async (_, engine) => {
    const folder = await site.open(engine);
    const run = (...args: string[]) => succeed(folder, args);
    await configure(folder, machine(20, { user_data: script }));
    await run("init");
    await run("apply", "-auto-approve");

    const encoded = machine(30, { user_data_base64: Buffer.from(script).toString("base64") });
    await configure(folder, encoded);
    expect(await run("apply", "-auto-approve")).toContain("0 added, 1 changed, 0 destroyed");
    expect(await run("plan", "-detailed-exitcode")).toContain("No changes");

    // The lookup finds the image of the other region.
    const other = await folder.run(["apply", "-auto-approve", "-no-color"], { environment: there });
    expect([other.code, sent("delete_instance"), sent("create_instance")]).toEqual([1, 0, 1]);
    // The batch refers to a template that cannot be replaced either: its instances would be deleted before it.
    expect(sent("delete_template")).toBe(0);
    expect(flat(other.output)).toContain("its replacement would fail after the existing object is deleted");

    // A configured region other than that of the parent is an error of the plan.
    await configure(
      folder,
      machine(30, { ...encoded.resource.kcloud_instance.web, region: "In-Hyderabad-1" }),
    );
    const elsewhere = await folder.run(["plan", "-no-color"]);
    expect(elsewhere.code).toBe(1);
    expect(flat(elsewhere.output)).toContain("is In-Hyderabad-1, but vpc_id is an ID in In-Bangalore-1");
    const deleted = await folder.run(["destroy", "-auto-approve", "-no-color", "-refresh=false"]);
    expect([deleted.code, sent("delete_instance")]).toEqual([0, 3]);
  },
);

test.each(engines)(
  "%s destroys, and replaces a VPC, in a workspace of another region",
  async (name, engine) => {
    const folder = await site.open(engine);
    await configure(folder, machine(20, {}));
    await succeed(folder, ["init"]);
    await succeed(folder, ["apply", "-auto-approve"]);
    const destroyed = await folder.run(["destroy", "-auto-approve", "-no-color"], { environment: there });
    expect([destroyed.output.includes("5 destroyed"), destroyed.code]).toEqual([true, 0]);

    const network = (name: string) => ({
      resource: { kcloud_vpc: { net: { name } } },
      output: { region: { value: "${kcloud_vpc.net.region}" } },
    });
    await configure(folder, network("one"));
    await succeed(folder, ["apply", "-auto-approve"]);
    await configure(folder, network("two"));
    const moved = await folder.run(["apply", "-auto-approve", "-no-color"], { environment: there });
    const keeps = name === "terraform 1.16.0";
    expect([moved.code, moved.output]).toEqual([
      0,
      expect.stringContaining(keeps ? 'region = "In-Bangalore-1"' : 'region = "In-Hyderabad-1"'),
    ]);
    expect(moved.output.includes("to another region")).toBe(!keeps);
  },
);
