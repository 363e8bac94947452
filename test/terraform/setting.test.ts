import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { openSite } from "../support/engine/open-site.ts";
import { flat } from "../support/engine/site.ts";
import { required } from "../support/engine/terraform.ts";
import { engines } from "../support/engine/terraform-engine.ts";

/** Provider settings and deletion protection under the real engines. */

const machine = (protection: boolean, type = "ssd") => `
provider "kcloud" {
  default_tags = { team = "orders" }
}
resource "kcloud_vpc" "net" {
  name           = "net"
  primary_subnet = { name = "a", cidr = "10.0.0.0/20" }
}
resource "kcloud_security_group" "web" {
  vpc_id = kcloud_vpc.net.id
  name   = "web"
}
resource "kcloud_instance" "web" {
  vpc_id          = kcloud_vpc.net.id
  name            = "web"
  instance_type   = "c1.small"
  subnet_id       = kcloud_vpc.net.primary_subnet.id
  sshkey_name     = "demo-key"
  security_groups = [kcloud_security_group.web.id]
  tags            = { tier = "web" }
  boot_volume = {
    image_krn   = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101"
    size_gb     = 10
    volume_type = "${type}"
  }
  deletion_protection = ${protection}
}
output "tags" { value = kcloud_instance.web.tags_all }
`;

describe.each(engines)("%s", (_, engine) => {
  const { emulator, open } = openSite();

  async function opened() {
    const { path, run } = await open(engine);
    await writeFile(join(path, "required.tf.json"), JSON.stringify({ terraform: required.terraform }));
    return {
      write: (text: string) => writeFile(join(path, "main.tf"), text),
      run: async (...args: string[]) => {
        const { code, output } = await run([...args, "-no-color"]);
        return { code, output: flat(output) };
      },
    };
  }

  test("default tags are in the plan, and a destroy does not delete a protected instance", async () => {
    const { write, run } = await opened();
    await write(machine(true));
    expect((await run("init")).code).toBe(0);
    const planned = await run("plan");
    expect(planned.output).toMatch(/tags_all\s+= \{ \+ "team" = "orders" \+ "tier" = "web" \}/);
    const applied = await run("apply", "-auto-approve");
    expect([applied.code, applied.output]).toEqual([0, expect.stringContaining('"team" = "orders"')]);
    expect((await run("plan", "-detailed-exitcode")).code).toBe(0);
    const refused = await run("destroy", "-auto-approve");
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(
      /deletion_protection: is on for the instance "web" \(krn:\S+\)\. Set deletion_protection = false and run terraform apply \(or tofu apply\) first/,
    );
    await write(machine(true, "hdd"));
    expect((await run("plan")).output).toContain(
      "the change replaces the object, whose deletion protection is on. Set deletion_protection = false and run terraform apply (or tofu apply) first, without the change that deletes or replaces the object",
    );
    await write(machine(false));
    expect((await run("apply", "-auto-approve")).output).toContain("0 added, 1 changed, 0 destroyed");
    expect((await run("destroy", "-auto-approve")).code).toBe(0);
    expect(emulator.inventory.list().filter(({ kind }) => kind === "vpc")).toEqual([]);
  });
});
