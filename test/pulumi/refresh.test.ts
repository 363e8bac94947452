import { expect } from "@jest/globals";
import { createEmulator } from "../../emulator/emulator.ts";
import { network, refresh, testWithProject, up, volume } from "../support/engine/stack.ts";

/** Refreshes of the real engine while names and keys resemble others, and while listings are late or of another account. */

for (const kind of ["pulumi", "dynamic"] as const)
  testWithProject(
    `a refresh and the removal of an object whose key looks like an import id do not affect the other object (${kind})`,
    async ({ emulator, project, stored }) => {
      const program = (own: string) => `
        const { Bucket, ObjectResource } = require("@kcloud/iac/${kind}");
        const data = new Bucket("data", { name: "data" });
        const other = new Bucket("other", { name: "other" });
        new ObjectResource("twin", { bucketId: other.id, key: "report.csv", content: "theirs" });
        ${own}`;
      const own = 'const key = other.id.apply((id) => id + ",report.csv");';
      await project.program(
        program(`${own} new ObjectResource("own", { bucketId: data.id, key, content: "ours" });`),
      );
      await project.done(...up);
      const before = await stored("own");
      await project.done(...refresh);
      expect((await stored("own")).outputs).toEqual(before.outputs);
      await project.done("preview", "--refresh", "--expect-no-changes");
      await project.program(program(""));
      await project.done(...up);
      const left = emulator.inventory.list().filter(({ kind }) => kind === "object");
      expect(left.map(({ name }) => name)).toEqual(["report.csv"]);
    },
    {},
    {
      SERVICE_ACCOUNT_ID: "000000000000",
      SERVICE_ACCESS_KEY: "emulator-access-key",
      SERVICE_SECRET_KEY: "emulator-secret-key",
    },
  );

for (const kind of ["pulumi", "dynamic"] as const)
  testWithProject(
    `a refresh and the removal of a batch with the name of an instance of another batch do not affect that batch (${kind})`,
    async ({ emulator, project }) => {
      const id = (ref: string) => ({ ref, property: "id" });
      const image = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";
      const place = { vpcId: id("net"), subnetId: id("lan"), securityGroups: [id("web")] };
      const bootVolume = { imageKrn: image, sizeGb: 10, volumeType: "ssd" };
      const size = { instanceType: "c1.small", sshkeyName: "demo-key", bootVolume };
      const batch = (name: string, machineCount: number) => ({
        name,
        resource: "instance-batch",
        inputs: { vpcId: id("net"), name, templateId: id("small"), machineCount },
      });
      const around = [
        network(),
        { name: "lan", resource: "subnet", inputs: { vpcId: id("net"), name: "lan", cidr: "10.0.9.0/24" } },
        { name: "web", resource: "security-group", inputs: { vpcId: id("net"), name: "web" } },
        { name: "small", resource: "instance-template", inputs: { name: "small", ...place, ...size } },
      ];
      const machines = () =>
        emulator.inventory
          .list()
          .flatMap(({ kind, name, deletingAt }) =>
            kind === "instance" && deletingAt === undefined ? [name] : [],
          );
      await project.write(kind, [...around, batch("web", 11)]);
      await project.done(...up);
      await project.write(kind, [...around, batch("web", 11), batch("web-1", 1)]);
      await project.done(...up);
      await project.done("preview", "--refresh", "--expect-no-changes");
      expect(machines()).toHaveLength(12);
      await project.write(kind, [...around, batch("web", 11)]);
      await project.done(...up);
      expect(machines()).toHaveLength(11);
      expect(machines()).not.toContain("web-1-1");
    },
  );

for (const kind of ["pulumi", "dynamic"] as const)
  testWithProject(
    `a refresh keeps objects that a late listing does not show, and all objects with credentials of another account (${kind})`,
    async ({ emulator, project }) => {
      const vpcId = { ref: "net", property: "id" };
      const group = { vpcId, name: "web", description: "Web" };
      await project.write(kind, [
        network(),
        volume(),
        { name: "web", resource: "security-group", inputs: group },
      ]);
      await project.done(...up);
      const resources = async () =>
        (await project.state()).map(({ urn, id, inputs, outputs }) => ({ urn, id, inputs, outputs }));
      const before = await resources();
      const unchanged = ["refresh", "--yes", "--skip-preview", "--expect-no-changes"];
      for (const seconds of ["3600", "0"]) {
        const { code, output } = await project.run(unchanged, {
          environment: { SERVICE_SETTLE_SECONDS: seconds },
        });
        expect([code, output]).toEqual([0, expect.anything()]);
      }
      emulator.configure({ listingLagMs: 3_600_000 });
      const late = await project.run(unchanged, { environment: { SERVICE_SETTLE_SECONDS: "3600" } });
      expect([late.code, late.output]).toEqual([0, expect.stringContaining("is not shown yet")]);
      const other = createEmulator({ account: "222222222222" });
      const theirs = await other.listen();
      try {
        const environment = { SERVICE_BASE_URL: theirs.url, SERVICE_SETTLE_SECONDS: "0" };
        const unknown = await project.run(refresh, { environment });
        expect(unknown.code).not.toBe(0);
        expect(unknown.output).toContain("Set accountId to the account number of the credentials");
        const foreign = await project.run(refresh, {
          environment: { ...environment, SERVICE_ACCOUNT_ID: "222222222222" },
        });
        expect(foreign.code).not.toBe(0);
        expect(foreign.output).toContain(
          "to account 222222222222, the object belongs to account 000000000000",
        );
      } finally {
        await theirs.close();
      }
      expect(await resources()).toEqual(before);
    },
  );
