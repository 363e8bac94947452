import { expect, test } from "@jest/globals";
import { engineCommands } from "../../rehearse/part.ts";

test("the part of the program with the engine has the commands and the functions of the tool server that need it", () => {
  expect(Object.keys(engineCommands).toSorted()).toEqual([
    ...["drift", "export", "inventory", "openObjects", "orphans", "rehearse", "seedFromStates"],
    ...["settingsIn", "shownMessage", "structured"],
  ]);
});
