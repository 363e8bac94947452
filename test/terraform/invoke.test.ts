import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "@jest/globals";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { openSite } from "../support/engine/open-site.ts";
import { flat } from "../support/engine/site.ts";
import { configure, type Folder } from "../support/engine/terraform.ts";
import { machineStatus, makeMachine } from "../support/machine.ts";

/** Actions with the real Terraform; no other engine supports them. */

const terraform = await ensureEngine("terraform");

const site = openSite({ taskMs: 100 });
const { emulator } = site;
let folder: Folder;
let machine: string;

const net = { name: "net", primary_subnet: { name: "first", cidr: "10.0.0.0/24" } };
const actions = (instance_id: string) =>
  Object.fromEntries(
    ["start", "stop", "restart"].map((verb) => [
      `kcloud_instance_${verb}`,
      { web: { config: { instance_id } } },
    ]),
  );
const write = (configuration: object) => configure(folder, configuration);
const run = (args: readonly string[], interruptAfter?: Promise<void>) =>
  folder.run([...args, "-no-color"], interruptAfter === undefined ? {} : { interruptAfter });
const invoke = (verb: string, interruptAfter?: Promise<void>) =>
  run(["apply", "-auto-approve", `-invoke=action.kcloud_instance_${verb}.web`], interruptAfter);

beforeEach(async () => {
  folder = await site.open(terraform);
  await write({ resource: { kcloud_vpc: { net } } });
  for (const args of [["init"], ["apply", "-auto-approve"]])
    expect(await run(args)).toMatchObject({ code: 0 });
  const vpc = emulator.inventory.list().find(({ kind }) => kind === "vpc")?.krn ?? "";
  machine = await makeMachine(emulator, vpc, () => emulator.clock.sleep(20));
  await write({ resource: { kcloud_vpc: { net } }, action: actions(machine) });
});
test("an invoked action shows its progress and its result", async () => {
  emulator.configure({ taskMs: 1_000 });
  const stopped = await invoke("stop");
  expect([stopped.code, stopped.output]).toEqual([
    0,
    expect.stringMatching(/ACTIVE, requested, 0 s[\s\S]*STOPPING, 1 s/),
  ]);
  expect(await machineStatus(emulator, machine)).toBe("SHUTOFF");
  expect(await invoke("start")).toMatchObject({ code: 0 });
  expect(await machineStatus(emulator, machine)).toBe("ACTIVE");
  const again = await invoke("start");
  expect([again.code, again.output]).toEqual([0, expect.stringContaining("already ACTIVE")]);
});

test("an action is triggered by a change of a resource, and its error fails the run", async () => {
  const triggered = (verb: string, input: string) => ({
    resource: {
      kcloud_vpc: { net },
      terraform_data: {
        release: {
          input,
          lifecycle: {
            action_trigger: {
              events: ["after_create", "after_update"],
              actions: [`action.kcloud_instance_${verb}.web`],
            },
          },
        },
      },
    },
    action: actions(machine),
  });
  emulator.configure({ taskMs: 1_000 });
  await write(triggered("restart", "one"));
  const restarted = await run(["apply", "-auto-approve"]);
  expect([restarted.code, restarted.output]).toEqual([0, expect.stringContaining("REBOOT")]);
  emulator.faults.add({ target: "control_instance", kind: "403", when: "before" });
  await write(triggered("stop", "two"));
  const refused = await run(["apply", "-auto-approve"]);
  expect(refused.code).toBe(1);
  expect(flat(refused.output)).toContain("Stopping the instance failed");
  expect(flat(refused.output)).toContain("The API rejected the request.");
  expect(await machineStatus(emulator, machine)).toBe("ACTIVE");
});

test("the example stops a machine on request, and restarts it with a release", async () => {
  await rm(join(folder.path, "main.tf.json"));
  await rm(join(folder.path, "terraform.tfstate"));
  await cp(fileURLToPath(new URL("../../examples/action", import.meta.url)), folder.path, {
    recursive: true,
  });
  const apply = (...args: string[]) =>
    run(["apply", "-auto-approve", `-var=instance_id=${machine}`, ...args]);
  expect(await apply()).toMatchObject({ code: 0 });
  const released = await apply("-var=release=2");
  expect([released.code, released.output]).toEqual([0, expect.stringContaining("ACTIVE, requested, 0 s")]);
  expect(await machineStatus(emulator, machine)).toBe("ACTIVE");
  expect(await apply("-invoke=action.kcloud_instance_stop.web")).toMatchObject({ code: 0 });
  expect(await machineStatus(emulator, machine)).toBe("SHUTOFF");
});

test("an invalid action is reported in the plan, and nothing is sent", async () => {
  const before = emulator.log.entries({ operation: "control_instance" }).length;
  await write({ action: actions("krn:vpc:r:a:c:vpc:1") });
  const { code, output } = await run(["validate"]);
  expect(code).toBe(1);
  expect(flat(output)).toContain("instance_id: is the ID of a VPC, but the ID of an instance is required");
  expect(flat(output)).toContain("on main.tf.json line 1, in action.kcloud_instance_start.web");
  expect(emulator.log.entries({ operation: "control_instance" })).toHaveLength(before);
});

test("Ctrl-C ends an action without another poll and reports the known status", async () => {
  const taskMs = 120_000;
  emulator.configure({ taskMs });
  let pressed = 0;
  let polled = 0;
  const polls = () => {
    const operations = emulator.log.entries().map(({ operation }) => operation);
    return operations.slice(operations.indexOf("control_instance")).filter((name) => name === "get_instance");
  };
  // Triggered by requests: an interrupt at the moment of a progress line makes the engine exit before the last message.
  const asked = (async () => {
    while (emulator.log.entries({ operation: "control_instance" }).length === 0 || polls().length < 3)
      await emulator.clock.sleep(20);
    pressed = Date.now();
    polled = polls().length;
  })();
  const { code, output } = await invoke("stop", asked);
  // One poll may be in flight when the signal arrives; the task itself takes much longer.
  expect(polls().length).toBeLessThanOrEqual(polled + 1);
  expect(Date.now() - pressed).toBeLessThan(taskMs / 2);
  expect(code).toBe(1);
  expect(flat(output)).toContain("The action may have been executed.");
});
