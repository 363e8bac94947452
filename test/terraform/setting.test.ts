import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../../emulator/emulator.ts";
import { terraformEngines } from "../../tools/engines/engine.ts";
import { openFolder, required } from "../support/engine/terraform.ts";

/** Provider settings and deletion protection under the real engines. */

const engines = (await terraformEngines()).map(
  (engine) => [`${engine.name} ${engine.version}`, engine] as const,
);

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
  let emulator: Emulator;
  let server: Awaited<ReturnType<Emulator["listen"]>>;
  let folder: string;

  beforeAll(async () => {
    emulator = createEmulator({ taskMs: 50 });
    server = await emulator.listen();
    folder = await mkdtemp(join(tmpdir(), "kcloud-setting-"));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function opened() {
    const path = await mkdtemp(join(folder, "work-"));
    await writeFile(join(path, "required.tf.json"), JSON.stringify({ terraform: required.terraform }));
    const { run } = await openFolder(engine, path, {
      SERVICE_BASE_URL: server.url,
      SERVICE_API_KEY: "emulator-key",
      SERVICE_REGION: "In-Bangalore-1",
      SERVICE_MAX_REQUESTS_PER_SECOND: "0",
    });
    return {
      write: (text: string) => writeFile(join(path, "main.tf"), text),
      run: async (...args: string[]) => {
        const { code, output } = await run([...args, "-no-color"]);
        return { code, output: output.replaceAll(/\s*\n[│╷╵ ]*/g, " ") };
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
