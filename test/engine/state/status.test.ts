import { test } from "@jest/globals";
import { openWorld, rewriting, runLifecycle } from "../existence/full-lifecycle.ts";

/** Returns a transport wrapper that changes the case of status texts in responses. */
const withStatusCase = (letters: (word: string) => string) =>
  rewriting((body) =>
    body.replace(
      /"(status|state|last_action_status)":"(\w+)"/g,
      (_, name: string, word: string) => `"${name}":"${letters(word)}"`,
    ),
  );

test.each([
  ["capitals", (word: string) => word.toUpperCase()],
  ["small letters", (word: string) => word.toLowerCase()],
  ["one capital", (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()],
])("status values in %s are recognized", async (_, letters) => {
  const world = await openWorld({ taskMs: 1_000 }, {}, withStatusCase(letters));
  for (const [noun, inputs] of Object.entries(world.kinds)) await runLifecycle(world, noun, inputs("odd"));
});
