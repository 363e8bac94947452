import { basename, dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import { files, type Import, importsOf, local, nodes, sources } from "./repository.ts";

/** Tests imports between folders against docs/architecture.md. Each test collects the imports that break its rule. */

const describe = ({ from, to }: Import): string => `${from} imports ${to}`;

/** Imports of one repository file by another, without tests. */
const imports = sources
  .filter((file) => !file.startsWith("test/"))
  .flatMap(importsOf)
  .filter(local);

/**
 * Returns the folder that determines the rule for a file: `provider/engine`, `resources`, `emulator`; empty for
 * top-level files.
 */
const roomOf = (file: string): string => /^provider\/[^/]+|^[^/]+(?=\/)/.exec(file)?.[0] ?? "";

const base = ["provider/core", "provider/platform"];
const definition = [...base, "provider/definition"];
const config = [...definition, "provider/config"];
const client = [...config, "provider/client"];
const engine = [...client, "provider/engine"];
const lists = ["resources/index.ts", "functions/index.ts", "package.json"];
const adapter = [...engine, "provider/grpc", ...lists];

/** Folders and files that each folder may import in addition to its own files. */
const arrows: { readonly [room: string]: readonly string[] } = {
  "provider/core": base,
  "provider/platform": base,
  "provider/grpc": [],
  "provider/definition": definition,
  "provider/config": config,
  "provider/client": [...client, "package.json"],
  "provider/engine": engine,
  "provider/terraform": adapter,
  "provider/pulumi": adapter,
  "provider/dynamic": [...adapter, "provider/pulumi"],
  resources: ["provider/core", "provider/definition"],
  functions: [
    "provider/core",
    "provider/definition",
    "provider/client/auth/object-session.ts",
    "resources/wire",
    "resources/fields",
  ],
  operation: [
    "provider/core",
    "provider/definition",
    "provider/client/auth/object-session.ts",
    "provider/client/auth/sign-in.ts",
    "resources/wire",
    "resources/fields/subnet-range.ts",
    "resources/fields/user-data.ts",
  ],
  library: [...client, "operation", "resources/wire"],
  review: [
    ...base,
    "provider/definition",
    "provider/client",
    "provider/engine",
    "provider/pulumi",
    // Parser of the arguments of all commands.
    "command/argument.ts",
    ...lists,
  ],
  account: [...adapter, "provider/terraform", "provider/pulumi", "review", "command"],
  call: [
    ...client,
    "operation",
    "library",
    "command",
    // Interruption of a command, arguments of a shell, characters that a terminal would interpret, and names of secrets.
    "account/command/progress.ts",
    "account/export/shell.ts",
    "account/export/code.ts",
    "review/model/secret-shape.ts",
    "review/render/column.ts",
  ],
  command: [
    ...client,
    // Descriptions of the commands, of which the table consists.
    "account/command/option.ts",
    "call/option.ts",
    "call/subcommand.ts",
    "emulator/cli/option.ts",
    "mcp/command/option.ts",
    "rehearse/command/option.ts",
    "review/command/option.ts",
    // Search of a program on PATH, and lines of a terminal.
    "review/custom-rule/node.ts",
    "review/render/column.ts",
    "package.json",
  ],
  // It contains an emulator, and is the only program that starts both; they share no code.
  rehearse: [...adapter, "review", "account", "command", "emulator"],
  // Its tools plan in an emulator by commands of their own, and look up objects and call operations in a part of the program with the engine.
  mcp: [
    ...[...adapter, "operation", "library", "review", "account", "command"],
    ...["rehearse/folder/program.ts", "rehearse/part.ts"],
  ],
  emulator: [],
};

/** Folders and files that single files may import in addition. */
const additional: { readonly [file: string]: readonly string[] } = {
  // The list includes lookups that the engine derives from the list of resources.
  "functions/index.ts": ["resources/index.ts", "provider/engine/lookup"],
  // The program runs the commands of other folders.
  "command/kcloud.ts": [
    "call/call.ts",
    "emulator/cli/main.ts",
    "mcp/command/main.ts",
    "rehearse/part.ts",
    "review/command/main.ts",
  ],
  // The part of the program with the engine has the look-ups of the tool server.
  "rehearse/part.ts": ["mcp/object/part.ts"],
};

const isIn = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);

test("imports between folders follow the allowed directions", () => {
  const wrong = imports.filter(({ from, to }) => {
    const room = roomOf(from);
    const allowed = arrows[room];
    if (allowed === undefined || isIn(to, room)) return false;
    return ![...allowed, ...(additional[from] ?? [])].some((place) => isIn(to, place));
  });
  expect(wrong.map(describe)).toEqual([]);
});

/** Folders of `review/` that each of them may import in addition to its own files: a plan passes through them from left to right. */
const reviewArrows: { readonly [room: string]: readonly string[] } = {
  model: [],
  program: [],
  read: ["model"],
  rule: ["model"],
  report: ["model", "rule"],
  gate: ["model", "rule", "report"],
  "custom-rule": ["model", "program", "rule", "report", "gate"],
  render: ["model", "program", "rule", "report"],
  post: ["rule", "report", "render"],
  command: ["model", "read", "rule", "report", "gate", "custom-rule", "render", "post"],
};

test("imports between the folders of review/ follow the allowed directions, and each folder has some", () => {
  const reviewRoomOf = (file: string): string | undefined => /^review\/([^/]+)\//.exec(file)?.[1];
  const wrong = imports.filter(({ from, to }) => {
    const [room, target] = [reviewRoomOf(from), reviewRoomOf(to)];
    return (
      room !== undefined &&
      target !== undefined &&
      room !== target &&
      !(reviewArrows[room] ?? []).includes(target)
    );
  });
  expect(wrong.map(describe)).toEqual([]);
  const rooms = new Set(sources.flatMap((file) => reviewRoomOf(file) ?? []));
  expect([...rooms].toSorted()).toEqual(Object.keys(reviewArrows).toSorted());
});

/** Folders and top-level files of `emulator/` in three layers; each may import those that are listed before it. */
const emulatorLayers = {
  mechanism: ["state", "settings", "http", "fault", "model", "auth"],
  services: ["network", "block-storage", "compute", "iam", "object-storage", "ai"],
  program: [
    "inventory",
    "resource-kinds.ts",
    "operation-list.ts",
    "admin",
    "request-handler.ts",
    "access.ts",
    "emulator.ts",
    "cli",
  ],
};

test("imports in emulator/ go from the program to the services to the mechanism, and in the order of the folders", () => {
  const order = Object.values(emulatorLayers).flat();
  const roomOfEmulator = (file: string): string | undefined => /^emulator\/([^/]+)/.exec(file)?.[1];
  const positionOf = (file: string): number => order.indexOf(roomOfEmulator(file) ?? "");
  const wrong = imports.filter(
    ({ from, to }) => from.startsWith("emulator/") && positionOf(from) < positionOf(to),
  );
  expect(wrong.map(describe)).toEqual([]);
  const rooms = new Set(sources.flatMap((file) => roomOfEmulator(file) ?? []));
  expect([...rooms].toSorted()).toEqual(order.toSorted());
});

test("every folder of provider/ has allowed imports", () => {
  const rooms = new Set(sources.filter((file) => file.startsWith("provider/")).map(roomOf));
  expect([...rooms].filter((room) => !(room in arrows))).toEqual([]);
});

/** Rooms whose files may all be imported from outside. */
const open = ["provider/core", "provider/definition", "provider/platform", "provider/grpc"];
/** Files of other rooms that may be imported from outside, in addition to the file of the room's name. */
const named = [
  "provider/client/auth/object-session.ts",
  "provider/client/auth/sign-in.ts",
  "provider/engine/lookup/lookup.ts",
  "provider/engine/import/import.ts",
  "provider/engine/state/status.ts",
  // The SDKs are generated from the schema, whose types a program in Python needs.
  "provider/pulumi/schema/schema.ts",
  "emulator/cli/option.ts",
];

const isClosed = (room: string): boolean =>
  room === "emulator" || (room.startsWith("provider/") && !open.includes(room));

const doorOf = (room: string): string => `${room}/${basename(room)}.ts`;

test("a room of provider/ and the emulator are imported through the file of the room's name", () => {
  const publicEntry = (file: string) =>
    !file.includes("/") || file.startsWith("tools/") || file === "command/kcloud.ts";
  const wrong = imports.filter(({ from, to }) => {
    const room = roomOf(to);
    return (
      isClosed(room) && roomOf(from) !== room && !publicEntry(from) && ![doorOf(room), ...named].includes(to)
    );
  });
  expect(wrong.map(describe)).toEqual([]);
});

test("only the file of a room's name re-exports", () => {
  const reExports = sources.filter(
    (file) =>
      /^(provider|resources|functions|emulator|operation)\//.test(file) &&
      importsOf(file).some(({ again }) => again),
  );
  expect(
    reExports.filter((file) => file !== doorOf(roomOf(file)) && roomOf(file) !== "provider/engine"),
  ).toEqual([]);
});

test("there is no import cycle, type-only imports included", () => {
  const targets = new Map(
    sources.map((file) => [
      file,
      importsOf(file)
        .filter(local)
        .map(({ to }) => to),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (done.has(file) || path.includes(file)) return;
    for (const to of targets.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  expect(cycles).toEqual([]);
});

/** Returns the files that a file imports, and those that its strings name by their path from the checkout or from the file. */
function referencesOf(file: string): string[] {
  const texts = nodes(file).flatMap((node) => (ts.isStringLiteralLike(node) ? [node.text] : []));
  return texts.flatMap((text) => [text, join(dirname(file), text)]).filter((path) => files.includes(path));
}

test("the build needs no file of test/", () => {
  const needed = new Set(["tools/build.ts"]);
  for (const file of needed)
    if (sources.includes(file)) for (const reference of referencesOf(file)) needed.add(reference);
  expect(needed).toContain("provider/terraform/main.ts");
  expect([...needed].filter((file) => file.startsWith("test/"))).toEqual([]);
});

test("no folder has more than thirty files", () => {
  const excepted = /^(resources|docs|examples|test\/(golden|fixtures|kind|resources))(\/|$)/;
  const counts = Map.groupBy(files, dirname);
  const full = [...counts].filter(([folder, inside]) => inside.length > 30 && !excepted.test(folder));
  expect(full.map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual([]);
});

test("only tests, tools, benches and public entries import an adapter from outside", () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      /^provider\/(terraform|pulumi|dynamic)\//.test(to) &&
      !/^(tools|bench|examples|account|review|provider\/(terraform|pulumi|dynamic))\//.test(from) &&
      from.includes("/"),
  );
  expect(wrong.map(describe)).toEqual([]);
});
