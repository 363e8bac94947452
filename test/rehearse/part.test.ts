import { expect, test } from "@jest/globals";
import { engineCommands } from "../../rehearse/part.ts";

test("the part of the program with the engine has the commands that need it", () => {
  expect(Object.keys(engineCommands).toSorted()).toEqual([
    ...["drift", "export", "inventory", "orphans", "rehearse", "seedFromStates"],
  ]);
});
