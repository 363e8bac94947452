import { expect } from "@jest/globals";
import type { Stack } from "../adapter/adapter.ts";
import { network, refresh, testWithProject, up, volume } from "../support/engine/stack.ts";

/** Programs of which two resources set one list, or have one name in turn, with the real engine. */

/** Returns a program with a machine and the groups of its port. */
const machine = (...groups: readonly string[]): Stack => [
  network({ name: "net", primarySubnet: { name: "a", cidr: "10.0.0.0/24" } }),
  ...["web", "audit"].map((name) => ({
    name,
    resource: "security-group",
    inputs: { vpcId: { ref: "net", property: "id" }, name },
  })),
  {
    name: "lan",
    resource: "subnet",
    inputs: { vpcId: { ref: "net", property: "id" }, name: "lan", cidr: "10.0.1.0/24" },
  },
  {
    name: "machine",
    resource: "instance",
    inputs: {
      vpcId: { ref: "net", property: "id" },
      name: "machine",
      instanceType: "c1.small",
      subnetId: { ref: "lan", property: "id" },
      sshkeyName: "demo-key",
      securityGroups: [{ ref: "web", property: "id" }],
      bootVolume: {
        imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
        sizeGb: 20,
        volumeType: "ssd",
      },
    },
  },
  {
    name: "groups",
    resource: "port-security-groups",
    inputs: {
      portId: { ref: "machine", property: "portId" },
      securityGroups: groups.map((ref) => ({ ref, property: "id" })),
    },
  },
];

/** Returns a program with volumes whose resource names are the indices of their names. */
const volumes = (...names: readonly string[]): Stack => [
  network({ name: "net" }),
  ...names.map((name, index) => ({
    name: `data-${index}`,
    resource: "volume",
    inputs: { vpcId: { ref: "net", property: "id" }, name, sizeGb: 10, volumeType: "ssd" },
  })),
];

for (const kind of ["pulumi", "dynamic"] as const) {
  testWithProject(
    `a replacement of a named object that the engine decides names its cure, and works with it (${kind})`,
    async ({ emulator, project, stored }) => {
      const stack = (more = {}): Stack => [network({ name: "net" }), volume(more)];
      await project.write(kind, stack());
      await project.done(...up);
      const { id, urn } = await stored("data");
      const { code, output } = await project.run([...up, "--replace", urn]);
      expect([code === 0, output.replaceAll(/\s+/g, " ")]).toEqual([
        false,
        expect.stringContaining("If this run replaces it, set the resource option deleteBeforeReplace: true"),
      ]);
      expect((await stored("data")).id).toBe(id);
      expect(emulator.log.counts().delete_volume ?? 0).toBe(0);
      await project.write(kind, stack(), { data: { deleteBeforeReplace: true } });
      await project.done(...up, "--replace", urn);
      const next = await stored("data");
      expect(next.id).not.toBe(id);
      await project.write(kind, stack({ sizeGb: 20 }), { data: { replaceOnChanges: ["sizeGb"] } });
      const replaced = await project.run(up);
      expect([replaced.code, replaced.output]).toEqual([0, expect.stringMatching(/1 replaced/)]);
      expect((await stored("data")).id).not.toBe(next.id);
      expect(emulator.inventory.list().filter(({ name }) => name === "data")).toHaveLength(1);
    },
  );

  testWithProject(
    `volumes whose names shift in a list are renamed in one run, in both directions (${kind})`,
    async ({ project }) => {
      await project.write(kind, volumes("b", "c"));
      await project.done(...up);
      await project.write(kind, volumes("a", "b", "c"));
      expect(await project.done(...up)).toMatch(/\+ 1 created[\s\S]*~ 2 updated/);
      await project.write(kind, volumes("b", "c"));
      expect(await project.done(...up)).toMatch(/~ 2 updated[\s\S]*- 1 deleted/);
      expect(await project.done("preview", "--expect-no-changes")).toContain("unchanged");
    },
  );

  testWithProject(
    `two lists for one port are refused, and both are kept with ignoreChanges (${kind})`,
    async ({ emulator, project }) => {
      const port = () => emulator.inventory.list().find((row) => row.kind === "port")?.uses;
      await project.write(kind, machine("audit"));
      await project.done(...up);
      const set = port();
      await project.done(...refresh);
      // A preview of dynamic classes does not know the port of an instance that changes.
      const { code, output } = await project.run(kind === "dynamic" ? [...up] : ["preview"]);
      expect([code === 0, output.replaceAll(/\s+/g, " ")]).toEqual([
        false,
        expect.stringContaining('Add the option ignoreChanges: ["securityGroups"] to the instance "machine"'),
      ]);
      const ignoring = { machine: { ignoreChanges: ["securityGroups"] } };
      await project.write(kind, machine("audit"), ignoring);
      await project.done("up", "--yes", "--skip-preview", "--refresh");
      expect(port()).toEqual(set);
      expect(await project.done("preview", "--expect-no-changes")).toContain("unchanged");
      await project.write(kind, machine("audit", "web"), ignoring);
      expect(await project.done(...up)).toMatch(/~ 1 updated/);
      expect(port()).toHaveLength(2);
    },
  );
}
