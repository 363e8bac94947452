import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { expect, test } from "@jest/globals";
import { text } from "../repository/repository.ts";

/** Tests security properties of the workflows in examples/release. */

const release = text("examples/release/github/release.yml");
const plan = text("examples/release/github/plan.yml");
const gitlab = text("examples/release/gitlab-ci.yml");
const workflows = [release, plan];

test("actions are pinned by commit, and images by digest", () => {
  const used = workflows.flatMap((workflow) =>
    [...workflow.matchAll(/uses: (.*)/g)].map(([, action]) => action),
  );
  expect(used).toHaveLength(5);
  for (const action of used) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const images = [plan, gitlab].flatMap((file) =>
    [...file.matchAll(/image: (.*)/g)].map(([, image]) => image),
  );
  expect(images).toHaveLength(3);
  for (const image of images) expect(image).toMatch(/@sha256:(DIGEST|[0-9a-f]{64})$/);
});

test("the token can write only where no code of the repository runs", () => {
  for (const workflow of workflows) expect(workflow).toMatch(/^permissions: \{\}$/m);
  const [, build = "", publish = ""] = release.split(/^ {2}(?=(?:build|publish):$)/m);
  expect(build).toMatch(/secrets\.SIGNING_KEY/);
  expect(build).not.toMatch(/: write|github\.token/);
  expect(publish).toMatch(/contents: write/);
  expect(publish).not.toMatch(/secrets\.|actions\/checkout|npm|node/);
  expect(plan).not.toMatch(/: write/);
  expect(plan).toMatch(/if: github\.event\.pull_request\.head\.repo\.full_name == github\.repository/);
});

test("checkouts keep no credentials, and no script contains a value of the event", () => {
  for (const workflow of workflows) {
    for (const step of workflow.split("uses: actions/checkout@").slice(1))
      expect(step.split("- ")[0]).toMatch(/persist-credentials: false/);
    const scripts = [...workflow.matchAll(/run: (\|[\s\S]*?(?=\n {0,8}\S)|.*)/g)].map(([, run = ""]) => run);
    expect(scripts.length).toBeGreaterThan(2);
    expect(scripts.filter((run) => run.includes("${{"))).toEqual([]);
  }
});

test("downloads are compared with checksums of the repository, and the jobs that plan need no Node", () => {
  for (const [file, downloads] of [
    [plan, 2],
    [gitlab.slice(0, gitlab.indexOf("\nrelease:")), 2],
  ] as const) {
    expect([...file.matchAll(/curl -fsSLO/g)]).toHaveLength(downloads);
    expect(file.indexOf("sha256sum --check --strict")).toBeGreaterThan(file.lastIndexOf("curl -fsSLO"));
    expect(file).not.toMatch(/\b(npm|npx|setup-node|node:)\b/);
  }
});

test.each([
  "release/github/release.yml",
  "release/github/plan.yml",
  "review/github/pull-request.yml",
  "review/github/apply.yml",
])("%s is valid by the workflow schema of its host", (name) => {
  const file = { name, content: text(`examples/${name}`) };
  const { context } = parseWorkflow(file, new NoOperationTraceWriter());
  expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
});
