import { lookups } from "../../functions/index.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf, type Text } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { live, operationsOn, requests, resource, settle } from "./cloud.ts";
import { openNetwork } from "./instance-world.ts";

export const batch = resource("instance-batch");

/** Creates a template; returns the operations on batches of it. */
export async function openBatches(...args: Parameters<typeof openNetwork>) {
  const { cloud, vpcId, written: machine, create } = await openNetwork(...args);
  const made = await cloud.run(cloud.create("instance-template", { ...machine, name: "worker" }));
  const templateId = made.id ?? "";
  const written = { vpcId, name: "worker", templateId, machineCount: 3 };
  const progress: string[] = [];
  const report = (status: Text) => void progress.push(inWordsOf("terraform", status));
  const { inputs, plan, run } = operationsOn(cloud, "instance-batch", written, cloud.reopen);
  return {
    cloud,
    vpcId,
    templateId,
    inputs,
    progress,
    instance: create,
    plan,
    ...run,
    make: (change: Values = {}, timeout?: number) => run.create(change, { report, timeout }),
    /** Creates a batch as another user, regardless of existing names. */
    createElsewhere: async (count: number, instanceType: string) => {
      const name = `worker-${instanceType}`;
      const other = await cloud.run(cloud.create("instance-template", { ...machine, name, instanceType }));
      const answer = await cloud.emulator.fetch("http://127.0.0.1/vm/v1/batch-vm-create", {
        method: "POST",
        headers: { authorization: "Bearer emulator-key", "x-region": "In-Bangalore-1" },
        body: JSON.stringify({ template_krn: other.id, count, instanceName: "worker" }),
      });
      const { job_id } = (await answer.json()) as { readonly job_id: string };
      await settle(cloud);
      return job_id;
    },
    find: (lookup: string, written: Values) => {
      const found = lookups.find(({ name }) => name === lookup);
      if (found === undefined) throw new Error(`no lookup ${lookup}`);
      return cloud.run(engine.lookup(cloud.reopen(), found, written, cloud.call));
    },
    names: () => live(cloud, "instance").map(({ name }) => name),
    /** Returns the number of instances that each batch request asked for. */
    asked: () =>
      requests(cloud, "batch_create_instances").map(({ body }) => (body as { count: number }).count),
  };
}

/** Returns the names of the instances in the state of a batch. */
export const namesIn = ({ values }: ResourceState) =>
  (values.instances as { name: string }[]).map(({ name }) => name);
