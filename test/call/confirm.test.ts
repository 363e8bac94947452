import { expect, test } from "@jest/globals";
import { type ConfirmedCall, confirm, UnconfirmedError } from "../../call/confirm.ts";
import { effectOfCall } from "../../operation/destruction/destruction.ts";
import { allOperations } from "../../operation/operations.ts";

const inputs = { vpcId: "vpc-1", volumeId: "volume-1\u001b[2J" };

/** Returns the questions of a call of each operation, and whether it was confirmed. */
async function asked(
  name: string,
  typed: string | undefined,
  options: ConfirmedCall["options"] = {},
  title?: string,
) {
  const row = allOperations().find((each) => each.name === name);
  if (row === undefined) throw new TypeError(name);
  const lines: string[] = [];
  const terminal = {
    canAsk: typed !== undefined,
    say: (line: string) => void lines.push(line),
    ask: async (question: string) => {
      lines.push(question);
      return typed ?? "";
    },
  };
  const call = {
    ...row,
    inputs,
    options,
    address: "https://cloud.example",
    account: "1",
    readName: async () => title,
  };
  try {
    await confirm(call, { terminal: terminal as never, stop: new AbortController().signal });
    return { isConfirmed: true, lines };
  } catch (error) {
    if (!(error instanceof UnconfirmedError)) throw error;
    return { isConfirmed: false, lines };
  }
}

test("without a terminal and options, only operations that read are sent", async () => {
  for (const row of allOperations())
    expect([row.name, (await asked(row.name, undefined)).isConfirmed]).toEqual([
      row.name,
      effectOfCall(row, inputs) === "reads",
    ]);
});

test("--yes confirms each operation that changes, and none that destroys", async () => {
  for (const row of allOperations())
    expect([row.name, (await asked(row.name, undefined, { yes: true })).isConfirmed]).toEqual([
      row.name,
      effectOfCall(row, inputs) !== "destroys",
    ]);
});

test("the question has the address and what happens; IDs and names cannot control the terminal", async () => {
  const { lines, isConfirmed } = await asked("delete_volume", "data\u001b", {}, "data\u001b");
  expect(lines).toEqual([
    expect.stringMatching(/^delete_volume at https:\/\/cloud\.example: Starts the deletion of a volume/),
    'The object is named "data\\\\u001b".',
    "Type volume-1\\u001b[2J, or its name, to confirm: ",
  ]);
  expect(isConfirmed).toBe(true);
});

test("an empty line confirms nothing, even for an object without a name", async () => {
  for (const title of [undefined, "", " "])
    expect((await asked("delete_volume", "", {}, title)).isConfirmed).toBe(false);
});

test("a name of a few characters confirms nothing: a person may type it as an answer to any question", async () => {
  for (const title of ["y", "yes"])
    expect((await asked("delete_volume", title, {}, title)).isConfirmed).toBe(false);
  expect((await asked("delete_volume", "data", {}, "data")).isConfirmed).toBe(true);
});

test("an operation that destroys with its arguments says what is lost", async () => {
  const { lines } = await asked("restore_backup", "");
  expect(lines[0]).toMatch(/ With volumeId, the content of an existing volume is replaced\.$/);
  expect(lines.at(-1)).toBe("Type volume-1\\u001b[2J to confirm: ");
  expect((await asked("delete_volume", "")).lines[0]).toMatch(/no longer found\.$/);
});
