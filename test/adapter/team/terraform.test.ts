import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Fault } from "../../../emulator/fault/fault.ts";
import { terraformSource } from "../../../provider/core/name.ts";
import { type Engine, ensureEngine, findTerraform } from "../../../tools/engines/engine.ts";
import { openFolder } from "../../support/engine/terraform.ts";
import { received } from "../../support/received.ts";
import { openGuide } from "./guide.ts";
import { testReview } from "./review.ts";
import { type Machine, openTeam, type Running, type Team } from "./team.ts";

/** Runs every command of docs/work-in-a-team.md with Terraform and OpenTofu. */

const volumes = ["orders", "archive", "queue"];

const configuration = (names: readonly string[]) => ({
  "main.tf": `terraform {
  required_providers {
    kcloud = { source = "${terraformSource}" }
  }
}

resource "kcloud_vpc" "shop" {
  name = "shop"
}
${names
  .map(
    (name) => `
resource "kcloud_volume" "${name}" {
  vpc_id      = kcloud_vpc.shop.id
  name        = "${name}"
  size_gb     = 20
  volume_type = "ssd"
}
`,
  )
  .join("")}`,
});

/** The `terraform` on PATH, if any: the pinned one is built without its backends. */
const terraform = await findTerraform();
const engines: readonly (readonly [string, string, Engine])[] = [
  ["OpenTofu", "tofu", await ensureEngine("opentofu")],
  ...(terraform === undefined ? [] : [["Terraform", "terraform", terraform] as const]),
];

const apply = "terraform apply -auto-approve";
const plan = "terraform plan -detailed-exitcode";

describe.each(engines)("a team with %s", (_, command, engine) => {
  let team: Team;

  beforeAll(async () => {
    team = await openTeam(await openGuide("Terraform and OpenTofu"), { [command]: engine.path }, (line) =>
      line.replaceAll("terraform ", `${command} `),
    );
  });
  afterEach(() => team.reset());
  afterAll(() => team.close());

  /** Opens a machine that has the provider in a mirror. */
  async function open(name: string, more: Readonly<Record<string, string>> = {}): Promise<Machine> {
    const machine = await team.machine(name, {
      ...engine.env,
      PGAPPNAME: name,
      TF_CLI_CONFIG_FILE: ".mirror/engine.rc",
      TF_INPUT: "0",
      TF_CLI_ARGS: "-no-color",
      CHECKPOINT_DISABLE: "1",
      ...more,
    });
    await openFolder(engine, machine.path, {});
    return machine;
  }

  const backend = () => ({ "backend.tf": team.guide.block("hcl") });

  /** Sets the address and the password of the backend on a machine. */
  async function exportAddress(machine: Machine): Promise<void> {
    await machine.done(`export PG_CONN_STR=${team.postgres.url}`);
    await machine.done(`export PGPASSWORD=${team.postgres.password}`);
  }

  /** Opens a machine that works on the shared state. */
  async function openShared(name: string, names: readonly string[]): Promise<Machine> {
    const machine = await open(name);
    await machine.write({ ...configuration(names), ...backend() });
    await exportAddress(machine);
    await machine.done("terraform init");
    return machine;
  }

  /** Returns the ids in the state. */
  async function recorded(machine: Machine): Promise<string[]> {
    const { values } = JSON.parse(await machine.sh(`${command} show -json`)) as {
      values: { root_module: { resources: { values: { id: string } }[] } };
    };
    return values.root_module.resources.map(({ values: { id } }) => id).toSorted();
  }

  /** Returns the names of the machines that hold a lock. */
  const holders = async () =>
    (await team.postgres.query(team.guide.block("sql", "pg_locks"))).map((row) => row.application_name);

  /** Starts an apply of three volumes, whose creates are delayed; returns when all three were received. */
  async function startApply(machine: Machine, delay: Partial<Fault>): Promise<Running> {
    team.emulator.faults.add({ target: "create_volume", kind: "delay", ...delay });
    await machine.write(configuration(volumes));
    const running = machine.start(apply);
    await running.until(received(team.emulator, "create_volume", 3));
    return running;
  }

  test("a state is moved from one machine into the backend, and another machine plans no change", async () => {
    const ann = await open("ann");
    await ann.write(configuration([]));
    await ann.done("terraform init");
    await ann.done(apply);
    await ann.write(backend());
    await exportAddress(ann);
    await ann.done("export PGAPPNAME=ann");
    await ann.done("terraform init -migrate-state -force-copy");
    const bob = await openShared("bob", []);
    expect(await bob.run(plan)).toMatchObject({ code: 0 });
    expect(await recorded(bob)).toEqual(team.existing());
    expect(team.existing()).toHaveLength(1);
  });

  test("of two concurrent applies, one is rejected, the server names the holder, and a waiting one gets the lock", async () => {
    const ann = await openShared("ann", []);
    await ann.done(apply);
    const bob = await openShared("bob", volumes);
    const first = await startApply(ann, { delayMs: 500, times: 3 });
    first.signal("SIGSTOP");
    const refused = await bob.run(apply);
    expect(refused).toEqual({ code: 1, output: expect.stringContaining(team.guide.block("text")) });
    expect(await holders()).toEqual(["ann"]);
    const second = bob.start(`${apply} -lock-timeout=10m`);
    await second.printed(/Acquiring state lock/);
    first.signal("SIGCONT");
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(await second.ended).toEqual({
      code: 0,
      output: expect.stringContaining("0 added, 0 changed, 0 destroyed"),
    });
    expect(team.emulator.log.counts()).toMatchObject({ create_vpc: 1, create_volume: 3 });
    expect(await recorded(bob)).toEqual(team.existing());
    expect(await holders()).toEqual([]);
  });

  test("after an apply was killed, the lock is free, and the next apply creates nothing twice and loses nothing", async () => {
    const ann = await openShared("ann", []);
    await ann.done(apply);
    const bob = await openShared("bob", volumes);
    const killed = await startApply(ann, { delayMs: 60_000, from: 2, times: 2, when: "after" });
    await killed.printed(/kcloud_volume\.\w+: Creation complete/);
    expect(await holders()).toEqual(["ann"]);
    killed.signal("SIGKILL");
    expect(await killed.ended).toMatchObject({ code: null });
    const before = team.existing();
    expect(before).toHaveLength(4);
    expect(await recorded(bob)).toHaveLength(1);

    // The state lacks the volume whose create was complete, too. The errors name all three.
    const { code, output } = await bob.run(apply);
    expect(code).toBe(1);
    const imports = [...output.matchAll(/\(terraform\s+import\s+kcloud_volume\.NAME\s+'(krn:\S+)'/g)];
    expect(imports).toHaveLength(3);
    const orders = team.emulator.inventory.list().find(({ name }) => name === "orders");
    const id = imports.map(([, found = ""]) => found).find((found) => found.endsWith(String(orders?.krn)));
    await bob.done(`terraform import kcloud_volume.orders '${id}'`);
    expect(await recorded(bob)).toHaveLength(2);
    await bob.done(`SERVICE_ADOPT_EXISTING=true ${apply}`);
    expect(await bob.run(plan)).toMatchObject({ code: 0 });
    expect(team.existing()).toEqual(before);
    expect(await recorded(bob)).toEqual(before);
    expect(team.emulator.log.counts()).toMatchObject({ create_vpc: 1, create_volume: 3 });
  });

  test("the lock of a machine that no longer responds is released with its connection; an apply that continues overwrites the state", async () => {
    const ann = await openShared("ann", []);
    await ann.done(apply);
    const bob = await openShared("bob", ["extra"]);
    const silent = await startApply(ann, { delayMs: 500, times: 3 });
    silent.signal("SIGSTOP");
    const refused = await bob.run(plan);
    expect(refused).toEqual({ code: 1, output: expect.stringContaining(team.guide.block("text")) });
    const [, id] = /ID: +(\S+)/.exec(refused.output) ?? [];
    expect(await bob.done(`terraform force-unlock -force ${id}`)).toContain("successfully unlocked");
    expect(await bob.run(plan)).toMatchObject({ code: 1 });
    await team.postgres.query(team.guide.block("sql", "pg_terminate_backend"));
    expect(await holders()).toEqual([]);
    await bob.done(apply);
    const [extra] = (await recorded(bob)).filter((krn) => krn.includes(":volume:"));
    silent.signal("SIGCONT");
    expect(await silent.ended).toMatchObject({ code: 0 });
    expect(await recorded(bob)).toEqual(team.existing().filter((krn) => krn !== extra));
    await bob.write(configuration([...volumes, "extra"]));
    await bob.done(`SERVICE_ADOPT_EXISTING=true ${apply}`);
    expect(await recorded(bob)).toEqual(team.existing());
    expect(team.emulator.log.counts()).toMatchObject({ create_vpc: 1, create_volume: 4 });
  });

  test("a plan file is rejected after another machine has changed the state", async () => {
    const ann = await openShared("ann", []);
    const bob = await openShared("bob", []);
    await ann.sh(`${command} plan -out=planned`);
    await bob.done(apply);
    await expect(ann.sh(`${command} apply planned`)).rejects.toThrow("Saved plan is stale");
    expect(team.emulator.log.counts()).toMatchObject({ create_vpc: 1 });
  });

  testReview(() => ({
    team,
    async open(name) {
      const machine = await open(name, { ENGINE: command });
      await exportAddress(machine);
      return machine;
    },
    write: async (machine, names) => {
      await machine.write({ ...configuration(names), ...backend() });
    },
    prepare: (machine) => machine.done("terraform init"),
    apply: (machine) => machine.done(apply),
  }));

  test("every command of the guide ran", () => expect(team.guide.left()).toEqual([]));
});
