import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { openSite } from "../support/engine/open-site.ts";
import { flat } from "../support/engine/site.ts";
import { configure, type Folder, succeed } from "../support/engine/terraform.ts";
import { engines } from "../support/engine/terraform-engine.ts";
import { storageSettings } from "../support/storage-setting.ts";

/** Configurations of which two resources set one list, or have one name in turn, with real engines. */

const site = openSite({ taskMs: 0 });
const { emulator } = site;

/** Calls `work` with an empty folder of an engine. */
const withFolder = async (engine: (typeof engines)[number][1], work: (folder: Folder) => Promise<void>) =>
  work(await site.open(engine, { SERVICE_SETTLE_SECONDS: "1", ...storageSettings(site.url) }));

/** Returns a configuration with a machine, the groups of its port, and the lifecycle of the machine. */
const machine = (groups: readonly string[], lifecycle: object = {}) => ({
  data: { kcloud_image: { ubuntu: { name: "Ubuntu-24.04" } } },
  resource: {
    kcloud_vpc: { net: { name: "net", primary_subnet: { name: "a", cidr: "10.0.0.0/24" } } },
    kcloud_security_group: {
      web: { vpc_id: "${kcloud_vpc.net.id}", name: "web" },
      audit: { vpc_id: "${kcloud_vpc.net.id}", name: "audit" },
    },
    kcloud_instance: {
      web: {
        vpc_id: "${kcloud_vpc.net.id}",
        name: "web",
        instance_type: "c1.small",
        subnet_id: "${kcloud_vpc.net.primary_subnet.id}",
        sshkey_name: "demo-key",
        security_groups: ["${kcloud_security_group.web.id}"],
        boot_volume: { image_krn: "${data.kcloud_image.ubuntu.id}", size_gb: 20, volume_type: "ssd" },
        lifecycle,
      },
    },
    kcloud_port_security_groups: {
      web: {
        port_id: "${kcloud_instance.web.port_id}",
        security_groups: groups.map((name) => `\${kcloud_security_group.${name}.id}`),
      },
    },
  },
});

test.each(engines)(
  "%s refuses two lists for one port at plan, and keeps both with ignore_changes",
  (_, engine) =>
    withFolder(engine, async (folder) => {
      const run = (...args: string[]) => succeed(folder, args);
      await configure(folder, machine(["web", "audit"]));
      await run("init");
      await run("apply", "-auto-approve");
      const { code, output } = await folder.run(["plan", "-no-color"]);
      expect([code, flat(output)]).toEqual([1, expect.stringContaining("each run would")]);
      expect(flat(output)).toContain("each run would undo the other");
      expect(flat(output)).toContain(
        'Add lifecycle { ignore_changes = [security_groups] } to the instance "web"',
      );
      const ignoring = { ignore_changes: ["security_groups"] };
      await configure(folder, machine(["web", "audit"], ignoring));
      expect(await run("plan", "-detailed-exitcode")).toContain("No changes");
      await configure(folder, machine(["audit"], ignoring));
      expect(await run("apply", "-auto-approve")).toContain("0 added, 1 changed, 0 destroyed");
      expect(await run("plan", "-detailed-exitcode")).toContain("No changes");
      await run("destroy", "-auto-approve");
    }),
);

/** Returns a configuration with a protected volume at an address, which a trigger replaces. */
const volume = (address: string, own: object) => ({
  resource: {
    kcloud_vpc: { net: { name: "net" } },
    terraform_data: { trigger: { input: "1" } },
    kcloud_volume: {
      [address]: {
        vpc_id: "${kcloud_vpc.net.id}",
        name: "data",
        size_gb: 10,
        volume_type: "ssd",
        ...own,
      },
    },
  },
});

test.each(engines)(
  "%s plans no replacement of a protected volume, and names moved if the address of a volume changes",
  (_, engine) =>
    withFolder(engine, async (folder) => {
      const run = (...args: string[]) => succeed(folder, args);
      await configure(folder, volume("data", { deletion_protection: true }));
      await run("init");
      await run("apply", "-auto-approve");
      const forced = await folder.run(["plan", "-no-color", "-replace=kcloud_volume.data"]);
      expect([forced.code, flat(forced.output)]).toEqual([
        1,
        expect.stringContaining("Deletion is protected"),
      ]);
      const triggered = { lifecycle: { replace_triggered_by: ["terraform_data.trigger"] } };
      await configure(folder, volume("data", { deletion_protection: true, ...triggered }));
      expect(await run("plan", "-detailed-exitcode")).toContain("No changes");
      const plan = await folder.run(["plan", "-no-color", "-replace=terraform_data.trigger"]);
      expect([plan.code, flat(plan.output)]).toEqual([1, expect.stringContaining("Deletion is protected")]);

      await configure(folder, volume("data", { deletion_protection: false }));
      await run("apply", "-auto-approve");
      await configure(folder, volume("orders", {}));
      const renamed = flat(await run("plan"));
      expect(renamed).toContain('The volume "data" is deleted at one address and created at another');
      expect(renamed).toContain("keep the object with moved { from = OLD_ADDRESS, to = NEW_ADDRESS }");
      const moved = [{ from: "kcloud_volume.data", to: "kcloud_volume.orders" }];
      await configure(folder, { ...volume("orders", {}), moved });
      const kept = await run("plan");
      expect([kept.includes("at one address"), kept.includes("0 to destroy")]).toEqual([false, true]);
    }),
);

/** Returns a configuration with one volume at each of the addresses. */
const volumeAt = (...addresses: readonly string[]) => ({
  resource: {
    kcloud_vpc: { net: { name: "net" } },
    kcloud_volume: Object.fromEntries(
      addresses.map((address) => [
        address,
        { vpc_id: "${kcloud_vpc.net.id}", name: "data", size_gb: 10, volume_type: "ssd" },
      ]),
    ),
  },
});

test.each(engines)(
  "%s deletes no object that another address keeps, and removes one of two addresses without the object",
  (_, engine) =>
    withFolder(engine, async (folder) => {
      const run = (...args: string[]) => succeed(folder, args);
      const live = () => emulator.inventory.list().filter(({ kind }) => kind === "volume").length;
      await configure(folder, volumeAt("data"));
      await run("init");
      await run("apply", "-auto-approve");
      const id = "${kcloud_vpc.net.id},data";
      await configure(folder, {
        ...volumeAt("data", "orders"),
        import: [{ to: "kcloud_volume.orders", id }],
      });
      expect(await run("apply", "-auto-approve")).toContain("1 imported, 0 added, 0 changed, 0 destroyed");
      await configure(folder, volumeAt("orders"));
      const { code, output } = await folder.run(["apply", "-auto-approve", "-no-color"]);
      expect([code, flat(output)]).toEqual([1, expect.stringContaining("Object is managed twice")]);
      expect(flat(output)).toContain('volume "data" (krn:');
      expect(flat(output)).toContain("state rm");
      expect(flat(output)).toContain("removed {");
      expect(live()).toBe(1);
      const removed = [{ from: "kcloud_volume.data", lifecycle: { destroy: false } }];
      await configure(folder, { ...volumeAt("orders"), removed });
      await run("apply", "-auto-approve");
      expect(live()).toBe(1);
      await configure(folder, volumeAt("orders"));
      expect(await run("plan", "-detailed-exitcode")).toContain("No changes");
    }),
);

test.each(engines)("%s uploads a file that changes between the plan and the apply", (_, engine) =>
  withFolder(engine, async (folder) => {
    const run = (...args: string[]) => succeed(folder, args);
    const uploaded = (type: string) => ({
      resource: {
        terraform_data: { type: { input: type } },
        kcloud_bucket: { store: { name: "store-data", force_destroy: true } },
        kcloud_object: {
          file: {
            bucket_id: "${kcloud_bucket.store.id}",
            key: "file.txt",
            source: "file.txt",
            content_type: "text/${terraform_data.type.output}",
          },
        },
      },
    });
    const source = join(folder.path, "file.txt");
    await writeFile(source, "one");
    await configure(folder, uploaded("plain"));
    await run("init");
    await run("apply", "-auto-approve");
    await configure(folder, uploaded("html"));
    await run("plan", "-out=saved");
    await writeFile(source, "longer than before");
    expect(await run("apply", "saved")).toContain("Apply complete");
    expect(await run("plan", "-detailed-exitcode")).toContain("No changes");
  }),
);

/** Returns a configuration with volumes whose addresses are the indices of their names. */
const volumes = (names: readonly string[]) => ({
  locals: { names },
  resource: {
    kcloud_vpc: { net: { name: "net" } },
    kcloud_volume: {
      data: {
        count: names.length,
        vpc_id: "${kcloud_vpc.net.id}",
        name: "${local.names[count.index]}",
        size_gb: 10,
        volume_type: "ssd",
      },
    },
  },
});

test.each(engines)(
  "%s renames volumes in one apply whose names shift in a list, in both directions",
  (_, engine) =>
    withFolder(engine, async (folder) => {
      const run = (...args: string[]) => succeed(folder, args);
      await configure(folder, volumes(["b", "c"]));
      await run("init");
      await run("apply", "-auto-approve");
      await configure(folder, volumes(["a", "b", "c"]));
      expect(await run("apply", "-auto-approve")).toContain("1 added, 2 changed, 0 destroyed");
      await configure(folder, volumes(["b", "c"]));
      expect(await run("apply", "-auto-approve")).toContain("0 added, 2 changed, 1 destroyed");
      expect(await run("plan", "-detailed-exitcode")).toContain("No changes");
    }),
);
