import { expect, test } from "@jest/globals";
import type { OutFile } from "../../call/out-file.ts";
import { writeContent, writeResponse, writeRows } from "../../call/response.ts";
import type { Operation } from "../../operation/operation.ts";
import { areas } from "../../operation/operations.ts";

const operationOf = (area: string, method: string) => areas[area]?.[method] as Operation;
const keys = operationOf("accessKey", "createAccessKey");
const vpcs = operationOf("vpc", "getVpcList");

/** Returns an output that records its texts. `columns` makes it a terminal. */
function outputOf({
  file,
  columns,
  closesAfter = 9,
}: {
  file?: OutFile;
  columns?: number;
  closesAfter?: number;
} = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    showsOutput: columns !== undefined,
    columns,
    say: (line: string) => void err.push(line),
    write: async (part: string | Uint8Array) => out.push(Buffer.from(part).toString()) <= closesAfter,
  };
  const redact = (text: string) => text.replaceAll("canary", "***");
  return { out, err, terminal: terminal as never, file, redact };
}

const full: OutFile = {
  write() {
    throw Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "write" });
  },
  complete() {},
  discard() {},
};

const created = { access_key: "A", secret_key: "secret-of-the-key", nested: [{ secret_key: "s" }] };

test("a field without a secret is written without the secrets of the response", async () => {
  const output = outputOf();
  expect(await writeResponse(created, keys, { ...output, field: "access_key", isRead: false })).toBe(0);
  expect(await writeResponse(created, keys, { ...output, field: "nested", isRead: false })).toBe(0);
  expect(output.out.join("")).toBe('A\n[\n  {\n    "secret_key": "***"\n  }\n]\n');
  await writeResponse(created, keys, { ...output, field: "secret_key", isRead: false });
  expect(output.out.at(-1)).toBe("secret-of-the-key\n");
});

test("a change whose field is missing, or whose file is full, has its response on standard error, without secrets", async () => {
  for (const selection of [
    { ...outputOf(), field: "nope" },
    { ...outputOf({ file: full }), field: undefined },
  ]) {
    expect(await writeResponse(created, keys, { ...selection, isRead: false })).toBe(4);
    const shown = selection.err.join("\n");
    expect([shown, selection.out]).toEqual([expect.stringContaining('"access_key": "A"'), []]);
    expect(shown).not.toMatch(/secret-of-the-key|"s"/);
  }
});

test("a change whose response cannot be written to standard output has it on standard error, without secrets", async () => {
  const left = outputOf({ closesAfter: 0 });
  expect(await writeResponse(created, keys, { ...left, field: undefined, isRead: false })).toBe(4);
  expect(left.err.join("\n")).toMatch(
    /^kcloud call: the operation was executed, but its response cannot be written \(EPIPE\)\n\{/,
  );
  const broken = outputOf();
  const write = () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC", syscall: "write" }));
  const terminal = { ...(broken.terminal as object), write } as never;
  expect(
    await writeResponse(created, keys, { ...broken, terminal, field: "access_key", isRead: false }),
  ).toBe(4);
  expect(broken.err.join("\n")).toContain('"access_key": "A"');
  for (const { err } of [left, broken]) expect(err.join("\n")).not.toMatch(/secret-of-the-key|"s"/);
  // A reader such as head has enough.
  const enough = outputOf({ closesAfter: 0 });
  expect(await writeResponse([], vpcs, { ...enough, field: undefined, isRead: true })).toBe(0);
});

test("secrets are masked in any response without --out: values of secret parameters, other spellings, and fields that are only new", async () => {
  const template = {
    ...{ template_krn: "krn:1", template_name: "a" },
    config: {
      user_data: "Y2FuYXJ5LTE=",
      environment_variables: { A: "canary-2" },
      env: [{ name: "DB_PASSWORD", value: "canary-5" }],
      apiToken: "token-3",
      password: "",
    },
  };
  const masked = outputOf();
  const get = operationOf("instanceTemplate", "getTemplate");
  await writeResponse(template, get, { ...masked, field: undefined, isRead: true });
  expect(JSON.parse(masked.out.join("")).config).toEqual({
    ...{ user_data: "***", environment_variables: "***", apiToken: "***", password: "" },
    env: [{ name: "DB_PASSWORD", value: "***" }],
  });
  expect(masked.err.at(-1)).toBe(
    "kcloud call: secrets are masked (user_data, environment_variables, value, apiToken): --out FILE writes them",
  );
  const rows = outputOf({ columns: 80 });
  await writeRows(
    (async function* () {
      yield { name: "a", user_data: "canary-4" };
    })(),
    get,
    rows,
  );
  expect(rows.out.join("")).toBe("NAME  USER_DATA\na     ***\n");
  const written: string[] = [];
  const file = {
    write: (part: string) => void written.push(part),
    complete: () => {},
    discard: () => {},
  } as OutFile;
  await writeResponse(template, get, { ...outputOf({ file }), field: undefined, isRead: true });
  expect(written.join("")).toContain("token-3");
  const listed = outputOf();
  await writeResponse([{ access_key: "A", name: "b" }], operationOf("accessKey", "listAccessKeys"), {
    ...{ ...listed, field: undefined, isRead: true },
  });
  expect(listed.out.join("")).toContain('"access_key": "A"');
});

test("a text of several lines is written as it is, except on a terminal", async () => {
  const answer = [{ vpcName: "a\nb\t\u001b[2J" }];
  const [pipe, terminal] = [outputOf(), outputOf({ columns: 80 })];
  for (const output of [pipe, terminal])
    await writeResponse(answer, vpcs, { ...output, field: "0.vpcName", isRead: true });
  expect([pipe.out, terminal.out]).toEqual([["a\nb\t\u001b[2J\n"], ["a\\u000ab\\u0009\\u001b[2J\n"]]);
});

test("a read whose field is missing or null, or whose file is full, failed", async () => {
  const rows = [{ vpcId: "1", vpcName: "a", operating_status: null }];
  for (const field of ["0.nope", "0.operating_status"])
    expect(await writeResponse(rows, vpcs, { ...outputOf(), field, isRead: true })).toBe(1);
  expect(
    await writeResponse(rows, vpcs, { ...outputOf({ file: full }), field: undefined, isRead: true }),
  ).toBe(1);
});

test("a response of another form, or an empty one, is written with a warning of the place", async () => {
  const output = outputOf();
  await writeResponse([{ vpcId: 1 }], vpcs, { ...output, field: undefined, isRead: true });
  expect(output.err).toEqual([expect.stringMatching(/another form than the table of operations says, at 0/)]);
  expect(JSON.parse(output.out.join(""))).toEqual([{ vpcId: 1 }]);
});

test("an operation without a response writes nothing", async () => {
  const output = outputOf();
  const operation = operationOf("sshKey", "deleteSshKey");
  expect(await writeResponse(undefined, operation, { ...output, field: undefined, isRead: false })).toBe(0);
  expect(output.out.join("") + output.err.join("")).toBe("");
});

async function* rowsOf(count: number) {
  for (let row = 0; row < count; row++) yield { name: `row ${row} canary` };
}

test("rows are JSON lines, or a table on a terminal, without secrets of the settings", async () => {
  const [lines, table] = [outputOf(), outputOf({ columns: 80 })];
  await writeRows(rowsOf(2), vpcs, lines);
  await writeRows(rowsOf(2), vpcs, table);
  expect(lines.out).toEqual(['{"name":"row 0 ***"}\n', '{"name":"row 1 ***"}\n']);
  expect(table.out).toEqual(["NAME\nrow 0 ***\nrow 1 ***\n"]);
});

test("a reader that has enough ends rows and content", async () => {
  const rows = outputOf({ closesAfter: 1 });
  await writeRows(rowsOf(1_000), vpcs, rows);
  async function* parts() {
    for (;;) yield Buffer.from("x");
  }
  const content = outputOf({ closesAfter: 2 });
  expect(await writeContent(parts(), { world: content })).toBe(0);
  expect([rows.out.length, content.out.length]).toEqual([2, 3]);
});
