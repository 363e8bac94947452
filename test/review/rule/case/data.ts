import { UNKNOWN, type Value } from "../../../../provider/core/value.ts";
import type { Change } from "../../../../review/model/change.ts";
import { changeOf, planOf, unchanged } from "../../change-of.ts";
import { casesOf, type RuleCase } from "./case.ts";

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
  ...casesOf("DATA-01", [
    ["a deleted volume", changeOf("volume", volume, undefined), 'Volume "data" is deleted.'],
    [
      "a replaced volume",
      changeOf("volume", volume, { ...volume, availabilityZone: "nova-2" }),
      'Volume "data" is replaced.',
    ],
  ]),
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
  ...casesOf("DATA-01", [
    ["a volume that grows", changeOf("volume", volume, { ...volume, sizeGb: 20 }), []],
    [
      "a forgotten volume, which stays in the cloud",
      changeOf("volume", volume, undefined, { action: "forget" }),
      [],
    ],
    ["a moved volume", unchanged("volume", volume, { previousAddress: "kcloud_volume.old" }), []],
    ["an imported volume", unchanged("volume", volume, { importedId: "volume-1" }), []],
    [
      "a deposed volume",
      changeOf("volume", volume, undefined, { isDeposed: true, cause: "deposed" }),
      'Volume "data" is deleted.',
    ],
    ["a deleted image", changeOf("image", image, undefined), 'Image "base" is deleted.'],
    ["a deleted bucket, which DATA-04 covers", changeOf("bucket", bucket, undefined), []],
    ["a deleted SSH key, which holds no data", changeOf("ssh-key", { name: "k" }, undefined), []],
  ]),
  ...casesOf("DATA-02", [
    ["a deleted instance", changeOf("instance", machine, undefined), 'Instance "web" is deleted.'],
    [
      "a replaced instance",
      changeOf("instance", machine, { ...machine, instanceType: "c1.large" }),
      'Instance "web" is replaced.',
    ],
    [
      "a deleted instance whose boot volume stays",
      changeOf("instance", { ...machine, deleteOnTermination: false }, undefined),
      [],
    ],
    [
      "a replaced instance whose boot volume stays until this change",
      changeOf(
        "instance",
        { ...machine, deleteOnTermination: false },
        { ...machine, instanceType: "c1.large" },
      ),
      [],
    ],
    ["a deleted batch", changeOf("instance-batch", batch, undefined), 'Instance batch "workers" is deleted.'],
    [
      "an instance that is switched off",
      changeOf("instance", { ...machine, powerState: "running" }, { ...machine, powerState: "stopped" }),
      [],
    ],
  ]),
  ...casesOf("DATA-03", [
    [
      "a flag that is switched on",
      changeOf("bucket", unforced, { ...bucket, forceDestroy: true }),
      "force_destroy is switched on",
    ],
    [
      "a removed flag whose default is on",
      changeOf("instance", { ...machine, deleteOnTermination: false }, machine),
      "delete_on_termination is removed",
    ],
    [
      "an explicit flag that was on by default",
      changeOf("instance", machine, { ...machine, deleteOnTermination: true }),
      [],
    ],
    [
      "a flag that is switched off",
      changeOf("instance", machine, { ...machine, deleteOnTermination: false }),
      [],
    ],
    [
      "a flag that is known only after the apply",
      changeOf("bucket", unforced, { ...bucket, forceDestroy: UNKNOWN }),
      { confidence: "likely", text: "known only after the apply" },
    ],
    [
      "a flag that a new object of the plan determines",
      [
        changeOf("volume", undefined, volume),
        changeOf(
          "bucket",
          unforced,
          { ...bucket, forceDestroy: UNKNOWN },
          { originsOf: () => [{ address: "kcloud_volume.data", attribute: "id" }] },
        ),
      ],
      [],
    ],
    ["a new bucket with the flag on", changeOf("bucket", undefined, { ...bucket, forceDestroy: true }), []],
  ]),
  ...casesOf("DATA-04", [
    ["a deleted bucket", changeOf("bucket", bucket, undefined), 'Bucket "backups" is deleted.'],
    [
      "a renamed bucket",
      changeOf("bucket", bucket, { ...bucket, name: "copies" }, { name: "backups" }),
      'Bucket "backups" is replaced.',
    ],
    [
      "a bucket whose delete is rejected while it contains objects",
      changeOf("bucket", { name: "backups" }, undefined),
      {
        severity: "medium",
        confidence: "needs a live check",
        text: 'Bucket "backups" is deleted, unless it contains objects: then the API rejects the delete.',
      },
    ],
    [
      "a renamed bucket that keeps versions and is emptied from now on",
      changeOf(
        "bucket",
        { ...bucket, forceDestroy: false },
        { ...bucket, name: "copies" },
        { name: "backups" },
      ),
      {
        severity: "medium",
        confidence: "needs a live check",
        text: "Previous versions of its objects are lost with it.",
      },
    ],
    ["a bucket that gets a tag", changeOf("bucket", bucket, { ...bucket, tags: { a: "b" } }), []],
    ["a forgotten bucket", changeOf("bucket", bucket, undefined, { action: "forget" }), []],
  ]),
  ...casesOf("DATA-05", [
    [
      "versioning switched off",
      changeOf("bucket", bucket, { ...bucket, versioning: false }),
      "no longer keeps previous versions",
    ],
    [
      "versioning removed",
      changeOf("bucket", bucket, { name: "backups", forceDestroy: false }),
      "no longer keeps previous versions",
    ],
    [
      "versioning that is known only after the apply",
      changeOf("bucket", bucket, { ...bucket, versioning: UNKNOWN }),
      { confidence: "likely", text: "may no longer keep" },
    ],
    ["versioning switched on", changeOf("bucket", { ...bucket, versioning: false }, bucket), []],
  ]),
  ...casesOf("DATA-06", [
    [
      "a batch that shrinks",
      changeOf("instance-batch", batch, { ...batch, machineCount: 1 }),
      "machine_count changes from 3 to 1",
    ],
    [
      "a batch that shrinks and keeps its boot volumes",
      changeOf(
        "instance-batch",
        { ...batch, deleteOnTermination: false },
        { ...batch, deleteOnTermination: false, machineCount: 1 },
      ),
      { severity: "medium", text: "machine_count changes from 3 to 1" },
    ],
    [
      "a batch that shrinks and discards its boot volumes from now on",
      changeOf("instance-batch", { ...batch, deleteOnTermination: false }, { ...batch, machineCount: 1 }),
      { severity: "critical", text: "machine_count changes from 3 to 1" },
    ],
    [
      "a batch that shrinks and keeps its boot volumes from now on",
      changeOf("instance-batch", batch, { ...batch, deleteOnTermination: false, machineCount: 1 }),
      { severity: "medium", text: "machine_count changes from 3 to 1" },
    ],
    ["a batch that grows", changeOf("instance-batch", batch, { ...batch, machineCount: 5 }), []],
    [
      "a batch whose size is a computed value of an object that the plan creates",
      [changeOf("volume", undefined, volume), sizedBy("kcloud_volume.data", "id")],
      [],
    ],
    [
      "a batch whose size is a configured value of an object that the plan creates",
      [changeOf("volume", undefined, volume), sizedBy("kcloud_volume.data", "size_gb")],
      { confidence: "likely", text: "known only after the apply" },
    ],
    [
      "a batch whose size is a value of an object that stays",
      [unchanged("volume", volume), sizedBy("kcloud_volume.data", "id")],
      { confidence: "likely", text: "known only after the apply" },
    ],
    [
      "a batch whose size is a value of another provider's new object",
      [
        { ...changeOf("volume", undefined, volume), resource: undefined, address: "random_integer.size" },
        sizedBy("random_integer.size", "result"),
      ],
      { confidence: "likely", text: "known only after the apply" },
    ],
    [
      "a batch of a size that is known only after the apply",
      changeOf("instance-batch", batch, { ...batch, machineCount: UNKNOWN }),
      {
        confidence: "likely",
        text: "machine_count is known only after the apply. If it becomes smaller, the rest is deleted.",
      },
    ],
  ]),
  ...casesOf("DATA-07", [
    [
      "an image that an instance refers to",
      [changeOf("image", image, undefined, { id: "image-1" }), unchanged("instance", machine)],
      'instance "web" refers to it',
    ],
    [
      "a template that a batch refers to",
      [
        changeOf("instance-template", { name: "t" }, undefined, { id: "template-1" }),
        unchanged("instance-batch", batch),
      ],
      'instance batch "workers" refers to it',
    ],
    [
      "an image that is deleted with its instance",
      [changeOf("image", image, undefined, { id: "image-1" }), changeOf("instance", machine, undefined)],
      [],
    ],
    [
      "an image that nothing refers to",
      [changeOf("image", image, undefined), unchanged("instance", machine)],
      [],
    ],
  ]),
  ...casesOf("DATA-08", [
    ["a deleted pod", changeOf("ai-pod", pod, undefined), 'Ai pod "train" is deleted.'],
    [
      "a pod that is stopped",
      changeOf("ai-pod", { ...pod, powerState: "running" }, { ...pod, powerState: "stopped" }),
      [],
    ],
  ]),
  ...casesOf("DATA-09", [
    [
      "a shared volume that grows",
      changeOf("volume", { ...volume, multiattach: true }, { ...volume, multiattach: true, sizeGb: 20 }),
      "can be attached to several instances",
    ],
    [
      "a shared volume that is detached",
      [
        unchanged("volume", { ...volume, multiattach: true }, { id: "volume-1" }),
        changeOf("volume-attachment", { vpcId, volumeId: "volume-1", instanceId: "instance-1" }, undefined),
      ],
      'Volume "data" is detached',
    ],
    [
      "a shared volume that is deleted with its attachment",
      [
        changeOf("volume", { ...volume, multiattach: true }, undefined, { id: "volume-1" }),
        changeOf("volume-attachment", { vpcId, volumeId: "volume-1", instanceId: "instance-1" }, undefined),
      ],
      [],
    ],
    [
      "a volume of one instance that is detached",
      [
        unchanged("volume", volume, { id: "volume-1" }),
        changeOf("volume-attachment", { vpcId, volumeId: "volume-1", instanceId: "instance-1" }, undefined),
      ],
      [],
    ],
    ["a volume of one instance that grows", changeOf("volume", volume, { ...volume, sizeGb: 20 }), []],
  ]),
  ...casesOf("DATA-10", [
    ["a deleted object", changeOf("object", content, undefined), "is deleted with its content"],
    [
      "an object that moves to another bucket with different content",
      changeOf("object", content, { ...content, bucketId: "bucket-2", content: "bye" }),
      "is replaced, and its content changes",
    ],
    [
      "an object that moves to another bucket",
      changeOf("object", content, { ...content, bucketId: "bucket-2" }),
      [],
    ],
    [
      "an object that gets different content",
      changeOf("object", content, { ...content, content: "bye" }),
      [],
    ],
    ["a forgotten object", changeOf("object", content, undefined, { action: "forget" }), []],
  ]),
  ...casesOf("DATA-11", [
    [
      "an upload of a file that the apply reads",
      changeOf("object", undefined, {
        bucketId: "bucket-1",
        key: "app.zip",
        source: "build/app.zip",
        checksum: UNKNOWN,
      }),
      'the content of object "it": the apply reads "build/app.zip"',
    ],
    [
      "new content that follows from another change",
      changeOf("object", { ...content, checksum: "00" }, { ...content, content: UNKNOWN, checksum: UNKNOWN }),
      "does not show the content of object",
    ],
    [
      "an upload whose content and digest are known",
      changeOf("object", undefined, { ...content, checksum: "00" }),
      [],
    ],
    ["a deleted object", changeOf("object", { ...content, checksum: "00" }, undefined), []],
  ]),
  ...casesOf("DATA-04", [
    [
      "a bucket that is deleted together with its objects",
      [
        changeOf("bucket", unforced, undefined),
        changeOf("object", { ...content, bucketId: "bucket-backups-id" }, undefined),
      ],
      'Bucket "backups" is deleted together with object "it" in it.',
    ],
  ]),
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
  ...casesOf("DATA-12", [
    [
      "a new lifecycle rule of a bucket that exists, and one that is switched on",
      [
        changeOf("lifecycle-rule", undefined, { ...aging, expirationDays: 1 }),
        changeOf(
          "lifecycle-rule",
          { ...aging, enabled: false, noncurrentDays: 2 },
          { ...aging, enabled: true, noncurrentDays: 2 },
        ),
      ],
      ["expiration_days is 1", "enabled changes from false to true"],
    ],
    [
      "fewer versions, and an age by another attribute",
      [
        changeOf(
          "lifecycle-rule",
          { ...aging, newerNoncurrentVersions: 5 },
          { ...aging, newerNoncurrentVersions: 2 },
        ),
        changeOf("lifecycle-rule", { ...aging, attribute: "created" }, { ...aging, attribute: "modified" }),
      ],
      ["newer_noncurrent_versions changes from 5 to 2", "attribute changes from created to modified"],
    ],
    [
      "rules that discard later, are off, or are of a new bucket",
      [
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
      ],
      [],
    ],
  ]),
  ...casesOf("DATA-13", [
    [
      "content that is overwritten",
      changeOf("object", content, { ...content, content: "other" }),
      'The content of object "it" is overwritten.',
    ],
    [
      "content that is overwritten in a bucket with versions",
      [
        changeOf(
          "object",
          { ...content, bucketId: "bucket-backups-id" },
          { ...content, bucketId: "bucket-backups-id", content: "other" },
        ),
        unchanged("bucket", bucket),
      ],
      { severity: "low", text: "is overwritten" },
    ],
    [
      "content that the apply may overwrite",
      changeOf("object", content, { ...content, content: UNKNOWN, checksum: UNKNOWN }),
      { confidence: "likely", text: "may be overwritten" },
    ],
    [
      "an object that is renamed, which DATA-14 covers",
      changeOf("object", content, { ...content, key: "b" }),
      [],
    ],
  ]),
  ...casesOf("DATA-14", [
    [
      "an object that is renamed",
      changeOf("object", content, { ...content, key: "logs/old.txt" }),
      'gets the key "logs/old.txt"',
    ],
    ["an object with other content", changeOf("object", content, { ...content, content: "other" }), []],
  ]),
  ...casesOf("DATA-02", [
    [
      "a deleted instance whose flag cannot be read",
      changeOf("instance", machine, undefined, {
        before: { ...changeOf("instance", machine, undefined).before, deleteOnTermination: UNKNOWN },
      }),
      { confidence: "likely", text: 'Instance "web" is deleted.' },
    ],
  ]),
  ...casesOf("DATA-04", [
    [
      "a deleted bucket whose flag cannot be read",
      changeOf("bucket", bucket, undefined, {
        before: { ...changeOf("bucket", bucket, undefined).before, forceDestroy: UNKNOWN },
      }),
      { confidence: "likely", text: 'Bucket "backups" is deleted.' },
    ],
  ]),
  ...casesOf("DATA-12", [
    [
      "a rule that deletes earlier, if it is on",
      changeOf(
        "lifecycle-rule",
        { ...aging, enabled: true, expirationDays: 30 },
        { ...aging, enabled: UNKNOWN, expirationDays: 7 },
      ),
      { confidence: "likely", text: "may discard objects that are kept now" },
    ],
  ]),
];
