import * as z from "zod/mini";
import { FailedError, isNotFound } from "../provider/core/error.ts";
import type { Api } from "../provider/definition/api.ts";
import { endpoint } from "../provider/definition/endpoint.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { maybeText, text, wholeNumber } from "../provider/definition/validator.ts";
import { deletedBy, deleteInstance, runningWord } from "./wire/instance.ts";
import {
  difference,
  findBatch,
  isFailed,
  listBatches,
  type Machine,
  notYet,
  refuseAmbiguousName,
  requireListed,
} from "./wire/instance-batch.ts";

const replaceReason = "All instances of the batch are deleted, with what their boot volumes hold.";

export const instanceBatch = defineResource({
  name: "instance-batch",
  about: "Instances that are made from one template, as many as are asked for.",
  holdsData: ({ deleteOnTermination = true }) =>
    deleteOnTermination ? "What the boot volumes of its instances hold is lost with them." : undefined,
  interrupts: true,
  timeouts: { create: 1_800, read: 120, update: 1_800, delete: 1_800 },
  parents: ["vpcId"],
  readByListing: true,
  // Only the name distinguishes the instances of two batches, so a replacement deletes the old batch first.
  exclusive: true,
  repairable: true,
  fields: {
    vpcId: field(z.string(), "VPC of the template, in which they stand.", {
      references: "vpc",
      replaceReason,
    }),
    name: field(text, "What the names of its instances begin with; no other batch of the VPC has it.", {
      replaceReason,
    }),
    templateId: field(text, "Template that they are made from.", {
      references: "instance-template",
      unreadable: true,
      replaceReason,
    }),
    machineCount: field(wholeNumber(1), "How many there are; where there are too many, the newest go.", {
      change: "update",
      // Removing instances also deletes their boot volumes.
      destroysData: (before, after) => after < before,
      // After a lost response, a second request could create the instances twice.
      once: true,
    }),
    deleteOnTermination: field(
      z._default(z.boolean(), true),
      "Whether the boot volume of an instance is deleted with it.",
      { change: "update", unreadable: true, meaning: "discards data" },
    ),
    status: computed(z.string(), "Where they stand together: BUILD, ACTIVE or ERROR.", {
      changesWith: ["machineCount"],
    }),
    progress: computed(z.string(), "How many of them are there, as in 3 of 5 ACTIVE.", {
      changesWith: ["machineCount"],
    }),
    failureReason: computed(z.string(), "Why some of them failed, where they did.", {
      changesWith: ["machineCount"],
    }),
    instances: computed(
      z.array(
        z.object({
          id: z.string(),
          name: z.optional(z.string()),
          status: z.string(),
          ip: z.optional(z.string()),
        }),
      ),
      "Its instances, oldest first.",
      { changesWith: ["machineCount"] },
    ),
    jobIds: computed(z.array(z.string()), "Ids of the jobs that created its instances, oldest first.", {
      changesWith: ["machineCount"],
      identifies: true,
    }),
  },
  lifecycle: {
    field: "status",
    ready: [runningWord],
    pending: ["BUILD"],
    failed: ["ERROR"],
    reason: "failureReason",
    progress: "progress",
  },
})({
  list: listBatches,

  async create({ api, region, inputs: { vpcId, name, templateId, machineCount } }) {
    await refuseAmbiguousName({ api, region, vpcId, id: "" }, { name, instances: [] });
    const { job_id: id } = await batch(api, name, templateId, machineCount);
    return { id };
  },

  read: ({ remembered, ...place }) => findBatch(place, remembered),

  async update({ inputs, prior, changed, repeated, ...place }) {
    if (!changed.has("machineCount")) return undefined;
    const { name, templateId, machineCount, deleteOnTermination } = inputs;
    const known = { ...prior, name, machineCount };
    await requireListed(place, prior);
    if (!repeated) await refuseAmbiguousName(place, known);
    // The instances of an earlier attempt belong to a job that no state records yet.
    const current = repeated ? { ...known, instances: undefined } : prior;
    // Instances that fit are not created twice, even while listings may not show all of them.
    const at = repeated ? { ...place, isRecent: false } : place;
    const { gone, missing, jobIds } = await difference(at, current, machineCount);
    for (const machine of gone) await removeMachine(place.api, machine, deleteOnTermination);
    const { job_id } = missing > 0 ? await batch(place.api, name, templateId, missing) : {};
    refuseNameless(gone);
    return job_id === undefined ? undefined : { jobIds: [...jobIds, job_id] };
  },

  async delete({ prior, ...place }) {
    const { deleteOnTermination = true } = prior;
    const { gone } = await difference(place, prior, 0);
    for (const machine of gone) await removeMachine(place.api, machine, deleteOnTermination);
    refuseNameless(gone);
  },
});

const batch = (api: Api, instanceName: string, template_krn: string, count: number) =>
  api.send(create, { body: { template_krn, count, instanceName } });

async function removeMachine(api: Api, machine: Machine, deleteVolume: boolean): Promise<void> {
  const { id, name } = machine;
  if (!id.startsWith("krn:") && !isFailed(machine)) throw notYet(`${name} is still being made`);
  if (id === "") return;
  try {
    await api.send(deleteInstance, { query: { ...deletedBy(id), deleteVolume } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Throws `FailedError` for failed instances that have neither a KRN nor a task id: no request can delete them. */
function refuseNameless(gone: readonly Machine[]): void {
  const names = gone.flatMap(({ id, name = "" }) => (id === "" ? name : []));
  if (names.length > 0)
    throw new FailedError(
      `what failed has no id to be deleted by: remove it in the cloud (${names.join(", ")})`,
    );
}

const create = endpoint("create", "POST /vm/v1/batch-vm-create", z.object({ job_id: maybeText }));
