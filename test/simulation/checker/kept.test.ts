import { expect, test } from "@jest/globals";
import { cloud, makeSite } from "../../emulator/client.ts";
import { createDraw } from "../draw.ts";
import { createGroundTruth } from "../ground-truth.ts";
import { createReport } from "../report.ts";
import { createLeakFinder } from "../secret.ts";
import type { StoredObject } from "../state.ts";
import { createWorld } from "../world.ts";
import { createChecker } from "./checker.ts";

test("the delete of an object that another address keeps is a violation, and a delete that leaves it is none", async () => {
  const emulator = cloud();
  const { vpc } = await makeSite(emulator);
  const world = { ...createWorld(createDraw("seed")), now: emulator.clock.now };
  const report = createReport(world, "shared");
  const truth = createGroundTruth(emulator, report, "shared", world.now);
  const checker = createChecker(world, truth, report, createLeakFinder(), "shared", {});
  const state = { id: vpc, task: undefined, values: { name: "net" }, unread: [] };
  const second: StoredObject = { address: "vpc.1-again", resource: "vpc", state, needs: [] };
  const found = () => report.violations.map(({ invariant, text }) => [invariant, text]);
  const check = checker.keeps(second);
  check();
  expect(found()).toEqual([]);
  truth.remove(vpc);
  check();
  expect(found()).toEqual([["I19", `the delete of vpc.1-again deleted ${vpc}, which another address has`]]);
});
