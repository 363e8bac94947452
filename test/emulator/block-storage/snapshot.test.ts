import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

const volume = ["create_vpc", "create_volume"];
const machine = ["create_security_group", "create_ssh_key", "create_instance"];
const boot = { volume_id: "{volume vm-disk}", name: "boot" };
const form = "must be 3 to 63 lower-case letters, digits, dots and hyphens";
const over = { volume_id: "{volume data}", name: undefined };

scenario("a snapshot is used when it is available, by KRN or UUID, and blocks the delete of its volume", [
  ...volume,
  ["create_snapshot", { name: "ab" }, `400 name: ${form}`],
  ["create_snapshot", { name: "Daily" }, `400 name: ${form}`],
  ["create_snapshot", { name: "a-error-503" }, "503 refused because of the name a-error-503"],
  ["create_snapshot", { force: undefined, description: undefined }, { "snapshot.status": "creating" }],
  ["create_snapshot", {}, "409 snapshot daily already exists", { equalNames: false }],
  ["get_snapshot", {}, { status: "creating", description: "" }],
  ["update_snapshot", {}, "409 snapshot daily is creating"],
  ["delete_snapshot", {}, "409 snapshot daily is creating"],
  ["create_volume", { source: { type: "snapshot", id: "{snapshot}" } }, "409 snapshot daily is creating"],
  1000,
  ["get_snapshot", { snapshot: "{create_snapshot.snapshot.id}" }, { status: "available", size: 10 }],
  ["get_snapshot", { snapshot: "{create_snapshot.snapshot.id}" }, { incremental: undefined }],
  ["create_volume", { name: "copy", source: { type: "snapshot", id: "{snapshot}" } }, 202],
  ["update_snapshot", { name: undefined, description: undefined }, { name: "daily", description: "" }],
  ["update_snapshot", { name: "a-error-503" }, "503 refused because of the name a-error-503"],
  ["update_snapshot", { name: "a" }, `400 name: ${form}`],
  [
    "update_snapshot",
    { "k-tenant-id": "{vpc}" },
    { name: "daily-2", updated_at: "2026-01-01T00:00:03.000Z" },
  ],
  ["delete_volume", {}, "409 volume data has snapshots: daily-2"],
  ["delete_volume", {}, 202, { volumeDeleteWithSnapshots: "keeps" }],
  1000,
  ["delete_snapshot", {}, 202],
  ["get_snapshot", {}, { status: "deleting" }],
  ["delete_snapshot", {}, "409 daily-2 is already being deleted"],
  1000,
  ["list_snapshots", {}, { length: 0 }],
]);

scenario("a snapshot fails by its name, exists in its VPC alone, and is also deleted as an image", [
  ...volume,
  "create_vpc other",
  [
    "create_snapshot",
    { name: "a-fails" },
    { id: expect.stringContaining(":snapshot:") },
    { volumeCreateShape: "flat" },
  ],
  1000,
  ["get_snapshot", {}, { status: "error" }],
  ["get_snapshot", { "k-tenant-id": "{vpc other}" }, "404 snapshot krn:… not found"],
  ["list_snapshots", { "k-tenant-id": "{vpc other}" }, { length: 0 }],
  ["delete_image", { image: "{snapshot}" }, 204],
  1000,
  ["list_snapshots", {}, { length: 0 }],
]);

scenario(
  "a copy of an attached volume needs force, and a backup is restored into a free volume or a new one",
  [
    "create_vpc",
    ...machine,
    "create_volume",
    [
      "create_snapshot",
      { ...boot, force: false },
      "409 volume vm-disk is in-use; set force to copy it in this state",
    ],
    ["create_backup", { ...boot, incremental: undefined }, { "backup.status": "creating" }],
    ["restore_backup", {}, "409 backup boot is creating"],
    1000,
    ["get_backup", {}, { incremental: false, size: 50, status: "available" }],
    ["restore_backup", over, "400 volume_id: volume data is smaller than the 50 GB of the backup"],
    ["restore_backup", { volume_id: "{volume vm-disk}" }, "409 volume vm-disk is in-use"],
    ["restore_backup", { volume_id: undefined, name: undefined }, "400 name: required"],
    [
      "restore_backup",
      { volume_id: undefined, name: "a-error-503" },
      "503 refused because of the name a-error-503",
    ],
    [
      "restore_backup",
      { volume_id: undefined, name: "data" },
      "409 volume data already exists",
      { equalNames: false },
    ],
    ["restore_backup", { volume_id: undefined }, { message: "restore accepted" }],
    [
      "get_volume",
      { volume: "{restore_backup.volume_id}" },
      { name: "again", size: 50, volume_type: "ssd", state: "creating" },
    ],
    ["extend_volume", { "input.newSize": 50 }, 202],
    1000,
    ["restore_backup", over, 202],
    ["get_volume", {}, { last_action: "restore", last_action_status: "processing" }],
    ["restore_backup", over, "409 volume data is busy: restore"],
    1000,
    ["delete_volume", {}, 202],
    ["delete_backup", {}, 202],
    ["restore_backup", {}, "409 backup boot is deleting"],
    ["delete_backup", {}, "409 boot is already being deleted"],
    ["list_backups", {}, { "0.status": "deleting" }],
    1000,
    ["list_backups", {}, { length: 0 }],
  ],
);
