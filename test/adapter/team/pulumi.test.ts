import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type Engine, ensureEngine } from "../../../tools/engines/engine.ts";
import { compileCache } from "../../support/engine/pulumi.ts";
import { received } from "../../support/received.ts";
import { openGuide } from "./guide.ts";
import { testReview } from "./review.ts";
import { type Machine, openTeam, root, type Team } from "./team.ts";

/** Runs every command of docs/work-in-a-team.md with Pulumi. */

const volumes = ["orders", "archive", "queue"];

const program = (names: readonly string[]) => ({
  "package.json": `{ "name": "shop", "private": true }`,
  "Pulumi.yaml": `name: shop
runtime:
  name: nodejs
  options:
    typescript: false
main: index.cjs
plugins:
  providers:
    - name: kcloud
      path: ${join(root, "dist")}
`,
  "index.cjs": `const { Volume, Vpc } = require("@kcloud/iac/pulumi");
const shop = new Vpc("shop", { name: "shop" });
for (const name of ${JSON.stringify(names)})
  new Volume(name, { vpcId: shop.id, name, sizeGb: 20, volumeType: "ssd" });
`,
});

const up = "pulumi up --yes";

describe("a team with Pulumi", () => {
  let engine: Engine;
  let team: Team;

  beforeAll(async () => {
    engine = await ensureEngine("pulumi");
    team = await openTeam(await openGuide("Pulumi"), {});
  });
  afterEach(() => team.reset());
  afterAll(() => team.close());

  const open = (name: string, more: Readonly<Record<string, string>> = {}): Promise<Machine> =>
    team.machine(name, {
      ...engine.env,
      ...compileCache,
      PULUMI_HOME: ".pulumi",
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_OPTION_NON_INTERACTIVE: "true",
      PULUMI_OPTION_COLOR: "never",
      ...more,
    });

  const exportPassword = (machine: Machine) => machine.done(`export PGPASSWORD=${team.postgres.password}`);

  /** Opens a machine that is logged in to the shared backend. */
  async function openShared(name: string, names: readonly string[]): Promise<Machine> {
    const machine = await open(name);
    await machine.write(program(names));
    await exportPassword(machine);
    await machine.done(`pulumi login ${team.postgres.url}`);
    return machine;
  }

  /** Opens two machines on one new stack. */
  async function openBoth(): Promise<[Machine, Machine]> {
    const ann = await openShared("ann", volumes);
    await ann.done("pulumi stack init dev");
    const bob = await openShared("bob", volumes);
    await bob.done("pulumi stack select dev");
    return [ann, bob];
  }

  /** Returns the ids in the state. */
  async function recorded(machine: Machine): Promise<string[]> {
    const { deployment } = JSON.parse(await machine.sh("pulumi stack export")) as {
      deployment: { resources: { type: string; id?: string }[] };
    };
    return deployment.resources
      .flatMap(({ type, id }) => (type.startsWith("kcloud:") && id ? [id] : []))
      .toSorted();
  }

  test("a stack is moved from one machine into the backend, and another machine previews no change", async () => {
    const ann = await open("ann");
    await ann.write(program([]));
    await ann.sh("pulumi login file://.");
    await ann.done("pulumi stack init dev");
    await ann.done(up);
    await ann.done("pulumi stack export --show-secrets --file stack.json");
    await exportPassword(ann);
    await ann.done(`pulumi login ${team.postgres.url}`);
    await ann.done("pulumi stack init dev");
    await ann.done("pulumi stack import --file stack.json");
    await ann.done("rm stack.json");
    const bob = await openShared("bob", []);
    await ann.sh(`cp Pulumi.dev.yaml ${bob.path}`);
    await bob.done("pulumi stack select dev");
    await bob.done("pulumi preview --expect-no-changes");
    expect(await recorded(bob)).toEqual(team.existing());
    expect(team.existing()).toHaveLength(1);
  });

  test("of two concurrent applies, one is rejected with the process that holds the lock", async () => {
    const [ann, bob] = await openBoth();
    team.emulator.faults.add({ target: "create_volume", kind: "delay", delayMs: 500 });
    const first = ann.start(up);
    await first.until(received(team.emulator, "create_volume", 3));
    first.signal("SIGSTOP");
    const refused = await bob.run(up);
    expect(refused).toEqual({ code: 1, output: expect.stringContaining(team.guide.block("text")) });
    expect(refused.output).toContain(`(pid ${first.pid})`);
    first.signal("SIGCONT");
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(await bob.done(up)).toMatch(/5 unchanged/);
    expect(team.emulator.log.counts()).toMatchObject({ create_vpc: 1, create_volume: 3 });
    expect(await recorded(bob)).toEqual(team.existing());
  });

  test("after an apply was killed, cancel releases the lock, and the next apply creates nothing twice and loses nothing", async () => {
    const [ann, bob] = await openBoth();
    team.emulator.faults.add({ target: "create_volume", kind: "delay", when: "after", delayMs: 60_000 });
    const killed = ann.start(up);
    await killed.until(received(team.emulator, "create_volume", 3));
    killed.signal("SIGKILL");
    expect(await killed.ended).toMatchObject({ code: null });
    team.emulator.faults.clear();
    const before = team.existing();
    expect(before).toHaveLength(4);
    // The VPC was saved before the creates of the volumes began.
    expect(await recorded(bob)).toEqual(before.filter((krn) => krn.startsWith("krn:vpc:")));

    expect((await bob.run(up)).output).toContain(`(pid ${killed.pid})`);
    await bob.done("pulumi cancel --yes");
    const { code, output } = await bob.run(up);
    expect(code).not.toBe(0);
    const imports = [...output.matchAll(/\(pulumi import kcloud:index:Volume NAME '(krn:[^']+)'/g)];
    expect(imports).toHaveLength(3);
    const orders = team.emulator.inventory.list().find(({ name }) => name === "orders");
    const id = imports.map(([, found = ""]) => found).find((found) => found.endsWith(String(orders?.krn)));
    await bob.done(
      `pulumi import kcloud:index:Volume orders '${id}' --yes --protect=false --generate-code=false`,
    );
    expect(await recorded(bob)).toHaveLength(2);
    await bob.done("SERVICE_ADOPT_EXISTING=true pulumi up --refresh --yes");
    await bob.done("pulumi preview --refresh --expect-no-changes");
    expect(team.existing()).toEqual(before);
    expect(await recorded(bob)).toEqual(before);
    expect(team.emulator.log.counts()).toMatchObject({ create_vpc: 1, create_volume: 3 });
  });

  testReview(() => ({
    team,
    async open(name) {
      const variables = { ENGINE: "pulumi", PULUMI_BACKEND_URL: team.postgres.url, PULUMI_STACK: "dev" };
      const machine = await open(name, variables);
      await exportPassword(machine);
      return machine;
    },
    write: (machine, names) => machine.write(program(names)),
    prepare: (machine) => machine.done("pulumi stack init dev"),
    apply: (machine) => machine.done(up),
  }));

  test("every command of the guide ran", () => expect(team.guide.left()).toEqual([]));
});
