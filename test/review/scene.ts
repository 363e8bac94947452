import type { Emulator } from "../../emulator/emulator.ts";

/** Small plans, each with one special case: moves, imports, drift, leftover objects, errors, other providers. */

/** Access to the cloud before the first apply. */
export interface Cloud {
  readonly emulator: Emulator;
  readonly url: string;
}

/** Scene of Terraform or OpenTofu; its configurations are in the JSON syntax. */
export interface TerraformScene {
  readonly name: string;
  readonly engines: readonly ("terraform" | "opentofu")[];
  /** Creates objects outside the engine before the first apply. */
  readonly prepare?: (cloud: Cloud) => Promise<unknown>;
  /** Configuration that is applied first; `modules` holds further folders. */
  readonly before: object;
  /** Further applies, which succeed or fail. */
  readonly steps?: readonly { readonly configuration: object; readonly fails?: true }[];
  /** Commands after the last apply. */
  readonly commands?: readonly (readonly string[])[];
  /** Changes objects outside the engine before the plan. */
  readonly outside?: (emulator: Emulator) => void;
  /** Configuration that is planned. Default: `before`. */
  readonly after?: object;
  /** Options of the plan. */
  readonly options?: readonly string[];
  /** True if the plan ends with an error. */
  readonly isErrored?: true;
}

export const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+";
/** Returns the attributes of an SSH key. */
export const key = (name: string, more: object = {}) => ({ name, public_key: publicKey, ...more });

/** Configuration whose create invokes an action of this provider. */
export const withAction = {
  resource: {
    kcloud_ssh_key: { one: key("one") },
    terraform_data: {
      release: {
        input: "2",
        lifecycle: {
          action_trigger: [{ events: ["after_create"], actions: ["action.kcloud_instance_restart.web"] }],
        },
      },
    },
  },
  action: {
    kcloud_instance_restart: {
      web: {
        config: {
          instance_id: "krn:vm:In-Bangalore-1:default:default:instance:00000000-0000-4000-8000-000000000001",
        },
      },
    },
  },
};

/** Creates an SSH key like a user of another tool, and returns its id. */
export const makeKey =
  (name: string) =>
  async ({ emulator, url }: Cloud): Promise<string[]> => {
    const response = await emulator.fetch(`${url}/v2/sshkeys`, {
      method: "POST",
      headers: { authorization: "Bearer emulator-key", "x-region": "In-Bangalore-1" },
      body: JSON.stringify({ keyName: name, publicKey }),
    });
    if (!response.ok) throw new Error(`the SSH key was not created: ${await response.text()}`);
    return [emulator.inventory.list().find((item) => item.name === name)?.krn ?? ""];
  };

/** Deletes the object of this kind and name, like a user of the console. */
const removeNamed = (kind: RegExp, name: string) => (emulator: Emulator) => {
  const found = emulator.inventory.list().find((item) => kind.test(item.kind) && item.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  emulator.inventory.remove(found.krn);
};

const keysModule = {
  variable: { names: { type: "set(string)" } },
  resource: { kcloud_ssh_key: { each: { for_each: "${var.names}", ...key("${each.key}") } } },
  output: { ids: { value: "${[for key in kcloud_ssh_key.each : key.id]}" } },
};
const modules = { keys: keysModule };
const both = ["terraform", "opentofu"] as const;
const terraform = ["terraform"] as const;

export const terraformScenes: readonly TerraformScene[] = [
  {
    name: "moved",
    engines: both,
    prepare: makeKey("found"),
    before: {
      modules,
      resource: {
        kcloud_ssh_key: {
          old: key("moved"),
          kept: key("kept"),
          counted: { count: 2, ...key("counted-${count.index}") },
        },
      },
      module: { team: { source: "./keys", count: 1, names: ["ann", "bob"] } },
      output: {
        place: { value: "here" },
        token: { value: "canary-output-Rz81kQ", sensitive: true },
        gone: { value: 1 },
      },
    },
    after: {
      modules,
      moved: [{ from: "kcloud_ssh_key.old", to: "kcloud_ssh_key.new" }],
      import: [{ to: "kcloud_ssh_key.found", id: "found" }],
      removed: [{ from: "kcloud_ssh_key.kept", lifecycle: { destroy: false } }],
      resource: {
        kcloud_ssh_key: {
          new: key("moved"),
          found: key("found"),
          counted: { count: 1, ...key("counted-${count.index}") },
        },
        terraform_data: { note: { input: { text: "foreign", count: 2 } } },
      },
      module: { team: { source: "./keys", count: 1, names: ["ann", "cid"] } },
      output: {
        place: { value: "there" },
        token: { value: "canary-output-Vw35nB", sensitive: true },
        fresh: { value: "${kcloud_ssh_key.found.id}" },
      },
    },
  },
  {
    name: "actions",
    engines: terraform,
    before: { resource: { kcloud_ssh_key: { one: key("one") } } },
    after: withAction,
  },
  {
    name: "drift",
    engines: both,
    before: { resource: { kcloud_ssh_key: { one: key("one"), two: key("two") } } },
    outside: removeNamed(/key/, "two"),
    options: ["-refresh-only"],
  },
  {
    name: "left-over",
    engines: both,
    before: {
      resource: {
        kcloud_access_key: { reports: { name: "reports", lifecycle: { create_before_destroy: true } } },
        kcloud_ssh_key: { bad: key("bad") },
      },
    },
    commands: [["taint", "kcloud_ssh_key.bad"]],
    // The replaced key cannot be deleted.
    prepare: async ({ emulator }) => emulator.faults.add({ target: "delete_access_key", kind: "403" }),
    steps: [
      {
        configuration: {
          resource: {
            kcloud_access_key: { reports: { name: "reports-2", lifecycle: { create_before_destroy: true } } },
            kcloud_ssh_key: { bad: key("bad") },
          },
        },
        fails: true,
      },
    ],
    after: {
      resource: {
        kcloud_access_key: { reports: { name: "reports-2", lifecycle: { create_before_destroy: true } } },
        kcloud_ssh_key: { bad: key("bad") },
      },
    },
  },
  {
    name: "errored",
    engines: both,
    before: { resource: { kcloud_ssh_key: { one: key("one") } } },
    after: {
      resource: {
        kcloud_ssh_key: {
          one: key("one"),
          two: key("two"),
          three: key("three", {
            depends_on: ["kcloud_ssh_key.two"],
            lifecycle: {
              precondition: [
                { condition: '${kcloud_ssh_key.one.name == "other"}', error_message: "The key is wrong." },
              ],
            },
          }),
        },
      },
    },
    isErrored: true,
  },
  {
    name: "targeted",
    engines: both,
    before: { resource: { kcloud_ssh_key: { one: key("one") } } },
    after: { resource: { kcloud_ssh_key: { one: key("one"), two: key("two"), three: key("three") } } },
    options: ["-target=kcloud_ssh_key.two"],
  },
];

/** Scene of Pulumi; its programs are JavaScript. `$ID0` is the first id that `prepare` returns. */
export interface PulumiScene {
  readonly name: string;
  readonly prepare?: (cloud: Cloud) => Promise<readonly string[]>;
  readonly before: string;
  /** Program whose `up` fails. */
  readonly failing?: string;
  readonly after?: string;
  readonly outside?: (emulator: Emulator) => void;
  /** Command and options. Default: the preview of the program. */
  readonly command?: readonly string[];
}

const head = `"use strict";
const pulumi = require("@pulumi/pulumi");
const kcloud = require("@kcloud/iac/pulumi");
const publicKey = "${publicKey}";
class Team extends pulumi.ComponentResource {
  constructor(name, options) {
    super("shop:index:Team", name, {}, options);
  }
}
const provider = { async create(inputs) { return { id: "note-1", outs: inputs }; } };
class Note extends pulumi.dynamic.Resource {
  constructor(name, inputs, options) {
    super(provider, name, inputs, options);
  }
}
`;

export const pulumiScenes: readonly PulumiScene[] = [
  {
    name: "options",
    prepare: makeKey("found"),
    before: `${head}
const team = new Team("ann");
new kcloud.SshKey("old", { name: "moved", publicKey }, { parent: team });
new kcloud.SshKey("guarded", { name: "guarded", publicKey }, { protect: true });
exports.place = "here";
exports.token = pulumi.secret("canary-output-Rz81kQ");
exports.gone = 1;
`,
    after: `${head}
const team = new Team("ann");
new kcloud.SshKey("new", { name: "moved", publicKey }, { parent: team, aliases: [{ name: "old" }] });
new kcloud.SshKey("guarded", { name: "guarded", publicKey }, { protect: true });
new kcloud.SshKey("found", { name: "found", publicKey }, { import: "found" });
new Note("note", { text: "foreign" }, { parent: team });
exports.place = "there";
exports.token = pulumi.secret("canary-output-Vw35nB");
`,
  },
  {
    name: "refresh",
    before: `${head}
new kcloud.SshKey("one", { name: "one", publicKey });
new kcloud.SshKey("two", { name: "two", publicKey });
`,
    outside: removeNamed(/key/, "two"),
    command: ["refresh", "--preview-only", "--json"],
  },
  {
    name: "destroy",
    before: `${head}
new kcloud.SshKey("one", { name: "one", publicKey });
new kcloud.SshKey("two", { name: "two", publicKey });
`,
    outside: removeNamed(/key/, "two"),
    command: ["destroy", "--preview-only", "--json", "--refresh"],
  },
  {
    name: "left-over",
    // The replaced key cannot be deleted.
    prepare: async ({ emulator }) => {
      emulator.faults.add({ target: "delete_access_key", kind: "403" });
      return [];
    },
    before: `${head}
new kcloud.AccessKey("reports", { name: "reports" });
`,
    failing: `${head}
new kcloud.AccessKey("reports", { name: "reports-2" });
`,
    command: ["preview", "--json", "--show-sames", "--show-replacement-steps"],
    after: `${head}
new kcloud.AccessKey("reports", { name: "reports-2" });
`,
  },
  {
    name: "retained",
    before: `${head}
new kcloud.SshKey("kept", { name: "kept", publicKey }, { retainOnDelete: true });
new kcloud.SshKey("renamed", { name: "renamed", publicKey }, { retainOnDelete: true });
new kcloud.SshKey("gone", { name: "gone", publicKey });
`,
    after: `${head}
new kcloud.SshKey("renamed", { name: "renamed-2", publicKey }, { retainOnDelete: true });
new kcloud.Provider("other", { region: "In-Bangalore-1" });
`,
  },
  {
    name: "renamed",
    command: ["preview", "--json", "--show-sames", "--show-replacement-steps"],
    before: `${head}
const team = new Team("ann");
new kcloud.SshKey("old", { name: "moved", publicKey }, { parent: team });
new kcloud.SshKey("first", { name: "replaced", publicKey }, { parent: team });
`,
    after: `${head}
const team = new Team("bob", { aliases: [{ name: "ann" }] });
new kcloud.SshKey("new", { name: "moved", publicKey }, { parent: team, aliases: [{ name: "old" }] });
new kcloud.SshKey("second", { name: "replaced-2", publicKey }, { parent: team, aliases: [{ name: "first" }] });
`,
  },
];
