import { test } from "@jest/globals";
import { live } from "../../support/cloud.ts";
import { openWorld, rewriting, runLifecycle, type World } from "./full-lifecycle.ts";

const names = [
  "with spaces and a tab\t",
  " beginning and ending with one ",
  "a/b\\c?d=e&f#g%h%2Fi+j",
  "\"quoted\" 'twice' `and` $(again) ${x} <b>&amp;</b>",
  "krn:vpc:In-Bangalore-1:1:2:vpc:3",
  "a,b:c;d|e",
  "..",
  "__proto__",
  "constructor",
  "null",
  "0",
  "ПРИВЕТ 你好 नमस्ते",
  "e\u0301 and é",
  "👩‍👩‍👧 \u200b\u202eright",
  "x".repeat(255),
];

test.each(names)("every object with a name may have the name %j", async (name) => {
  const world = await openWorld({ taskMs: 0 });
  for (const [noun, inputs] of Object.entries(world.kinds)) await runLifecycle(world, noun, inputs(name));
});

test.each([
  ["NFC", "NFD"],
  ["NFD", "NFC"],
] as const)("a name written in %s that the API returns in %s is the same name", async (given, shown) => {
  const world = await openWorld(
    { taskMs: 0 },
    {},
    rewriting((body) => body.normalize(shown)),
  );
  const { cloud, kinds } = world;
  const vpcId = String(live(cloud, "vpc")[0]?.krn);
  const subnetId = String(live(cloud, "subnet")[0]?.krn);
  const named: World["kinds"] = {
    ...kinds,
    volume: (name) => ({ ...kinds.volume?.(name), metadata: { [name]: name } }),
    port: (name) => ({ vpcId, subnetId, name }),
    "floating-ip": (name) => ({ vpcId, subnetId, name }),
    "instance-template": (name) => ({ ...kinds.instance?.(name), tags: null }),
  };
  for (const [noun, inputs] of Object.entries(named))
    await runLifecycle(world, noun, inputs("é".normalize(given)));
});
