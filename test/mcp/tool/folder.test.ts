import { expect, test } from "@jest/globals";
import type { Folder, Step } from "../../../mcp/folder/folder.ts";
import { FolderError } from "../../../mcp/folder/folder.ts";
import { toolParts } from "../../../mcp/object/part.ts";
import { folderTools, toolsOfFolder } from "../../../mcp/tool/folder.ts";
import type { Call } from "../../../mcp/tool/tool.ts";

const call: Call = {
  signal: new AbortController().signal,
  report: () => {},
  log: () => {},
  ...{ canAsk: false, answer: undefined },
};
const step = async (json: unknown): Promise<Step> => ({ code: 3, json });
const report = {
  verdict: { code: 3, blocked: true },
  changes: Array.from({ length: 300 }, (_, index) => ({
    address: `kcloud_volume.v${index}`,
    text: "x".repeat(500),
  })),
  findings: [{ rule: "DATA-01", text: "It\u202e deletes." }],
  outputs: [],
  drift: [],
};
const folder: Folder = {
  ...{
    path: "/work",
    state: undefined,
    stack: undefined,
    policy: undefined,
    engine: undefined,
    allowsUnconfined: false,
    isProgram: false,
  },
  validate: () => step({ isValid: false, messages: [] }),
  rehearse: () => step({ isComplete: true, steps: [{ address: "a" }], objects: [], secondPlan: [] }),
  review: () => step(report),
};
const load = async () => toolParts;

// biome-ignore lint/suspicious/noExplicitAny: the content differs by the tool.
async function run(name: string, of: Folder = folder): Promise<any> {
  const tool = folderTools(of, load).find((one) => one.name === name);
  return tool?.run({}, call);
}

test("no tool of the folder has a parameter", () => {
  const tools = folderTools(folder, load);
  expect(tools.map(({ name }) => name)).toEqual(["validate", "plan", "rehearse", "review", "verdict"]);
  expect(tools.filter(({ parameters }) => Object.keys(parameters).length > 0)).toEqual([]);
});

test("a program of Pulumi is checked by its plan", () => {
  const names = folderTools({ ...folder, isProgram: true }, load).map(({ name }) => name);
  expect(names).toEqual(["plan", "rehearse", "review", "verdict"]);
});

test("each tool returns its part of the report, a long list is cut with its count, and texts are data", async () => {
  expect(await run("validate")).toEqual({ data: { isValid: false, messages: [] } });
  const { data: plan } = await run("plan");
  expect([plan.changes_count, plan.changes.length < 150, plan.changes.length > 50]).toEqual([
    300,
    true,
    true,
  ]);
  expect(await run("rehearse")).toEqual({
    data: {
      ...{ isComplete: true, secondPlan: [] },
      ...{ steps: [{ address: "a" }], steps_count: 1, objects: [], objects_count: 0 },
    },
  });
  const { data: review } = await run("review");
  expect(review).toEqual({
    verdict: report.verdict,
    findings: [{ rule: "DATA-01", text: "It\\u{202e} deletes." }],
    ...{ findings_count: 1, changes_count: 300 },
  });
  expect(await run("verdict")).toEqual({
    data: { verdict: report.verdict, findings_count: 1, changes_count: 300 },
  });
});

test("each result says what programs have of the machine if they were not isolated", async () => {
  const unconfined =
    "programs have the network, files and processes of this machine: only Linux can confine them";
  const of: Folder = {
    ...folder,
    validate: async () => ({ code: 0, json: { isValid: true, messages: [] }, unconfined }),
    rehearse: async () => ({ code: 0, json: { isComplete: true, unconfined }, unconfined }),
    review: async () => ({ code: 0, json: report, unconfined }),
  };
  for (const { name } of folderTools(of, load))
    expect([name, (await run(name, of)).data.unconfined]).toEqual([name, unconfined]);
});

test("the failure of a command is an error of the tool", async () => {
  const failing = { ...folder, review: () => Promise.reject(new FolderError("bad\u001b[2J configuration")) };
  expect(await run("plan", failing)).toEqual({ error: "bad\\u{1b}[2J configuration" });
  const broken = { ...folder, review: () => Promise.reject(new TypeError("broken")) };
  await expect(run("plan", broken)).rejects.toThrow("broken");
});

test("a folder that does not exist has no tools", () => {
  const options = {
    ...{ path: "/none", state: undefined, stack: undefined, policy: undefined, engine: undefined },
    allowsUnconfined: false,
  };
  expect(toolsOfFolder(options, load)).toEqual({ problem: "--folder /none is no folder" });
});
