import type { Emulator } from "../../../emulator/emulator.ts";
import { type Cloud, key, makeKey, publicKey, withAction } from "../scene.ts";

/** Changes that are applied for real, most of them with a fault in the middle; `record.ts` records what the engines write. */

const volume = (name: string, more: object = {}) => ({
  ...{ vpc_id: "${kcloud_vpc.net.id}", name, size_gb: 5, volume_type: "ssd" },
  ...more,
});

/** End of an apply other than by itself: a signal after the first line with this text. */
export interface Stop {
  readonly text: string;
  readonly signal: NodeJS.Signals;
}

interface Scene {
  readonly name: string;
  readonly prepare?: (cloud: Cloud) => Promise<unknown>;
  /** Faults of the apply, after the plan. */
  readonly faults?: (emulator: Emulator) => void;
  readonly stop?: Stop;
}

export interface TerraformApply extends Scene {
  readonly engines: readonly ("terraform" | "opentofu")[];
  readonly before: object;
  /** Configuration whose apply fails by the fault `deny` of this operation, before the recorded one. */
  readonly failing?: { readonly configuration: object; readonly operation: string };
  /** True if another apply holds the lock of the state. */
  readonly isLocked?: true;
  readonly after: object;
}

export interface PulumiApply extends Scene {
  readonly before: string;
  /** Program whose update fails by the fault `deny` of this operation, before the recorded one. */
  readonly failing?: { readonly program: string; readonly operation: string };
  readonly after: string;
  /** Program of the update, if it differs from the one of the preview. */
  readonly applied?: string;
}

const both = ["terraform", "opentofu"] as const;
const net = { kcloud_vpc: { net: { name: "net" } } };
export const deny = (emulator: Emulator, target: string, naming?: string): void => {
  emulator.faults.add({ target, kind: "403", when: "before", naming });
};

const reports = (name: string) => ({
  resource: { kcloud_access_key: { reports: { name, lifecycle: { create_before_destroy: true } } } },
});

const stack = {
  resource: {
    ...net,
    kcloud_volume: {
      data: volume("data"),
      old: volume("old"),
      logs: volume("logs"),
      shape: volume("shape", { availability_zone: "nova" }),
    },
    kcloud_ssh_key: { a: key("a") },
  },
};

const changed = {
  removed: [{ from: "kcloud_volume.logs", lifecycle: { destroy: false } }],
  moved: [{ from: "kcloud_ssh_key.a", to: "kcloud_ssh_key.b" }],
  import: [{ to: "kcloud_ssh_key.found", id: "found" }],
  resource: {
    ...net,
    kcloud_volume: {
      data: volume("data", { size_gb: 8 }),
      shape: volume("shape", { multiattach: true }),
      fresh: volume("fresh"),
      copy: volume("copy", { source: { id: "${kcloud_volume.fresh.id}", type: "volume" } }),
    },
    kcloud_ssh_key: { b: key("a"), found: key("found") },
    terraform_data: {
      note: { input: "one", provisioner: [{ "local-exec": { command: "echo noted" } }] },
    },
  },
  data: { kcloud_ssh_key: { late: { name: "found", depends_on: ["terraform_data.note"] } } },
  output: { late: { value: "${data.kcloud_ssh_key.late.id}" } },
};

export const terraformApplies: readonly TerraformApply[] = [
  { name: "done", engines: both, prepare: makeKey("found"), before: stack, after: changed },
  {
    name: "failed",
    engines: both,
    prepare: makeKey("found"),
    before: stack,
    after: changed,
    faults: (emulator) => {
      deny(emulator, "create_volume", '"fresh"');
      deny(emulator, "delete_volume");
    },
  },
  {
    name: "half-replaced",
    engines: ["terraform"],
    before: stack,
    after: {
      resource: {
        ...stack.resource,
        kcloud_volume: { ...stack.resource.kcloud_volume, shape: volume("shape", { multiattach: true }) },
      },
    },
    faults: (emulator) => deny(emulator, "create_volume", '"shape"'),
  },
  {
    name: "deposed",
    engines: ["terraform"],
    before: {
      resource: {
        kcloud_access_key: { reports: { name: "reports", lifecycle: { create_before_destroy: true } } },
      },
    },
    after: {
      resource: {
        kcloud_access_key: { reports: { name: "reports-2", lifecycle: { create_before_destroy: true } } },
      },
    },
    faults: (emulator) => deny(emulator, "delete_access_key"),
  },
  {
    name: "left-over",
    engines: ["terraform"],
    before: reports("reports"),
    failing: { configuration: reports("reports-2"), operation: "delete_access_key" },
    after: reports("reports-2"),
  },
  {
    name: "locked",
    engines: both,
    before: stack,
    after: changed,
    prepare: makeKey("found"),
    faults: (emulator) =>
      void emulator.faults.add({ target: "create_volume", kind: "delay", delayMs: 4_000, when: "before" }),
    isLocked: true,
  },
  {
    name: "tainted",
    engines: ["terraform"],
    before: { resource: net },
    after: {
      resource: {
        ...net,
        kcloud_volume: {
          data: volume("data", {
            provisioner: [{ "local-exec": { command: "echo canary-provisioner-Ab12Cd; exit 3" } }],
          }),
        },
      },
    },
  },
  {
    name: "killed",
    engines: ["terraform"],
    before: stack,
    after: changed,
    prepare: makeKey("found"),
    faults: (emulator) =>
      void emulator.faults.add({ target: "create_volume", kind: "delay", delayMs: 4_000, when: "before" }),
    stop: { text: "kcloud_volume.fresh: Creating", signal: "SIGKILL" },
  },
  {
    name: "interrupted",
    engines: ["terraform"],
    before: stack,
    after: changed,
    prepare: makeKey("found"),
    faults: (emulator) =>
      void emulator.faults.add({ target: "create_volume", kind: "delay", delayMs: 3_000, when: "before" }),
    stop: { text: "kcloud_volume.fresh: Creating", signal: "SIGINT" },
  },
  {
    name: "action",
    engines: ["terraform"],
    before: { resource: { kcloud_ssh_key: { one: key("one") } } },
    after: withAction,
  },
];

const head = `"use strict";
const pulumi = require("@pulumi/pulumi");
const kcloud = require("@kcloud/iac/pulumi");
const publicKey = "${publicKey}";
const net = new kcloud.Vpc("net", { name: "net" });
const volume = (logical, inputs, options) =>
  new kcloud.Volume(logical, { vpcId: net.id, name: logical, sizeGb: 5, volumeType: "ssd", ...inputs }, options);
`;
const program = `${head}
volume("data");
volume("old");
volume("logs", {}, { retainOnDelete: true });
volume("shape");
new kcloud.SshKey("a", { name: "a", publicKey });
`;
const changedProgram = `${head}
volume("data", { sizeGb: 8 });
volume("shape", { multiattach: true }, { deleteBeforeReplace: true });
const fresh = volume("fresh");
volume("copy", { source: { id: fresh.id, type: "volume" } });
new kcloud.SshKey("b", { name: "a", publicKey }, { aliases: [{ name: "a" }] });
new kcloud.SshKey("found", { name: "found", publicKey }, { import: "found" });
`;

export const pulumiApplies: readonly PulumiApply[] = [
  { name: "done", prepare: makeKey("found"), before: program, after: changedProgram },
  {
    name: "failed",
    prepare: makeKey("found"),
    before: program,
    after: changedProgram,
    faults: (emulator) => {
      deny(emulator, "create_volume", '"fresh"');
      deny(emulator, "delete_volume");
    },
  },
  {
    name: "half-replaced",
    before: program,
    after: program.replace(
      'volume("shape")',
      'volume("shape", { multiattach: true }, { deleteBeforeReplace: true })',
    ),
    faults: (emulator) => deny(emulator, "create_volume", '"shape"'),
  },
  {
    name: "deposed",
    before: `${head}new kcloud.AccessKey("reports", { name: "reports" });\n`,
    after: `${head}new kcloud.AccessKey("reports", { name: "reports-2" });\n`,
    faults: (emulator) => deny(emulator, "delete_access_key"),
  },
  {
    name: "left-over",
    before: `${head}new kcloud.AccessKey("reports", { name: "reports" });\n`,
    failing: {
      program: `${head}new kcloud.AccessKey("reports", { name: "reports-2" });\n`,
      operation: "delete_access_key",
    },
    after: `${head}new kcloud.AccessKey("reports", { name: "reports-2" });\n`,
  },
  {
    name: "killed",
    prepare: makeKey("found"),
    before: program,
    after: changedProgram,
    faults: (emulator) =>
      void emulator.faults.add({ target: "create_volume", kind: "delay", delayMs: 4_000, when: "before" }),
    stop: { text: "fresh creating", signal: "SIGKILL" },
  },
  {
    name: "retained",
    before: `${head}volume("logs", {}, { retainOnDelete: true });\n`,
    after: `${head}volume("logs", { name: "logs-2", multiattach: true }, { retainOnDelete: true });\n`,
  },
  {
    name: "other-values",
    before: program,
    after: program.replace('volume("data")', 'volume("data", { sizeGb: 8 })').replace('volume("old");\n', ""),
    applied: program
      .replace('volume("data")', 'volume("data", { sizeGb: 9 })')
      .replace('volume("logs",', 'volume("extra");\nvolume("logs",'),
  },
];
