import * as z from "zod/mini";
import { FailedError, isNotFound } from "../provider/core/error.ts";
import type { Api } from "../provider/definition/api.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { described } from "../provider/definition/shape.ts";
import { text, wholeNumber } from "../provider/definition/validator.ts";
import { deletedBy, deleteInstance, runningStatus } from "./wire/instance.ts";
import {
  createBatch,
  difference,
  findBatch,
  isFailed,
  listBatches,
  type Machine,
  notYet,
  requireClearListing,
  surplus,
} from "./wire/instance-batch.ts";

export const instanceBatch = defineResource({
  name: "instance-batch",
  category: "compute",
  about: "A batch: a number of instances that are created from one template.",
  holdsData: {
    text: "The data on the boot volumes of its instances is destroyed.",
    when: ({ deleteOnTermination = true }) => deleteOnTermination,
    unless: "the volumes are kept",
  },
  deletesToo: [
    {
      kind: "instance",
      isWhole: true,
      ids: ({ instances = [], machineCount }, after) =>
        (after === undefined ? instances : surplus(instances, machineCount, after.machineCount)).map(
          ({ id }) => id,
        ),
    },
  ],
  interrupts: true,
  timeouts: { create: 1_800, read: 120, update: 1_800, delete: 1_800 },
  parents: ["vpcId"],
  visibility: { readByListing: true },
  // Only the name distinguishes the instances of two batches, so a replacement deletes the old batch first.
  exclusive: true,
  replaceReason: "All instances of the batch are deleted.",
  repairable: true,
  fields: {
    vpcId: field(z.string(), "ID of the VPC of the template.", { references: "vpc" }),
    name: field(text, "Name prefix of the instances, unique among the batches of the VPC."),
    templateId: field(text, "ID of the template from which the instances are created.", {
      references: "instance-template",
      unreadable: true,
    }),
    machineCount: field(wholeNumber(1), "Number of instances in the batch.", {
      change: "update",
      // Removing instances also deletes their boot volumes.
      destroysData: (before, after) => after < before,
      // After a lost response, a second request could create the instances twice.
      once: true,
      showsZero: true,
      usage: "Decreasing it deletes the newest instances.",
    }),
    deleteOnTermination: field(
      z._default(z.boolean(), true),
      "If true, the boot volume of an instance is deleted with the instance.",
      { change: "update", unreadable: true, meaning: "discards data" },
    ),
    status: computed(z.string(), "Combined status of the instances: `BUILD`, `ACTIVE` or `ERROR`.", {
      changesWith: ["machineCount"],
    }),
    progress: computed(z.string(), "Number of instances that are ready, such as `3 of 5 ACTIVE`.", {
      changesWith: ["machineCount"],
    }),
    failureReason: computed(z.string(), "Reasons of failed instances, as reported by the API.", {
      changesWith: ["machineCount"],
    }),
    instances: computed(
      z.array(
        z.object({
          id: described(z.string(), "ID of the instance."),
          name: described(z.optional(z.string()), "Name of the instance."),
          status: described(z.string(), "Status reported by the API, such as `ACTIVE`."),
          ip: described(z.optional(z.string()), "IP address of the instance in its subnet."),
        }),
      ),
      "Instances of the batch, oldest first.",
      { changesWith: ["machineCount"] },
    ),
    jobIds: computed(z.array(z.string()), "IDs of the jobs that created the instances, oldest first.", {
      changesWith: ["machineCount"],
      identifies: true,
    }),
  },
  lifecycle: {
    field: "status",
    ready: [runningStatus],
    pending: ["BUILD"],
    failed: ["ERROR"],
    reason: "failureReason",
    progress: "progress",
  },
})({
  list: listBatches,

  async create({ api, region, inputs: { vpcId, name, templateId, machineCount } }) {
    await requireClearListing({ api, region, vpcId, id: "" }, { name, instances: [] });
    const { job_id: id } = await batch(api, { name, templateId, count: machineCount });
    return { id };
  },

  read: ({ recorded, ...place }) => findBatch(place, recorded),

  async update({ inputs, prior, changed, repeated, ...place }) {
    if (!changed.has("machineCount")) return undefined;
    const { name, templateId, machineCount, deleteOnTermination } = inputs;
    const known = { ...prior, name, machineCount };
    if (!repeated || place.isRecent()) await requireClearListing(place, known, repeated);
    // The instances of an earlier attempt belong to a job that the state does not contain yet.
    const current = repeated ? { ...known, instances: undefined } : prior;
    // Existing instances are counted even if listings may not show all of them, so that none is created twice.
    const scope = repeated ? { ...place, isRecent: () => false } : place;
    const { gone, missing, jobIds } = await difference(scope, current, machineCount);
    for (const machine of gone) await removeMachine(place.api, machine, deleteOnTermination);
    // Before the request: an error after it would lose the job.
    refuseNameless(gone);
    const { job_id } = missing > 0 ? await batch(place.api, { name, templateId, count: missing }) : {};
    return job_id === undefined ? undefined : { jobIds: [...jobIds, job_id] };
  },

  async delete({ prior, ...place }) {
    const { deleteOnTermination = true } = prior;
    const { gone } = await difference(place, prior, 0);
    for (const machine of gone) await removeMachine(place.api, machine, deleteOnTermination);
    refuseNameless(gone);
  },
});

interface Order {
  readonly name: string;
  readonly templateId: string;
  readonly count: number;
}

const batch = (api: Api, { name, templateId, count }: Order) =>
  api.send(createBatch, { body: { template_krn: templateId, count, instanceName: name } });

async function removeMachine(api: Api, machine: Machine, deleteVolume: boolean): Promise<void> {
  const { id, name } = machine;
  if (!id.startsWith("krn:") && !isFailed(machine)) throw notYet(`${name} is still being created`);
  if (id === "") return;
  try {
    await api.send(deleteInstance, { query: { ...deletedBy(id), deleteVolume } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Throws `FailedError` for failed instances without a KRN and a task id: no request can delete them. */
function refuseNameless(machines: readonly Machine[]): void {
  const names = machines.flatMap(({ id, name = "" }) => (id === "" ? name : []));
  if (names.length > 0)
    throw new FailedError("failed instances of the batch have no ID by which they can be deleted", {
      remedies: [{ code: "delete-objects", objects: names.map((name) => ({ kind: "instance", name })) }],
    });
}
