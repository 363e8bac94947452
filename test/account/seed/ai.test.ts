import { expect, test } from "@jest/globals";
import { aiPod, documentJob, inferenceTask } from "../../../account/seed/ai.ts";

const owner = { account: "12", customer: "00000000-0000-4000-8000-000000000001" };
const entry = (values: object, id = "krn:it") => ({
  ...{ kind: "", id, region: "In-A-1", values: values as never },
});

test("a pod has its fields, without its environment, which may have secrets", () => {
  const environmentVariables = { TOKEN: "canary" };
  const { rows } = aiPod(
    entry({ name: "model", instanceType: "p1.small", exposeHttpPorts: [80, 81], environmentVariables }),
    owner,
  );
  expect(rows).toMatchObject([{ fields: { pod_name: "model", expose_http_ports: "80,81" }, running: true }]);
  expect(JSON.stringify(rows)).not.toContain("canary");
});

test("the user of a task, and the result of a document job, are in no state", () => {
  expect(inferenceTask(entry({ name: "chat" }), owner).assumed).toEqual([
    'the user of the inference task "chat"',
  ]);
  const job = documentJob("extract_text")(
    entry({ content: "canary" }, "00000000-0000-4000-8000-00000000000f"),
    owner,
  );
  expect(job.assumed).toEqual(["the result of the document job 00000000-0000-4000-8000-00000000000f"]);
  expect(JSON.stringify(job.rows)).not.toContain("canary");
});
