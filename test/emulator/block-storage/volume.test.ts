import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

const seed = { name: undefined, volumetype: undefined, availability_zone: undefined };
const missing = "404 Unable to fetch volume";
const volume = { volume: "{create_volume.volume.id}" };
const newer = { "k-tenant-id": "{vpc other}" };

scenario("a volume is created, becomes available, is deleted and disappears", [
  "create_vpc",
  ["create_volume", {}, { "volume.status": "creating" }],
  ["get_volume", {}, { status: "creating", last_action: "create", last_action_status: "processing" }],
  ["delete_volume", {}, "409 volume data is creating"],
  ["update_volume", {}, "409 volume data is creating"],
  ["create_volume", { source: { type: "volume", id: "{volume}" } }, "409 volume data is creating"],
  1000,
  [
    "get_volume",
    {},
    { status: "available", last_action_status: "success", last_action_log: "", attachments: [] },
  ],
  ["get_volume", {}, { status: "success", state: "available" }, { volumeStatus: "last-action" }],
  ["get_volume", { "k-tenant-id": undefined, volume: "{create_volume.volume.id}" }, 200],
  ["delete_volume", { force: "true" }, "400 query force: only for a failed volume"],
  ["delete_volume", {}, 202],
  ["get_volume", {}, { status: "deleting", last_action: "delete", last_action_status: "processing" }],
  ["update_volume", {}, "409 volume data is deleting"],
  ["delete_volume", {}, "409 data is already being deleted"],
  ["delete_volume", {}, missing, { repeatedDelete: 404 }],
  ["delete_volume", {}, 204, { repeatedDelete: 202, volumeDeleteStatus: 204 }],
  1000,
  ["get_volume", volume, missing],
]);

scenario("a volume has the fields of the seed document too, and a tenant unless there is one VPC", [
  "create_vpc",
  [
    "create_volume",
    {
      ...seed,
      volumeName: "a",
      volumeType: "__DEFAULT__",
      availabilityZone: "nova",
      multiattach: undefined,
      qos: undefined,
      source: undefined,
    },
    202,
  ],
  [
    "get_volume",
    volume,
    {
      name: "a",
      volume_type: "__DEFAULT__",
      multiattach: false,
      qos: null,
      source: null,
      source_type: null,
      bootable: false,
      encrypted: false,
    },
  ],
  ["create_volume", { volumeName: "data" }, { "volume.status": "creating" }],
  ["create_volume", { volumeName: "other" }, "400 volumeName: disagrees with name"],
  ["create_volume", { size: 0 }, "400 size: must be 1 or more (GB)"],
  ["create_volume", { size: 1.5 }, "400 size: must be of type int"],
  ["create_volume", { metadata: { a: 1 } }, "400 metadata.a: must be of type string"],
  ["create_volume", { "qos.iops.read_iops_sec": -1 }, 400],
  ["create_volume", { name: "a-error-507" }, "507 refused because of the name a-error-507"],
  ["create_volume", {}, "409 volume data already exists", { equalNames: false }],
  [
    "create_volume",
    { "k-tenant-id": undefined },
    { id: expect.any(String), status: "creating" },
    { volumeCreateShape: "flat" },
  ],
  ["create_volume", { "source.id": "x" }, expect.stringMatching(/^404 image x not found; there are krn:vm:/)],
  ["create_volume", { source: { type: "volume", id: "x" } }, missing],
  ["create_volume", { source: { type: "snapshot", id: "x" } }, "404 snapshot x not found"],
  "create_vpc other",
  ["create_volume", { "k-tenant-id": undefined }, "400 header k-tenant-id: required"],
  ["create_volume", newer, 202],
  ["list_volumes", newer, { length: 1 }],
  ["get_volume", newer, missing],
  ["delete_volume", newer, missing],
  ["delete_vpc", {}, 409],
  ["create_vpc", { "vpc.name": "new" }, 202],
  ["create_volume", { "k-tenant-id": "{vpc new}" }, "409 VPC new is not ready: BUILD"],
]);

scenario("a volume that fails by its name ends in error and is deleted by force, or fails to be deleted", [
  "create_vpc",
  ["create_volume", { name: "a-fails" }, 202],
  1000,
  [
    "get_volume",
    volume,
    { state: "error", last_action_status: "failed", last_action_log: "failed because of the name a-fails" },
  ],
  ["get_volume", volume, { state: "failed-creating" }, { volumeFailedWord: "failed-creating" }],
  ["delete_volume", { ...volume, force: "true" }, 202],
  ["create_volume", { name: "b-undeletable" }, 202],
  1000,
  ["delete_volume", volume, 202],
  ["get_volume", volume, { state: "deleting" }],
  1000,
  [
    "get_volume",
    volume,
    { state: "error_deleting", last_action_log: "not deleted because of the name b-undeletable" },
  ],
]);

scenario("a volume changes in place, in size and type by a task, and never shrinks", [
  "create_vpc",
  "create_volume",
  ["extend_volume", { "input.newSize": 10 }, "400 input.newSize: must be above the present 10 GB"],
  ["extend_volume", { "input.newSize": 0 }, "400 input.newSize: must be 1 or more (GB)"],
  ["extend_volume", {}, { message: "extend accepted" }],
  ["get_volume", {}, { size: 10, last_action: "extend", last_action_status: "processing" }],
  ["extend_volume", {}, "409 volume data is busy: extend"],
  ["delete_snapshot_policy", {}, "404 volume data has no snapshot policy"],
  1000,
  ["get_volume", {}, { size: 20, last_action_status: "success", updated_at: "2026-01-01T00:00:02.000Z" }],
  ["extend_volume", { "input.newSize": 15 }, "400 input.newSize: must be above the present 20 GB"],
  ["change_volume_type", {}, { message: "type change accepted" }],
  ["get_volume", {}, { volume_type: "ssd", encrypted: false, last_action: "change_type" }],
  1000,
  ["get_volume", {}, { volume_type: "HNSS_Encrypted", encrypted: true, Size: undefined }],
  [
    "get_volume",
    {},
    {
      Name: "data",
      Size: "20",
      volumetype: "HNSS_Encrypted",
      multi_attached_enabled: true,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
    { volumeSpelling: "alias" },
  ],
  [
    "update_volume",
    { "volume.name": undefined, "volume.metadata": { b: "3" } },
    { name: "data", description: "new", metadata: { b: "3" }, last_action: "update" },
  ],
  ["update_volume", { "volume.name": "a-error-503" }, "503 refused because of the name a-error-503"],
  [
    "update_volume",
    { "volume.name": "renamed", "volume.description": undefined },
    202,
    { volumeUpdateStatus: 202 },
  ],
  ["extend_volume", { "input.newSize": 40, volume: "{volume renamed}" }, 204, { volumeExtendStatus: 204 }],
]);

scenario("the list lags behind, the exact read does not", [
  "create_vpc",
  { listingLagMs: 2000 },
  "create_volume",
  ["list_volumes", {}, { length: 0 }],
  ["get_volume", {}, { status: "available" }],
  1000,
  ["list_volumes", {}, { "0.status": "creating" }],
  1000,
  ["delete_volume", {}, 202],
  1000,
  ["list_volumes", {}, { "0.status": "available" }],
  2000,
  ["list_volumes", {}, { length: 0 }],
]);

scenario("a policy is set once, shown by the volume and removed", [
  "create_vpc",
  "create_volume",
  ["create_snapshot_policy", { max_snapshots_allowed: 0 }, "400 max_snapshots_allowed: must be 1 or more"],
  ["create_snapshot_policy", {}, { message: "snapshot policy created" }],
  ["create_snapshot_policy", {}, "409 volume data has a snapshot policy"],
  ["create_backup_policy", {}, { message: "backup policy created" }],
  ["create_backup_policy", {}, "409 volume data has a backup policy"],
  ["get_volume", {}, { "snapshot_policy.max_snapshots_allowed": 7, "backup_policy.max_backups_allowed": 5 }],
  ["delete_snapshot_policy", {}, 204],
  ["get_volume", {}, { snapshot_policy: null, "backup_policy.name": "nightly" }],
  ["delete_snapshot_policy", {}, "404 volume data has no snapshot policy"],
  ["delete_volume", {}, 202],
  ["delete_backup_policy", {}, "409 volume data is deleting"],
]);
