import { expect, test } from "@jest/globals";
import type { Values } from "../../provider/core/value.ts";
import type { Properties } from "../../tools/plugin/pulumi.ts";
import { live, openCloud, requests } from "../support/cloud.ts";
import { openProvider } from "../support/engine/provider.ts";
import { withDriver } from "../support/pulumi/driver.ts";

/** Tests objects that no route deletes: every adapter warns wherever the engine can show a warning. */

const notDeleted = "The API cannot delete a port: it remains until its subnet is deleted.";

/** Creates a port through the Terraform provider; returns its state and its configuration. */
async function openPort() {
  const cloud = openCloud();
  const provider = openProvider(cloud);
  expect(await provider.configure()).toEqual([]);
  const primarySubnet: Values = { name: "first", cidr: "10.0.0.0/24" };
  const vpc = await provider.apply("vpc", { name: "net", primarySubnet });
  const config: Values = {
    vpcId: vpc.values?.id ?? null,
    name: "berth",
    subnetId: live(cloud, "subnet")[0]?.krn ?? null,
  };
  return { cloud, provider, config, port: await provider.apply("port", config) };
}

test("the plan of a destroy and the destroy itself say that nothing is deleted", async () => {
  const { cloud, provider, port } = await openPort();
  expect((await provider.plan("port", undefined, port)).diagnostics).toEqual([
    `warning: The port "berth" will not be deleted: The port "berth" (${String(port.values?.id)}): ${notDeleted}`,
  ]);
  const gone = await provider.apply("port", undefined, port);
  expect([gone.values, gone.diagnostics]).toEqual([
    undefined,
    [
      `warning: No request deleted the port "berth": ${notDeleted} Nothing manages the port "berth" (${String(port.values?.id)}) any more.`,
    ],
  ]);
  expect(live(cloud, "port").map(({ krn }) => krn)).toEqual([port.values?.id]);
});

test("the plan of a replacement says that the old object remains", async () => {
  const { provider, config, port } = await openPort();
  const { replaces, diagnostics } = await provider.plan("port", { ...config, name: "other" }, port);
  expect([replaces, diagnostics]).toEqual([
    ["name"],
    [`warning: The change of name replaces the port "berth": ${notDeleted} (at name)`],
  ]);
});

test("an unchanged object that an engine replaces is retained and resumed", async () => {
  const { cloud, provider, config, port } = await openPort();
  await provider.apply("port", undefined, port);
  const again = await provider.apply("port", config);
  expect([again.values?.id, again.diagnostics]).toEqual([port.values?.id, []]);
  expect(requests(cloud, "create_port")).toHaveLength(1);
});

test("Pulumi shows the warning of a delete", () =>
  withDriver(async (driver) => {
    await driver.configure();
    const make = async (type: string, written: Properties) =>
      driver.create(type, (await driver.check(type, written)).inputs);
    const primarySubnet = { name: "first", cidr: "10.0.0.0/24" };
    const vpc = await make("Vpc", { name: "net", primarySubnet });
    const subnet = driver.emulator.inventory.list().find(({ kind }) => kind === "subnet");
    const port = await make("Port", { vpcId: vpc.id, name: "berth", subnetId: subnet?.krn ?? "" });
    await driver.remove("Port", port);
    await driver.until(() => driver.logged.some(({ severity }) => severity === "WARNING"));
    expect(
      driver.logged.filter(({ severity }) => severity === "WARNING").map(({ message }) => message),
    ).toEqual([
      `No request deleted the port "berth"\n${notDeleted} Nothing manages the port "berth" (${port.id}) any more.`,
    ]);
  }));
