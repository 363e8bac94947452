import { expect, test } from "@jest/globals";
import { type ConfirmedCall, confirm, UnconfirmedError } from "../../call/confirm.ts";
import { effectOf } from "../../operation/operation.ts";
import { allOperations } from "../../operation/operations.ts";

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
  const inputs = { vpcId: "vpc-1", volumeId: "volume-1\u001b[2J" };
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
  for (const { name, operation } of allOperations())
    expect([name, (await asked(name, undefined)).isConfirmed]).toEqual([
      name,
      effectOf(operation) === "reads",
    ]);
});

test("--yes confirms each operation that changes, and none that destroys", async () => {
  for (const { name, operation } of allOperations())
    expect([name, (await asked(name, undefined, { yes: true })).isConfirmed]).toEqual([
      name,
      effectOf(operation) !== "destroys",
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
