import { expect, test } from "@jest/globals";
import { engine } from "../../provider/engine/engine.ts";
import { onlyFillsImport } from "../../provider/pulumi/pulumi.ts";
import { lifecycleCases } from "../adapter/lifecycle/lifecycle.ts";
import { resource } from "../support/cloud.ts";
import { createEveryKind, openEveryKind } from "../support/every-kind.ts";
import { configured } from "../support/pulumi/driver.ts";

/** Programs with values that an import left empty: Pulumi plans no change, stores them as inputs, and compares them from then on. */

const cloud = openEveryKind();
const made = await createEveryKind(cloud);
const vpcId = made.find(({ kind }) => kind === "vpc")?.state.id ?? "";

/** Returns the first difference after an import of a kind with the inputs of its lifecycle. */
async function afterImport(kind: string): Promise<string | undefined> {
  const { importId } = lifecycleCases.find((each) => each.resource === kind) ?? {};
  const one = made.findLast((each) => each.kind === kind);
  if (one === undefined || importId === null || importId === undefined) return undefined;
  const id = importId(one.state.id ?? "", String(one.inputs.vpcId ?? vpcId), one.inputs as never);
  const session = cloud.reopen();
  const state = await cloud.run(engine.import(session, resource(kind), id, cloud.call));
  const plan = engine.plan(resource(kind), state, one.inputs, session);
  if (plan.action === "none" || onlyFillsImport(resource(kind), state, plan)) return "no change";
  return `${plan.action} ${plan.changes.map(({ path }) => path.join(".")).join(", ")}`;
}

test("after an import, Pulumi plans an update only of what a step without a change would not record", async () => {
  const rows: [string, string][] = [];
  for (const { resource: kind } of lifecycleCases) {
    const row = await afterImport(kind);
    if (row !== undefined && row !== "no change") rows.push([kind, row]);
  }
  // The state alone has the content, and an update selects the id of the primary subnet.
  expect(rows).toEqual([
    ["document-information", "update language, fileType, content, checksum, entities"],
    ["document-masking", "update language, fileType, content, checksum, keysToMask"],
    ["document-summary", "update language, fileType, content, checksum, wordCountForSummarization"],
    ["document-text", "update language, fileType, content, checksum"],
    ["object", "update content, checksum"],
    ["vpc", "update primarySubnet"],
  ]);
});

test("a value that a step without a change stored is compared, refreshed and deleted as a recorded one", async () => {
  await configured(async ({ check, create, diff, read, remove, emulator, logged }) => {
    const type = "SecurityGroupRule";
    const vpc = await create("Vpc", (await check("Vpc", { name: "net" })).inputs);
    const group = await create(
      "SecurityGroup",
      (await check("SecurityGroup", { vpcId: vpc.id, name: "web" })).inputs,
    );
    const program = {
      ...{ vpcId: vpc.id, securityGroupId: group.id, direction: "ingress", protocol: "tcp" },
      ...{ portRangeMin: 80, portRangeMax: 80, remoteIpPrefix: "0.0.0.0/0" },
    };
    const { inputs } = await check(type, program);
    const { id } = await create(type, inputs);
    const imported = await read(type, `${vpc.id},${id}`);
    const outputs = imported.properties;
    expect(outputs).not.toHaveProperty("direction");
    const compare = (news: object, stored: object) => diff(type, outputs, news as never, id, stored as never);
    await check(type, program);
    expect((await compare(inputs, imported.inputs ?? {})).changes).toBe("DIFF_NONE");
    expect(logged.filter(({ message }) => message.includes("Not compared"))).toHaveLength(1);
    // The engine has stored the inputs of the program, and kept the outputs.
    expect((await compare(inputs, inputs)).changes).toBe("DIFF_NONE");
    expect(await compare({ ...inputs, portRangeMax: 443 }, inputs)).toMatchObject({
      changes: "DIFF_SOME",
      replaces: ["portRangeMax"],
    });
    const refreshed = await read(type, id, outputs, inputs);
    expect(refreshed.properties).toMatchObject({ direction: "ingress", portRangeMax: 80 });
    expect(refreshed.inputs).toMatchObject({ direction: "ingress", portRangeMax: 80 });
    await remove(type, { id, properties: outputs });
    expect(emulator.inventory.list().filter(({ kind }) => kind === "security_group_rule")).toEqual([]);
  });
});
