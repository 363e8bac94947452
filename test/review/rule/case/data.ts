import { UNKNOWN, type Value } from "../../../../provider/core/value.ts";
import type { Change } from "../../../../review/model/change.ts";
import { changeOf, planOf, unchanged } from "../../change-of.ts";
import type { RuleCase } from "./case.ts";

const vpcId = "krn:vpc:1";
const volume = { vpcId, name: "data", sizeGb: 10, volumeType: "ssd", region: "r" };
const machine = {
  vpcId,
  name: "web",
  instanceType: "c1.small",
  subnetId: "subnet-1",
  sshkeyName: "deploy",
  securityGroups: ["group-1"],
  bootVolume: { imageKrn: "image-1", sizeGb: 10, volumeType: "ssd" },
};
const bucket = { name: "backups", versioning: true, forceDestroy: true };
const unforced = { ...bucket, forceDestroy: false };
const content = { bucketId: "bucket-1", key: "logs/today.txt", content: "hello" };
const batch = { vpcId, name: "workers", templateId: "template-1", machineCount: 3 };
const pod = { name: "train", image: "image", flavor: "gpu", sshkeyName: "deploy" };
const image = { name: "base", instanceId: "instance-1" };

const aging = { bucketId: "bucket-1", name: "old", expiredObjDeleteMarker: true };

/** Returns the update of a batch whose size is known only after the apply, with the origin of that value. */
const sizedBy = (address: string, attribute: string): Change =>
  changeOf(
    "instance-batch",
    batch,
    { ...batch, machineCount: UNKNOWN },
    { originsOf: () => [{ address, attribute }] },
  );

export const dataCases: readonly RuleCase[] = [
  {
    rule: "DATA-01",
    name: "a deleted volume",
    plans: [planOf([changeOf("volume", volume, undefined)])],
    finds: ['Volume "data" is deleted.'],
  },
  {
    rule: "DATA-01",
    name: "a replaced volume",
    plans: [planOf([changeOf("volume", volume, { ...volume, availabilityZone: "nova-2" })])],
    finds: ['Volume "data" is replaced.'],
  },
  ...(["terraform", "pulumi"] as const).map((engine) => ({
    rule: "DATA-01",
    name: `a volume that ${engine} replaces because of a value that is known only after the apply`,
    plans: [
      planOf([changeOf("volume", volume, { ...volume, availabilityZone: UNKNOWN }, { engine })], { engine }),
    ],
    finds: [
      engine === "terraform"
        ? 'Volume "data" is replaced.'
        : { confidence: "likely", text: 'Volume "data" may be replaced.' },
    ],
  })),
  {
    rule: "DATA-01",
    name: "a volume that grows",
    plans: [planOf([changeOf("volume", volume, { ...volume, sizeGb: 20 })])],
    finds: [],
  },
  {
    rule: "DATA-01",
    name: "a forgotten volume, which stays in the cloud",
    plans: [planOf([changeOf("volume", volume, undefined, { action: "forget" })])],
    finds: [],
  },
  {
    rule: "DATA-01",
    name: "a moved volume",
    plans: [planOf([unchanged("volume", volume, { previousAddress: "kcloud_volume.old" })])],
    finds: [],
  },
  {
    rule: "DATA-01",
    name: "an imported volume",
    plans: [planOf([unchanged("volume", volume, { importedId: "volume-1" })])],
    finds: [],
  },
  {
    rule: "DATA-01",
    name: "a deposed volume",
    plans: [planOf([changeOf("volume", volume, undefined, { isDeposed: true, cause: "deposed" })])],
    finds: ['Volume "data" is deleted.'],
  },
  {
    rule: "DATA-01",
    name: "a deleted image",
    plans: [planOf([changeOf("image", image, undefined)])],
    finds: ['Image "base" is deleted.'],
  },
  {
    rule: "DATA-01",
    name: "a deleted bucket, which DATA-04 covers",
    plans: [planOf([changeOf("bucket", bucket, undefined)])],
    finds: [],
  },
  {
    rule: "DATA-01",
    name: "a deleted SSH key, which holds no data",
    plans: [planOf([changeOf("ssh-key", { name: "k" }, undefined)])],
    finds: [],
  },

  {
    rule: "DATA-02",
    name: "a deleted instance",
    plans: [planOf([changeOf("instance", machine, undefined)])],
    finds: ['Instance "web" is deleted.'],
  },
  {
    rule: "DATA-02",
    name: "a replaced instance",
    plans: [planOf([changeOf("instance", machine, { ...machine, instanceType: "c1.large" })])],
    finds: ['Instance "web" is replaced.'],
  },
  {
    rule: "DATA-02",
    name: "a deleted instance whose boot volume stays",
    plans: [planOf([changeOf("instance", { ...machine, deleteOnTermination: false }, undefined)])],
    finds: [],
  },
  {
    rule: "DATA-02",
    name: "a replaced instance whose boot volume stays until this change",
    plans: [
      planOf([
        changeOf(
          "instance",
          { ...machine, deleteOnTermination: false },
          { ...machine, instanceType: "c1.large" },
        ),
      ]),
    ],
    finds: [],
  },
  {
    rule: "DATA-02",
    name: "a deleted batch",
    plans: [planOf([changeOf("instance-batch", batch, undefined)])],
    finds: ['Instance batch "workers" is deleted.'],
  },
  {
    rule: "DATA-02",
    name: "an instance that is switched off",
    plans: [
      planOf([
        changeOf("instance", { ...machine, powerState: "running" }, { ...machine, powerState: "stopped" }),
      ]),
    ],
    finds: [],
  },

  {
    rule: "DATA-03",
    name: "a flag that is switched on",
    plans: [planOf([changeOf("bucket", unforced, { ...bucket, forceDestroy: true })])],
    finds: ["force_destroy is switched on"],
  },
  {
    rule: "DATA-03",
    name: "a removed flag whose default is on",
    plans: [planOf([changeOf("instance", { ...machine, deleteOnTermination: false }, machine)])],
    finds: ["delete_on_termination is removed"],
  },
  {
    rule: "DATA-03",
    name: "an explicit flag that was on by default",
    plans: [planOf([changeOf("instance", machine, { ...machine, deleteOnTermination: true })])],
    finds: [],
  },
  {
    rule: "DATA-03",
    name: "a flag that is switched off",
    plans: [planOf([changeOf("instance", machine, { ...machine, deleteOnTermination: false })])],
    finds: [],
  },
  {
    rule: "DATA-03",
    name: "a flag that is known only after the apply",
    plans: [planOf([changeOf("bucket", unforced, { ...bucket, forceDestroy: UNKNOWN })])],
    finds: [{ confidence: "likely", text: "known only after the apply" }],
  },
  {
    rule: "DATA-03",
    name: "a flag that a new object of the plan determines",
    plans: [
      planOf([
        changeOf("volume", undefined, volume),
        changeOf(
          "bucket",
          unforced,
          { ...bucket, forceDestroy: UNKNOWN },
          { originsOf: () => [{ address: "kcloud_volume.data", attribute: "id" }] },
        ),
      ]),
    ],
    finds: [],
  },
  {
    rule: "DATA-03",
    name: "a new bucket with the flag on",
    plans: [planOf([changeOf("bucket", undefined, { ...bucket, forceDestroy: true })])],
    finds: [],
  },

  {
    rule: "DATA-04",
    name: "a deleted bucket",
    plans: [planOf([changeOf("bucket", bucket, undefined)])],
    finds: ['Bucket "backups" is deleted.'],
  },
  {
    rule: "DATA-04",
    name: "a renamed bucket",
    plans: [planOf([changeOf("bucket", bucket, { ...bucket, name: "copies" }, { name: "backups" })])],
    finds: ['Bucket "backups" is replaced.'],
  },
  {
    rule: "DATA-04",
    name: "a bucket whose delete is rejected while it contains objects",
    plans: [planOf([changeOf("bucket", { name: "backups" }, undefined)])],
    finds: [
      {
        severity: "medium",
        confidence: "needs a live check",
        text: 'Bucket "backups" is deleted, unless it contains objects: then the API rejects the delete.',
      },
    ],
  },
  {
    rule: "DATA-04",
    name: "a renamed bucket that keeps versions and is emptied from now on",
    plans: [
      planOf([
        changeOf(
          "bucket",
          { ...bucket, forceDestroy: false },
          { ...bucket, name: "copies" },
          { name: "backups" },
        ),
      ]),
    ],
    finds: [
      {
        severity: "medium",
        confidence: "needs a live check",
        text: "Previous versions of its objects are lost with it.",
      },
    ],
  },
  {
    rule: "DATA-04",
    name: "a bucket that gets a tag",
    plans: [planOf([changeOf("bucket", bucket, { ...bucket, tags: { a: "b" } })])],
    finds: [],
  },
  {
    rule: "DATA-04",
    name: "a forgotten bucket",
    plans: [planOf([changeOf("bucket", bucket, undefined, { action: "forget" })])],
    finds: [],
  },

  {
    rule: "DATA-05",
    name: "versioning switched off",
    plans: [planOf([changeOf("bucket", bucket, { ...bucket, versioning: false })])],
    finds: ["no longer keeps previous versions"],
  },
  {
    rule: "DATA-05",
    name: "versioning removed",
    plans: [planOf([changeOf("bucket", bucket, { name: "backups", forceDestroy: false })])],
    finds: ["no longer keeps previous versions"],
  },
  {
    rule: "DATA-05",
    name: "versioning that is known only after the apply",
    plans: [planOf([changeOf("bucket", bucket, { ...bucket, versioning: UNKNOWN })])],
    finds: [{ confidence: "likely", text: "may no longer keep" }],
  },
  {
    rule: "DATA-05",
    name: "versioning switched on",
    plans: [planOf([changeOf("bucket", { ...bucket, versioning: false }, bucket)])],
    finds: [],
  },

  {
    rule: "DATA-06",
    name: "a batch that shrinks",
    plans: [planOf([changeOf("instance-batch", batch, { ...batch, machineCount: 1 })])],
    finds: ["machine_count changes from 3 to 1"],
  },
  {
    rule: "DATA-06",
    name: "a batch that shrinks and keeps its boot volumes",
    plans: [
      planOf([
        changeOf(
          "instance-batch",
          { ...batch, deleteOnTermination: false },
          { ...batch, deleteOnTermination: false, machineCount: 1 },
        ),
      ]),
    ],
    finds: [{ severity: "medium", text: "machine_count changes from 3 to 1" }],
  },
  {
    rule: "DATA-06",
    name: "a batch that shrinks and discards its boot volumes from now on",
    plans: [
      planOf([
        changeOf("instance-batch", { ...batch, deleteOnTermination: false }, { ...batch, machineCount: 1 }),
      ]),
    ],
    finds: [{ severity: "critical", text: "machine_count changes from 3 to 1" }],
  },
  {
    rule: "DATA-06",
    name: "a batch that shrinks and keeps its boot volumes from now on",
    plans: [
      planOf([changeOf("instance-batch", batch, { ...batch, deleteOnTermination: false, machineCount: 1 })]),
    ],
    finds: [{ severity: "medium", text: "machine_count changes from 3 to 1" }],
  },
  {
    rule: "DATA-06",
    name: "a batch that grows",
    plans: [planOf([changeOf("instance-batch", batch, { ...batch, machineCount: 5 })])],
    finds: [],
  },
  {
    rule: "DATA-06",
    name: "a batch whose size is a computed value of an object that the plan creates",
    plans: [planOf([changeOf("volume", undefined, volume), sizedBy("kcloud_volume.data", "id")])],
    finds: [],
  },
  {
    rule: "DATA-06",
    name: "a batch whose size is a configured value of an object that the plan creates",
    plans: [planOf([changeOf("volume", undefined, volume), sizedBy("kcloud_volume.data", "size_gb")])],
    finds: [{ confidence: "likely", text: "known only after the apply" }],
  },
  {
    rule: "DATA-06",
    name: "a batch whose size is a value of an object that stays",
    plans: [planOf([unchanged("volume", volume), sizedBy("kcloud_volume.data", "id")])],
    finds: [{ confidence: "likely", text: "known only after the apply" }],
  },
  {
    rule: "DATA-06",
    name: "a batch whose size is a value of another provider's new object",
    plans: [
      planOf([
        { ...changeOf("volume", undefined, volume), resource: undefined, address: "random_integer.size" },
        sizedBy("random_integer.size", "result"),
      ]),
    ],
    finds: [{ confidence: "likely", text: "known only after the apply" }],
  },
  {
    rule: "DATA-06",
    name: "a batch of a size that is known only after the apply",
    plans: [planOf([changeOf("instance-batch", batch, { ...batch, machineCount: UNKNOWN })])],
    finds: [
      {
        confidence: "likely",
        text: "machine_count is known only after the apply. If it becomes smaller, the rest is deleted.",
      },
    ],
  },

  {
    rule: "DATA-07",
    name: "an image that an instance refers to",
    plans: [planOf([changeOf("image", image, undefined, { id: "image-1" }), unchanged("instance", machine)])],
    finds: ['instance "web" refers to it'],
  },
  {
    rule: "DATA-07",
    name: "a template that a batch refers to",
    plans: [
      planOf([
        changeOf("instance-template", { name: "t" }, undefined, { id: "template-1" }),
        unchanged("instance-batch", batch),
      ]),
    ],
    finds: ['instance batch "workers" refers to it'],
  },
  {
    rule: "DATA-07",
    name: "an image that is deleted with its instance",
    plans: [
      planOf([
        changeOf("image", image, undefined, { id: "image-1" }),
        changeOf("instance", machine, undefined),
      ]),
    ],
    finds: [],
  },
  {
    rule: "DATA-07",
    name: "an image that nothing refers to",
    plans: [planOf([changeOf("image", image, undefined), unchanged("instance", machine)])],
    finds: [],
  },

  {
    rule: "DATA-08",
    name: "a deleted pod",
    plans: [planOf([changeOf("ai-pod", pod, undefined)])],
    finds: ['Ai pod "train" is deleted.'],
  },
  {
    rule: "DATA-08",
    name: "a pod that is stopped",
    plans: [
      planOf([changeOf("ai-pod", { ...pod, powerState: "running" }, { ...pod, powerState: "stopped" })]),
    ],
    finds: [],
  },

  {
    rule: "DATA-09",
    name: "a shared volume that grows",
    plans: [
      planOf([
        changeOf("volume", { ...volume, multiattach: true }, { ...volume, multiattach: true, sizeGb: 20 }),
      ]),
    ],
    finds: ["can be attached to several instances"],
  },
  {
    rule: "DATA-09",
    name: "a shared volume that is detached",
    plans: [
      planOf([
        unchanged("volume", { ...volume, multiattach: true }, { id: "volume-1" }),
        changeOf("volume-attachment", { vpcId, volumeId: "volume-1", instanceId: "instance-1" }, undefined),
      ]),
    ],
    finds: ['Volume "data" is detached'],
  },
  {
    rule: "DATA-09",
    name: "a shared volume that is deleted with its attachment",
    plans: [
      planOf([
        changeOf("volume", { ...volume, multiattach: true }, undefined, { id: "volume-1" }),
        changeOf("volume-attachment", { vpcId, volumeId: "volume-1", instanceId: "instance-1" }, undefined),
      ]),
    ],
    finds: [],
  },
  {
    rule: "DATA-09",
    name: "a volume of one instance that is detached",
    plans: [
      planOf([
        unchanged("volume", volume, { id: "volume-1" }),
        changeOf("volume-attachment", { vpcId, volumeId: "volume-1", instanceId: "instance-1" }, undefined),
      ]),
    ],
    finds: [],
  },
  {
    rule: "DATA-09",
    name: "a volume of one instance that grows",
    plans: [planOf([changeOf("volume", volume, { ...volume, sizeGb: 20 })])],
    finds: [],
  },

  {
    rule: "DATA-10",
    name: "a deleted object",
    plans: [planOf([changeOf("object", content, undefined)])],
    finds: ["is deleted with its content"],
  },
  {
    rule: "DATA-10",
    name: "an object that moves to another bucket with different content",
    plans: [planOf([changeOf("object", content, { ...content, bucketId: "bucket-2", content: "bye" })])],
    finds: ["is replaced, and its content changes"],
  },
  {
    rule: "DATA-10",
    name: "an object that moves to another bucket",
    plans: [planOf([changeOf("object", content, { ...content, bucketId: "bucket-2" })])],
    finds: [],
  },
  {
    rule: "DATA-10",
    name: "an object that gets different content",
    plans: [planOf([changeOf("object", content, { ...content, content: "bye" })])],
    finds: [],
  },
  {
    rule: "DATA-10",
    name: "a forgotten object",
    plans: [planOf([changeOf("object", content, undefined, { action: "forget" })])],
    finds: [],
  },

  {
    rule: "DATA-11",
    name: "an upload of a file that the apply reads",
    plans: [
      planOf([
        changeOf("object", undefined, {
          bucketId: "bucket-1",
          key: "app.zip",
          source: "build/app.zip",
          checksum: UNKNOWN,
        }),
      ]),
    ],
    finds: ['the content of object "it": the apply reads "build/app.zip"'],
  },
  {
    rule: "DATA-11",
    name: "new content that follows from another change",
    plans: [
      planOf([
        changeOf(
          "object",
          { ...content, checksum: "00" },
          { ...content, content: UNKNOWN, checksum: UNKNOWN },
        ),
      ]),
    ],
    finds: ["does not show the content of object"],
  },
  {
    rule: "DATA-11",
    name: "an upload whose content and digest are known",
    plans: [planOf([changeOf("object", undefined, { ...content, checksum: "00" })])],
    finds: [],
  },
  {
    rule: "DATA-11",
    name: "a deleted object",
    plans: [planOf([changeOf("object", { ...content, checksum: "00" }, undefined)])],
    finds: [],
  },
  {
    rule: "DATA-04",
    name: "a bucket that is deleted together with its objects",
    plans: [
      planOf([
        changeOf("bucket", unforced, undefined),
        changeOf("object", { ...content, bucketId: "bucket-backups-id" }, undefined),
      ]),
    ],
    finds: ['Bucket "backups" is deleted together with object "it" in it.'],
  },
  ...[
    { from: 30, to: 7, text: "expiration_days changes from 30 to 7", confidence: "proven" },
    { from: null, to: 30, text: "expiration_days is 30", confidence: "proven" },
    { from: 30, to: UNKNOWN, text: "expiration_days is known only after the apply", confidence: "likely" },
  ].map(({ from, to, ...find }) => ({
    rule: "DATA-12",
    name: `a lifecycle rule whose age changes from ${from} to ${typeof to === "number" ? to : "an unknown number"}`,
    plans: [
      planOf([
        changeOf(
          "lifecycle-rule",
          { ...aging, expirationDays: from },
          { ...aging, expirationDays: to as Value },
        ),
      ]),
    ],
    finds: [find],
  })),
  {
    rule: "DATA-12",
    name: "a new lifecycle rule of a bucket that exists, and one that is switched on",
    plans: [
      planOf([
        changeOf("lifecycle-rule", undefined, { ...aging, expirationDays: 1 }),
        changeOf(
          "lifecycle-rule",
          { ...aging, enabled: false, noncurrentDays: 2 },
          { ...aging, enabled: true, noncurrentDays: 2 },
        ),
      ]),
    ],
    finds: ["expiration_days is 1", "enabled changes from false to true"],
  },
  {
    rule: "DATA-12",
    name: "fewer versions, and an age by another attribute",
    plans: [
      planOf([
        changeOf(
          "lifecycle-rule",
          { ...aging, newerNoncurrentVersions: 5 },
          { ...aging, newerNoncurrentVersions: 2 },
        ),
        changeOf("lifecycle-rule", { ...aging, attribute: "created" }, { ...aging, attribute: "modified" }),
      ]),
    ],
    finds: ["newer_noncurrent_versions changes from 5 to 2", "attribute changes from created to modified"],
  },
  {
    rule: "DATA-12",
    name: "rules that discard later, are off, or are of a new bucket",
    plans: [
      planOf([
        changeOf("lifecycle-rule", { ...aging, expirationDays: 7 }, { ...aging, expirationDays: 30 }),
        changeOf("lifecycle-rule", undefined, { ...aging, enabled: false, expirationDays: 1 }),
        changeOf("lifecycle-rule", { ...aging, expirationDays: 7 }, undefined),
        changeOf("bucket", undefined, { name: "new" }),
        changeOf(
          "lifecycle-rule",
          undefined,
          { ...aging, bucketId: UNKNOWN, expirationDays: 1 },
          { originsOf: () => [{ address: "kcloud_bucket.new", attribute: "id" }] },
        ),
      ]),
    ],
    finds: [],
  },
  {
    rule: "DATA-13",
    name: "content that is overwritten",
    plans: [planOf([changeOf("object", content, { ...content, content: "other" })])],
    finds: ['The content of object "it" is overwritten.'],
  },
  {
    rule: "DATA-13",
    name: "content that is overwritten in a bucket with versions",
    plans: [
      planOf([
        changeOf(
          "object",
          { ...content, bucketId: "bucket-backups-id" },
          { ...content, bucketId: "bucket-backups-id", content: "other" },
        ),
        unchanged("bucket", bucket),
      ]),
    ],
    finds: [{ severity: "low", text: "is overwritten" }],
  },
  {
    rule: "DATA-13",
    name: "content that the apply may overwrite",
    plans: [planOf([changeOf("object", content, { ...content, content: UNKNOWN, checksum: UNKNOWN })])],
    finds: [{ confidence: "likely", text: "may be overwritten" }],
  },
  {
    rule: "DATA-13",
    name: "an object that is renamed, which DATA-14 covers",
    plans: [planOf([changeOf("object", content, { ...content, key: "b" })])],
    finds: [],
  },
  {
    rule: "DATA-14",
    name: "an object that is renamed",
    plans: [planOf([changeOf("object", content, { ...content, key: "logs/old.txt" })])],
    finds: ['gets the key "logs/old.txt"'],
  },
  {
    rule: "DATA-14",
    name: "an object with other content",
    plans: [planOf([changeOf("object", content, { ...content, content: "other" })])],
    finds: [],
  },
  {
    rule: "DATA-02",
    name: "a deleted instance whose flag cannot be read",
    plans: [
      planOf([
        changeOf("instance", machine, undefined, {
          before: { ...changeOf("instance", machine, undefined).before, deleteOnTermination: UNKNOWN },
        }),
      ]),
    ],
    finds: [{ confidence: "likely", text: 'Instance "web" is deleted.' }],
  },
  {
    rule: "DATA-04",
    name: "a deleted bucket whose flag cannot be read",
    plans: [
      planOf([
        changeOf("bucket", bucket, undefined, {
          before: { ...changeOf("bucket", bucket, undefined).before, forceDestroy: UNKNOWN },
        }),
      ]),
    ],
    finds: [{ confidence: "likely", text: 'Bucket "backups" is deleted.' }],
  },
  {
    rule: "DATA-12",
    name: "a rule that deletes earlier, if it is on",
    plans: [
      planOf([
        changeOf(
          "lifecycle-rule",
          { ...aging, enabled: true, expirationDays: 30 },
          { ...aging, enabled: UNKNOWN, expirationDays: 7 },
        ),
      ]),
    ],
    finds: [{ confidence: "likely", text: "may discard objects that are kept now" }],
  },
];
