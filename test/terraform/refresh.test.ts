import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { createEmulator } from "../../emulator/emulator.ts";
import { account } from "../../emulator/state/id.ts";
import { openSite } from "../support/engine/open-site.ts";
import { flat } from "../support/engine/site.ts";
import { configure, type Folder, succeed } from "../support/engine/terraform.ts";
import { engines } from "../support/engine/terraform-engine.ts";

/** Tests refreshes with the real engines: removed objects, and the stored data of unchanged objects. */

const vpc_id = `\${kcloud_vpc.net.id}`;
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0v8v7l3H5Gm0r5nq0m7xq4b1cQm0mJm0Yk1v0m2k3p";

/** One resource for each way to read: a GET, a listing and a GET, a listing alone, listings that the read searches. */
const resource = {
  kcloud_vpc: { net: { name: "net" } },
  kcloud_volume: { data: { vpc_id, name: "data", size_gb: 10, volume_type: "ssd" } },
  kcloud_subnet: { b: { vpc_id, name: "b", cidr: "10.0.1.0/24" } },
  kcloud_security_group: { web: { vpc_id, name: "web", description: "Web" } },
  kcloud_security_group_rule: {
    https: {
      vpc_id,
      security_group_id: `\${kcloud_security_group.web.id}`,
      direction: "ingress",
      ethertype: "IPv4",
      protocol: "tcp",
      remote_ip_prefix: "10.0.0.0/8",
    },
  },
  kcloud_port: { own: { vpc_id, subnet_id: `\${kcloud_subnet.b.id}`, name: "own" } },
  kcloud_floating_ip: { address: { vpc_id, subnet_id: `\${kcloud_subnet.b.id}`, name: "address" } },
  kcloud_ssh_key: { deploy: { name: "deploy", public_key: key } },
  kcloud_access_key: { reports: { name: "reports" } },
};

describe.each(engines)("%s", (_, engine) => {
  const { emulator, open } = openSite();
  let folder: Folder;

  beforeEach(async () => {
    folder = await open(engine);
    await configure(folder, { resource });
    await succeed(folder, ["init"]);
    await succeed(folder, ["apply", "-auto-approve"], own);
  });

  // On a busy machine, one test takes longer than the default of settle_seconds, 120 s.
  const own = { environment: { SERVICE_ACCOUNT_ID: account, SERVICE_SETTLE_SECONDS: "3600" } };
  const settled = { environment: { ...own.environment, SERVICE_SETTLE_SECONDS: "0" } };
  const refreshed = (options: Parameters<Folder["run"]>[1]) =>
    folder.run(["plan", "-refresh-only", "-detailed-exitcode", "-no-color"], options);
  const state = () => readFile(join(folder.path, "terraform.tfstate"), "utf8");

  test("a refresh changes nothing right after the apply, after settle_seconds, and while listings lag", async () => {
    for (const options of [own, own, settled, settled]) {
      const { code, output } = await refreshed(options);
      expect([code, output]).toEqual([0, expect.stringContaining("No changes")]);
    }
    emulator.configure({ listingLagMs: 3_600_000 });
    const { code, output } = await refreshed(own);
    expect([code, output]).toEqual([0, expect.stringContaining("is not shown yet")]);
    const before = await state();
    await succeed(folder, ["apply", "-refresh-only", "-auto-approve"], own);
    const resources = (text: string) => (JSON.parse(text) as { resources: unknown }).resources;
    expect(resources(await state())).toEqual(resources(before));
    emulator.configure({ listingLagMs: 0 });
    for (const { krn, kind } of emulator.inventory.list())
      if (kind === "security_group") emulator.inventory.remove(krn);
    expect((await refreshed(own)).code).toBe(0);
    expect((await refreshed(settled)).code).toBe(2);
  });

  test("with credentials of another account every object stays in the state, and the error names both accounts", async () => {
    const other = createEmulator({
      taskMs: 50,
      account: "222222222222",
      customer: "22222222-2222-4222-8222-222222222222",
    });
    const theirs = await other.listen();
    const environment = { SERVICE_BASE_URL: theirs.url, SERVICE_SETTLE_SECONDS: "0" };
    const before = await state();
    try {
      const empty = { SERVICE_ACCOUNT_ID: "", SERVICE_CUSTOMER_ID: "22222222-2222-4222-8222-222222222222" };
      const targets = ["-target=kcloud_vpc.net", "-target=kcloud_volume.data"];
      const unknown = await folder.run(["plan", "-no-color", ...targets], {
        environment: { ...environment, ...empty },
      });
      expect([unknown.code, flat(unknown.output)]).toEqual([
        1,
        expect.stringContaining("Set account_id to the account number of the credentials"),
      ]);
      const { code, output } = await refreshed({
        environment: { ...environment, SERVICE_ACCOUNT_ID: "222222222222" },
      });
      expect([code, flat(output)]).toEqual([
        1,
        expect.stringContaining(`to account 222222222222, the object belongs to account ${account}`),
      ]);
      expect(output).not.toContain("An object was deleted outside");
      const apply = { environment: { ...environment, SERVICE_ACCOUNT_ID: "222222222222" } };
      expect((await folder.run(["apply", "-auto-approve", "-no-color"], apply)).code).toBe(1);
      expect(await state()).toBe(before);
      expect(other.inventory.list()).toEqual([]);
    } finally {
      await theirs.close();
    }
  });
});
