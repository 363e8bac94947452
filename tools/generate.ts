import { spawnSync } from "node:child_process";
import { resources } from "../resources/index.ts";

/**
 * `npm run generate [-- NAME…]`: writes everything that follows from the definitions: types of the examples, golden files and
 * pages. For each new resource NAME, it also stores the state that all later versions must read.
 */

const names = process.argv.slice(2);
const unknown = names.filter((name) => resources.every((resource) => resource.name !== name));
if (unknown.length > 0) {
  process.stderr.write(`resources/index.ts has no ${unknown.join(", ")}\n`);
  process.exit(2);
}

const steps = [
  ["build"],
  ...(names.length === 0 ? [] : [["state", ...names]]),
  [
    "unit",
    "test/terraform/codec/schema",
    "test/resources/input-problem",
    "test/engine/plan",
    "test/account/listing",
  ],
  ["docs"],
];
for (const [script = "", ...args] of steps) {
  const { status } = spawnSync("npm", ["run", script, "--", ...args], {
    cwd: `${import.meta.dirname}/..`,
    env: { ...process.env, UPDATE_GOLDEN: "1" },
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
