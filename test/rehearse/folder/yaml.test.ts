import { expect, test } from "@jest/globals";
import {
  entriesIn,
  isMapping,
  nestedTextOf,
  scalarIn,
  textOf,
  UnreadableYamlError,
} from "../../../rehearse/folder/yaml.ts";

const keysOf = (text: string) => entriesIn(text).map(({ key }) => key);

test("the entries of a mapping are read with their lines, and the texts of their values as they are", () => {
  const text =
    "---\n# a project\nname: proj # a comment\nruntime:\n  name: nodejs\n\n  options:\n    typescript: false\n\"main\": 'a b.js'\ntext: |\n  plugins: x\n\n  more\nlist:\n- a: 1\n- b\n";
  expect(entriesIn(text)).toEqual([
    { key: "name", text: " proj # a comment", line: 3, indent: 0 },
    { key: "runtime", text: "\n  name: nodejs\n\n  options:\n    typescript: false", line: 4, indent: 0 },
    { key: "main", text: " 'a b.js'", line: 9, indent: 0 },
    { key: "text", text: " |\n  plugins: x\n\n  more", line: 10, indent: 0 },
    { key: "list", text: "\n- a: 1\n- b\n", line: 14, indent: 0 },
  ]);
  const [name, runtime, main] = entriesIn(text);
  expect([name, main].map((entry) => scalarIn(entry as never))).toEqual(["proj", "a b.js"]);
  expect(runtime && isMapping(runtime)).toBe(true);
  const inner = entriesIn(runtime?.text ?? "", runtime?.line);
  expect(inner.map(({ key, line }) => [key, line])).toEqual([
    ["name", 5],
    ["options", 7],
  ]);
});

test("a mapping is written as it was, but for replaced values", () => {
  const source = 'config:\n  a:b: |2\n     x\n  c:\n  - secret\n  "d": 1 # one\n';
  const [config] = entriesIn(source);
  const inner = entriesIn(config?.text ?? "");
  expect(textOf(inner, (key) => (key === "c" ? "new" : undefined))).toBe(
    '  "a:b": |2\n     x\n  "c": "new"\n  "d": 1 # one\n\n',
  );
  const json = entriesIn('{"config": {"a": 1, "b": [2]}}');
  expect(textOf(json)).toBe('"config": {"a":1,"b":[2]}\n');
  expect(nestedTextOf(entriesIn(json[0]?.text ?? ""), (key) => (key === "a" ? 3 : undefined))).toBe(
    '\n "a": 3\n "b": [2]\n',
  );
});

test("keys of a stack configuration contain colons; JSON, comments and nothing are mappings too", () => {
  expect(keysOf("kcloud:region: x\nproj:list[0].a: 1\nproj:secret:\n  secure: v1:abc\n")).toEqual([
    ...["kcloud:region", "proj:list[0].a", "proj:secret"],
  ]);
  expect(entriesIn('# c\n{"name": "proj",\n "runtime": {"name": "yaml"}}\n')).toEqual([
    { key: "name", text: ' "proj"', line: 1, indent: 0 },
    { key: "runtime", text: ' {"name":"yaml"}', line: 1, indent: 0 },
  ]);
  expect([keysOf(""), keysOf("# nothing\n\n")]).toEqual([[], []]);
  expect(keysOf("\uFEFFname: a\r\nmain: b\r\n")).toEqual(["name", "main"]);
});

test.each([
  ["an anchor of a key", "&a name: x", "line 1 is no key"],
  ["a merge", "name: x\n<<: *a", "line 2 is no key"],
  ["an escaped key", 'name: x\n"plug\\u0069ns": y', "line 2 is no key"],
  ["a second document", "name: x\n---\nname: y", "line 2 is no key"],
  ["an explicit key", "? plugins\n: x", "line 1 is no key"],
  ["a line that is less indented", "  name: x\nmain: y", "line 2 is no key"],
  ["a list", "- name: x", "line 1 is no mapping"],
  ["a mapping in braces", "{name: x}", "line 1 is a mapping in braces"],
  ["a repeated key", "name: x\nname: y", "line 2 repeats name"],
  ["a line end of YAML", "name: x\u2028plugins: y", "line 1 has a line end"],
  ["a single carriage return", "name: x\rplugins: y", "line 1 has a line end"],
])("%s is an error", (_, text, problem) => {
  expect(() => entriesIn(text)).toThrow(UnreadableYamlError);
  expect(() => entriesIn(text)).toThrow(problem);
});

test.each(["*a", "&a x", "!t x", "|\n  x", "[a]", "{a: b}", "", '"a\\n"', "a\n  b"])(
  "a scalar %j is an error",
  (text) => {
    const [entry] = entriesIn(`main: ${text}`);
    expect(() => scalarIn(entry as never)).toThrow("line 1 has a value of main that is no text in one line");
  },
);
