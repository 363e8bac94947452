import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

/** Two instances, `vm` and `other`, and a multiattach volume. */
const site = [
  "create_vpc",
  "create_security_group",
  "create_ssh_key",
  "create_instance",
  ["create_instance", { instanceName: "other", volume_name: "other-disk" }, 202],
  1000,
  "create_volume",
] as const;
const other = { "input.instanceId": "{instance other}" };
const boot = { volume: "{volume vm-disk}" };
const on = (...devices: readonly string[]) =>
  Object.fromEntries([
    ["attachments.length", devices.length],
    ...devices.map((device, i) => [`attachments.${i}.device`, device]),
  ]);

scenario("an attach returns the attachment, which the volume shows with the task until it is detached", [
  ...site,
  ["attach_volume", {}, { message: "attach accepted", "attachments.0.instance_name": "vm" }],
  ["get_volume", {}, { state: "available", ...on(), last_action: "attach" }],
  ["get_volume", {}, { last_action_status: "processing" }],
  ["attach_volume", other, "409 volume data is busy: attach"],
  [
    "create_instance",
    {
      volumes: ["{volume data}"],
      image_krn: undefined,
      volume_name: undefined,
      volume_size: undefined,
      volumetype: undefined,
      delete_on_termination: false,
    },
    "409 volume data is being attached",
  ],
  ["delete_volume", {}, "409 volume data is in use"],
  1000,
  ["get_volume", {}, { state: "in-use", ...on("/dev/vdb"), last_action_status: "success" }],
  ["get_volume", {}, { state: "attached" }, { attachedWord: "attached" }],
  ["get_volume", {}, on(), { attachmentsAfterMs: 1 }],
  [
    "get_volume",
    {},
    { "attachments.0.instance_id": expect.stringMatching(/^[0-9a-f-]{36}$/) },
    { attachmentInstance: "uuid" },
  ],
  ["get_instance", {}, { "volumes.length": 2 }],
  ["delete_volume", {}, "409 volume data is in use"],
  ["get_volume", {}, on("/dev/vdb")],
  ["detach_volume", other, "404 attachment … not found"],
  ["detach_volume", {}, { message: "detach accepted" }],
  ["get_volume", {}, { state: "in-use", last_action: "detach" }],
  1000,
  ["get_volume", {}, { state: "available", ...on() }],
  ["attach_volume", {}, { message: "attach accepted", attachments: undefined }, { attachAnswer: "message" }],
]);

scenario("a multiattach volume is attached to several instances, to each once; another to one", [
  ...site,
  "attach_volume",
  ["attach_volume", {}, "409 volume data is already attached to vm"],
  [
    "attach_volume",
    { ...other, "input.mountPartition": undefined },
    { "attachments.length": 2, "attachments.1.device": "/dev/vdz" },
  ],
  1000,
  ["get_volume", {}, { ...on("/dev/vdb", "/dev/vdz"), "attachments.1.instance_name": "other" }],
  ["create_volume", { name: "single", multiattach: false }, 202],
  1000,
  [
    "attach_volume",
    { volume: "{volume single}" },
    "409 device /dev/vdb of instance vm is in use",
    { usedDevice: "refuse" },
  ],
  ["attach_volume", { volume: "{volume single}" }, { "attachments.0.device": "/dev/vdc" }],
  1000,
  ["attach_volume", { ...other, volume: "{volume single}" }, "409 volume single is already attached to vm"],
]);

scenario("an attach needs a ready instance of the VPC, and fails by the name of the device", [
  ...site,
  "create_vpc other",
  ["attach_volume", { "input.instanceId": "x" }, "404 instance x not found"],
  ["create_instance", { instanceName: "a-fails" }, 202],
  ["attach_volume", { "input.instanceId": "{instance a-fails}" }, "409 instance a-fails is BUILD"],
  1000,
  ["attach_volume", { "input.instanceId": "{instance a-fails}" }, "409 instance a-fails is ERROR"],
  ["create_volume", { name: "far", "k-tenant-id": "{vpc other}" }, 202],
  1000,
  [
    "attach_volume",
    { volume: "{volume far}", "k-tenant-id": "{vpc other}" },
    "400 input.instanceId: instance vm is not of the volume's VPC",
  ],
  ["attach_volume", { "input.mountPartition": "/dev/vdc-fails" }, 202],
  1000,
  ["get_volume", {}, { state: "available", ...on(), last_action_status: "failed" }],
  ["get_volume", {}, { last_action_log: "failed because of the name /dev/vdc-fails" }],
  ["attach_volume", {}, 202],
]);

scenario("a boot volume stays attached, and a deleted instance frees its other volumes", [
  ...site,
  ["get_volume", boot, on("/dev/vda")],
  ["detach_volume", boot, "409 volume vm-disk is the boot volume of vm"],
  "attach_volume",
  ["delete_instance", {}, 202],
  ["get_volume", {}, { state: "in-use" }],
  2000,
  ["get_volume", {}, { state: "available", ...on() }],
]);

scenario("listings show an attachment when their lag has passed", [
  ...site,
  "attach_volume",
  { listingLagMs: 500 },
  ["list_volumes", {}, { "2.state": "available" }],
  500,
  ["list_volumes", {}, { "2.state": "in-use" }],
]);
