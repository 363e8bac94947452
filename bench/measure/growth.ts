import { redactor } from "../../provider/client/client.ts";
import { UNKNOWN, type Values } from "../../provider/core/value.ts";
import { holdersFor, planObject } from "../../provider/engine/engine.ts";
import { cloud, instanceBody, makePort, makeSite, makeVpc } from "../../test/emulator/client.ts";
import { openCloud, resource } from "../../test/support/cloud.ts";
import { interleave, type Measure, ratio } from "../measure.ts";

type Task = () => Promise<unknown>;

/** Number of calls of a task in one sample. */
const repeats = 10;

/** Returns the duration of `repeats` calls of a task in ms. */
async function timed(task: Task): Promise<number> {
  const began = performance.now();
  for (let repeat = 0; repeat < repeats; repeat++) await task();
  return performance.now() - began;
}

/** Returns a task that plans objects of a kind with `adopt_existing`. */
function planned(kind: string, valuesOf: (nth: number) => Values): (count: number) => Promise<Task> {
  const of = resource(kind);
  return async (count) => async () => {
    const { session } = openCloud({}, { adoptExisting: true });
    const all = Array.from({ length: count }, (_, nth) => valuesOf(nth));
    for (const values of all) {
      planObject(session, of, { id: undefined, values }, { owner: undefined });
      holdersFor(session, of, { ...values, vpcId: UNKNOWN }, {});
    }
  };
}

const vpcId = "krn:vpc:In-Bangalore-1:000000000000:y:vpc:1";

/** Returns a task that lists the volumes of a VPC. */
async function volumes(count: number): Promise<Task> {
  const emulator = cloud({ taskMs: 0 });
  const headers = { "k-tenant-id": await makeVpc(emulator, "net") };
  for (let nth = 0; nth < count; nth++) {
    const body = { name: `v${nth}`, size: 1, volumetype: "ssd", availability_zone: "nova" };
    await emulator.call("POST /kbs/v1/volumes", { body, headers });
  }
  return () => emulator.call("GET /kbs/v1/volumes", { headers });
}

/** Returns a task that searches the instances of a VPC, whose volumes the emulator joins. */
async function instances(count: number): Promise<Task> {
  const emulator = cloud({ taskMs: 0 });
  const site = await makeSite(emulator, "net", "10.0.0.0/16");
  await emulator.call("POST /vm/v1/create_instance_async", { body: instanceBody(site, { count }) });
  return () => emulator.call(`GET /vm/v1/search_instances?vpc_id=${site.vpc}&limit=100&page=1`);
}

/** Returns a task that searches ports. */
async function ports(count: number): Promise<Task> {
  const emulator = cloud();
  const site = await makeSite(emulator, "net", "10.0.0.0/16");
  for (let nth = 0; nth < count; nth++) await makePort(emulator, site, "many");
  return () => emulator.call("GET /v1/highlvlvpc/search_port?page=1&size=100");
}

/** Returns a task that redacts these secrets in a text with escapes and base64. */
const redacted =
  (secretsOf: (count: number) => readonly string[], textOf: (count: number) => string) =>
  async (count: number): Promise<Task> => {
    const [secrets, text] = [secretsOf(count), textOf(count)];
    return async () => redactor(secrets)(text);
  };

const script = (nth: number, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `export TOKEN_${nth}_${line}=${nth * 7919 + line * 31}\n`).join(
    "",
  );
const scripts = (count: number) => Array.from({ length: count }, (_, nth) => script(nth, 2));
const message = (count: number): string =>
  `the line ${script(1, 1)} &quot;%5Cu0041${"QUJDREVGabcdefgh"} of `.repeat(count);

interface Subject {
  readonly what: string;
  readonly few: number;
  readonly many: number;
  task(count: number): Promise<Task>;
}

const subjects: readonly Subject[] = [
  {
    what: "volumes planned",
    few: 60,
    many: 600,
    task: planned("volume", (nth) => ({ name: `n-${nth}`, vpcId, sizeGb: 1, volumeType: "ssd" })),
  },
  {
    what: "subnets planned",
    few: 60,
    many: 600,
    task: planned("subnet", (nth) => ({ name: `n-${nth}`, vpcId, cidr: `10.${nth >> 8}.${nth & 255}.0/24` })),
  },
  { what: "parts of a text redacted", few: 100, many: 1000, task: redacted(() => scripts(5), message) },
  { what: "secrets redacted", few: 100, many: 1000, task: redacted(scripts, () => message(1)) },
  {
    what: "lines of a secret redacted",
    few: 100,
    many: 1000,
    task: redacted(
      (count) => [script(1, count)],
      () => message(1),
    ),
  },
  { what: "volumes listed by the emulator", few: 600, many: 3000, task: volumes },
  { what: "instances searched in the emulator", few: 100, many: 500, task: instances },
  { what: "ports searched in the emulator", few: 200, many: 1000, task: ports },
];

/** Growth of work with the number of objects, to detect quadratic work. */
export const growth: Measure = {
  name: "growth",
  about: "plans, redaction and the emulator's listings by number of objects",
  async run(bench) {
    const rounds = bench.rounds(9);
    for (const { what, few, many, task } of subjects) {
      bench.step(what);
      const [small, large] = [await task(few), await task(many)];
      const samples = await interleave(rounds, {
        small: () => timed(small),
        large: () => timed(large),
      });
      // Work for each pair of objects would grow quadratically.
      const goal = 2.5 * (many / few);
      bench.report({
        what: `${many} ÷ ${few} ${what}`,
        unit: "×",
        samples: ratio(samples.large, samples.small),
        goal,
      });
    }
  },
};
