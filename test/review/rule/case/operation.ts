import { secret, UNKNOWN } from "../../../../provider/core/value.ts";
import type { Change } from "../../../../review/model/change.ts";
import { changeOf, planOf, unchanged } from "../../change-of.ts";
import type { RuleCase } from "./case.ts";

const vpcId = "vpc-1";
const volume = { vpcId, name: "data", sizeGb: 10, region: "north" };
const instance = { vpcId, name: "web", instanceType: "c1.small", powerState: "running" };
const bucket = { name: "backups" };
const key = (name: string) => ({ name });
const gone = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => changeOf("ssh-key", key(`k${from + at}`), undefined));
const kept = (count: number) => Array.from({ length: count }, (_, at) => unchanged("ssh-key", key(`s${at}`)));

const running = { ...instance, powerState: "running" };
const attachment = { vpcId, volumeId: "volume-1", instanceId: "instance-web-id", mountPartition: "/dev/vdb" };
/** Returns a change of an object of another provider. */
const foreign = (type: string, name: string, action: Change["action"]): Change => ({
  ...changeOf("volume", volume, undefined),
  ...{ type, address: `${type}.${name}`, resource: undefined, action, name, before: {}, after: undefined },
});

export const operationCases: readonly RuleCase[] = [
  {
    rule: "OPS-01",
    name: "a deleted bucket",
    plans: [planOf([changeOf("bucket", bucket, undefined)])],
    finds: ["requires a one-time password; plan needs 1 password in all"],
  },
  {
    rule: "OPS-01",
    name: "a deleted volume",
    plans: [planOf([changeOf("volume", volume, undefined)])],
    finds: [],
  },
  {
    rule: "OPS-01",
    name: "a forgotten bucket",
    plans: [planOf([changeOf("bucket", bucket, undefined, { action: "forget" })])],
    finds: [],
  },

  {
    rule: "OPS-02",
    name: "an instance that is stopped",
    plans: [planOf([changeOf("instance", instance, { ...instance, powerState: "stopped" })])],
    finds: ['Instance "web" is stopped.'],
  },
  {
    rule: "OPS-02",
    name: "a restart by another text",
    plans: [
      planOf([
        changeOf(
          "instance",
          { ...instance, restartWhenChanged: { a: "1", b: "1" } },
          { ...instance, restartWhenChanged: { a: "2", b: "2" } },
        ),
      ]),
    ],
    finds: ['Instance "web" is restarted.'],
  },
  {
    rule: "OPS-02",
    name: "a restart by a further text",
    plans: [
      planOf([
        changeOf(
          "instance",
          { ...instance, restartWhenChanged: { a: "1" } },
          { ...instance, restartWhenChanged: { a: "1", b: "1" } },
        ),
      ]),
    ],
    finds: ['Instance "web" is restarted.'],
  },
  {
    rule: "OPS-02",
    name: "the first text, which restarts nothing",
    plans: [planOf([changeOf("instance", instance, { ...instance, restartWhenChanged: { a: "1" } })])],
    finds: [],
  },
  {
    rule: "OPS-02",
    name: "an instance that is stopped with another text, which restarts nothing in addition",
    plans: [
      planOf([
        changeOf(
          "instance",
          { ...instance, restartWhenChanged: { a: "1" } },
          { ...instance, restartWhenChanged: { a: "2" }, powerState: "stopped" },
        ),
      ]),
    ],
    finds: ['Instance "web" is stopped.'],
  },
  {
    rule: "OPS-02",
    name: "an instance that is started with another text, which restarts nothing",
    plans: [
      planOf([
        changeOf(
          "instance",
          { ...instance, restartWhenChanged: { a: "1" }, powerState: "stopped" },
          { ...instance, restartWhenChanged: { a: "2" } },
        ),
      ]),
    ],
    finds: [],
  },
  {
    rule: "OPS-02",
    name: "an instance that is started",
    plans: [planOf([changeOf("instance", { ...instance, powerState: "stopped" }, instance)])],
    finds: [],
  },

  {
    rule: "OPS-02",
    name: "an instance whose power state is known only after the apply",
    plans: [planOf([changeOf("instance", instance, { ...instance, powerState: UNKNOWN })])],
    finds: [{ confidence: "likely", text: "may be stopped or restarted: power_state is known only" }],
  },
  {
    rule: "OPS-03",
    name: "a replaced instance",
    plans: [planOf([changeOf("instance", instance, { ...instance, instanceType: "c1.large" })])],
    finds: ["is replaced because of instance_type"],
  },
  {
    rule: "OPS-03",
    name: "a tainted instance",
    plans: [planOf([changeOf("instance", instance, instance, { action: "replace", cause: "tainted" })])],
    finds: ["because it is tainted"],
  },
  {
    rule: "OPS-03",
    name: "a replaced batch of instances",
    plans: [
      planOf([
        changeOf(
          "instance-batch",
          { vpcId, name: "w", templateId: "t" },
          { vpcId, name: "w", templateId: "u" },
        ),
      ]),
    ],
    finds: ["is replaced because of template_id"],
  },
  {
    rule: "OPS-03",
    name: "a replaced volume",
    plans: [planOf([changeOf("volume", volume, { ...volume, availabilityZone: "b" })])],
    finds: [],
  },
  {
    rule: "OPS-03",
    name: "a deleted instance whose boot volume stays",
    plans: [planOf([changeOf("instance", instance, undefined)])],
    finds: ['Instance "web" is deleted.'],
  },
  {
    rule: "OPS-03",
    name: "a deleted instance that is stopped",
    plans: [planOf([changeOf("instance", { ...instance, powerState: "stopped" }, undefined)])],
    finds: [{ severity: "medium", text: "is deleted" }],
  },
  {
    rule: "OPS-03",
    name: "a deleted instance whose boot volume is destroyed, which DATA-02 covers",
    plans: [
      planOf([changeOf("instance", { ...instance, bootVolume: { imageKrn: "i", sizeGb: 1 } }, undefined)]),
    ],
    finds: [],
  },
  {
    rule: "OPS-03",
    name: "a deleted inference task",
    plans: [planOf([changeOf("inference-task", { name: "serve", model: "m" }, undefined)])],
    finds: ["is deleted, which cancels its work"],
  },

  {
    rule: "OPS-04",
    name: "another program of an instance",
    plans: [planOf([changeOf("instance", { ...instance, userData: "a" }, { ...instance, userData: "b" })])],
    finds: ["has a new user_data, which replaces it"],
  },
  {
    rule: "OPS-04",
    name: "a new instance with a program",
    plans: [planOf([changeOf("instance", undefined, { ...instance, userData: "b" })])],
    finds: [],
  },
  {
    rule: "OPS-04",
    name: "an instance that is replaced and keeps its program",
    plans: [
      planOf([
        changeOf(
          "instance",
          { ...instance, userData: "a" },
          { ...instance, userData: "a", instanceType: "c1.large" },
        ),
      ]),
    ],
    finds: [],
  },

  {
    rule: "OPS-05",
    name: "a replacement that deletes first",
    plans: [planOf([changeOf("volume", volume, { ...volume, availabilityZone: "b" })])],
    finds: ["is deleted before its replacement exists"],
  },
  {
    rule: "OPS-05",
    name: "a replacement that creates first",
    plans: [
      planOf([changeOf("volume", volume, { ...volume, availabilityZone: "b" }, { order: "create first" })]),
    ],
    finds: [],
  },
  {
    rule: "OPS-05",
    name: "a rule of a group, which NET-04 covers",
    plans: [
      planOf([
        changeOf(
          "security-group-rule",
          {
            vpcId,
            securityGroupId: "g",
            direction: "ingress",
            protocol: "tcp",
            remoteIpPrefix: "10.0.0.0/8",
          },
          {
            vpcId,
            securityGroupId: "g",
            direction: "ingress",
            protocol: "udp",
            remoteIpPrefix: "10.0.0.0/8",
          },
        ),
      ]),
    ],
    finds: [],
  },

  {
    rule: "OPS-06",
    name: "protection switched off",
    plans: [planOf([changeOf("volume", { ...volume, deletionProtection: true }, volume)])],
    finds: ["is no longer protected from deletion"],
  },
  {
    rule: "OPS-06",
    name: "a protected object that is deleted",
    plans: [planOf([changeOf("volume", { ...volume, deletionProtection: true }, undefined)])],
    finds: ["the delete will be rejected"],
  },
  {
    rule: "OPS-06",
    name: "an object that the engine protects",
    plans: [planOf([changeOf("volume", volume, undefined, { isProtected: true })])],
    finds: ["the delete will be rejected"],
  },
  {
    rule: "OPS-06",
    name: "an object that the engine no longer protects",
    plans: [planOf([unchanged("volume", volume, { isProtected: true, unprotects: true })])],
    finds: ["is no longer protected from deletion"],
  },
  {
    rule: "OPS-06",
    name: "protection switched on",
    plans: [planOf([changeOf("volume", volume, { ...volume, deletionProtection: true })])],
    finds: [],
  },
  {
    rule: "OPS-06",
    name: "a protected object that grows",
    plans: [
      planOf([
        changeOf(
          "volume",
          { ...volume, deletionProtection: true },
          { ...volume, deletionProtection: true, sizeGb: 20 },
        ),
      ]),
    ],
    finds: [],
  },

  {
    rule: "OPS-07",
    name: "all objects",
    plans: [planOf(gone(2))],
    finds: ["plan deletes all of its 2 objects."],
  },
  {
    rule: "OPS-07",
    name: "a large share",
    plans: [planOf([...gone(6), ...kept(4)])],
    finds: [{ severity: "high", text: "plan deletes 6 of its 10 objects." }],
  },
  {
    rule: "OPS-07",
    name: "many objects",
    plans: [planOf([...gone(21), ...kept(200)])],
    finds: [{ severity: "high", text: "plan deletes 21 of its 221 objects." }],
  },
  { rule: "OPS-07", name: "few objects", plans: [planOf([...gone(2), ...kept(20)])], finds: [] },
  {
    rule: "OPS-07",
    name: "few deletes among objects that the input does not list",
    plans: [planOf(gone(2), { unlisted: 20 })],
    finds: [],
  },
  {
    rule: "OPS-07",
    name: "objects that are only forgotten",
    plans: [planOf(gone(5).map((change) => ({ ...change, action: "forget" as const })))],
    finds: [],
  },
  {
    rule: "OPS-07",
    name: "leftover objects of replacements",
    plans: [planOf([...gone(6).map((change) => ({ ...change, isDeposed: true as const })), ...kept(4)])],
    finds: [],
  },
  {
    rule: "OPS-07",
    name: "objects that were deleted outside",
    plans: [planOf(gone(5), { purpose: "drift" })],
    finds: [],
  },

  {
    rule: "OPS-11",
    name: "an object that was deleted",
    plans: [planOf([], { drift: [changeOf("volume", volume, undefined)] })],
    finds: ["no longer exists in the cloud"],
  },
  {
    rule: "OPS-11",
    name: "an object that was changed",
    plans: [planOf([], { drift: [changeOf("volume", volume, { ...volume, sizeGb: 20 })] })],
    finds: [],
  },

  {
    rule: "OPS-12",
    name: "a leftover object",
    plans: [planOf([changeOf("volume", volume, undefined, { isDeposed: true })])],
    finds: ["is left over from an earlier replacement"],
  },
  {
    rule: "OPS-12",
    name: "a tainted object",
    plans: [planOf([changeOf("volume", volume, volume, { action: "replace", cause: "tainted" })])],
    finds: ["is tainted"],
  },
  {
    rule: "OPS-12",
    name: "a replacement for another reason",
    plans: [planOf([changeOf("volume", volume, { ...volume, availabilityZone: "b" })])],
    finds: [],
  },

  {
    rule: "META-01",
    name: "a missing tag",
    settings: { requiredTags: ["team"] },
    plans: [
      planOf([changeOf("bucket", undefined, { ...bucket, tags: { env: "dev" }, tagsAll: { env: "dev" } })]),
    ],
    finds: ["has no tag team"],
  },
  {
    rule: "META-01",
    name: "a tag that is present",
    settings: { requiredTags: ["team"] },
    plans: [planOf([changeOf("bucket", undefined, { ...bucket, tags: { team: "a" } })])],
    finds: [],
  },
  {
    rule: "META-01",
    name: "tags that are known only after the apply",
    settings: { requiredTags: ["team"] },
    plans: [planOf([changeOf("bucket", undefined, { ...bucket, tags: UNKNOWN })])],
    finds: [],
  },
  {
    rule: "META-01",
    name: "a deleted bucket",
    settings: { requiredTags: ["team"] },
    plans: [planOf([changeOf("bucket", bucket, undefined)])],
    finds: [],
  },
  {
    rule: "META-01",
    name: "a kind without tags",
    settings: { requiredTags: ["team"] },
    plans: [planOf([changeOf("ssh-key", undefined, key("k"))])],
    finds: [],
  },

  {
    rule: "META-03",
    name: "a plan with a gap",
    plans: [planOf([], { gaps: ["it ended with an error"] })],
    finds: ["plan: it ended with an error."],
  },
  { rule: "META-03", name: "a complete plan", plans: [planOf([])], finds: [] },
  {
    rule: "META-04",
    name: "an action of another provider",
    plans: [
      planOf([], { invocations: [{ kind: "action", address: "action.it", type: "aws_lambda_invoke" }] }),
    ],
    finds: [{ severity: "high", text: "plan runs aws_lambda_invoke of action.it." }],
  },
  {
    rule: "META-07",
    name: "data sources that the apply reads, once a type",
    plans: [
      planOf([], {
        invocations: ["a", "b"].map((name) => ({
          ...{ address: `data.dns_a.${name}`, type: "data source dns_a", values: {}, kind: "read" as const },
        })),
      }),
    ],
    finds: ["plan reads data source dns_a during the apply: data.dns_a.a, data.dns_a.b."],
  },
  ...[
    { type: "data source http", values: { url: "https://example.org" } },
    { type: "data source dns_a", values: { host: secret("canary") } },
  ].map((read) => ({
    rule: "META-07",
    name: `a ${read.type} that sends`,
    plans: [planOf([], { invocations: [{ address: "data.it", kind: "read" as const, ...read }] })],
    finds: [{ severity: "high" as const, text: "during the apply" }],
  })),
  {
    rule: "META-07",
    name: "an action, which META-04 covers",
    plans: [planOf([], { invocations: [{ kind: "action", address: "action.a", type: "restart" }] })],
    finds: [],
  },
  {
    rule: "META-04",
    name: "an action",
    plans: [
      planOf([], {
        invocations: [{ kind: "action", address: "action.a", type: "restart", triggeredBy: "data.b" }],
      }),
    ],
    finds: [{ severity: "high", text: "plan runs restart of action.a, triggered by data.b." }],
  },
  {
    rule: "META-04",
    name: "a plan of objects",
    plans: [planOf([changeOf("volume", undefined, volume)])],
    finds: [],
  },
  ...[
    { name: "kcloud", source: "registry.terraform.io/evil/kcloud" },
    { name: "module.a.kcloud.west", source: "registry.terraform.io/evil/cloud" },
    { name: "pulumi:providers:kcloud::default", source: "https://example.org/plugins" },
  ].map((used) => ({
    rule: "META-08",
    name: `the provider ${used.name} from ${used.source}`,
    plans: [planOf([], { providers: [{ ...used, values: null }] })],
    finds: [`plan uses the provider ${used.source}.`],
  })),
  {
    rule: "META-08",
    name: "objects whose provider is not in the configuration any more",
    plans: [
      planOf([
        changeOf("volume", volume, undefined, { foreignSource: "registry.terraform.io/evil/kcloud" }),
        changeOf("ssh-key", { name: "a" }, undefined, { foreignSource: "registry.terraform.io/evil/kcloud" }),
      ]),
    ],
    finds: ["plan uses the provider registry.terraform.io/evil/kcloud, for 2 objects."],
  },
  {
    rule: "META-08",
    name: "sources of the package, of the policy, and of other packages",
    settings: { providers: ["registry.example.org/mirror/kcloud"] },
    plans: [
      planOf([], {
        providers: [
          ["kcloud", "registry.terraform.io/kcloud/kcloud"],
          ["kcloud.tofu", "registry.opentofu.org/kcloud/kcloud"],
          ["kcloud.mirror", "registry.example.org/mirror/kcloud"],
          ["pulumi:providers:kcloud::default", "kcloud"],
          ["random", "registry.terraform.io/hashicorp/random"],
        ].map(([name = "", source = ""]) => ({ name, source, values: null })),
      }),
    ],
    finds: [],
  },
  ...[undefined, { "": "digest" }].map((configuration) => ({
    rule: "META-09",
    name: `a command that refers to a value, ${configuration === undefined ? "of a plan in JSON" : "of a plan file"}`,
    plans: [
      planOf([], {
        ...(configuration === undefined ? {} : { configuration }),
        invocations: ["a", "b"].map((name) => ({
          ...{ address: `terraform_data.${name}`, type: "provisioner local-exec" },
          ...{ kind: "command" as const, isPartial: true as const },
        })),
      }),
    ],
    finds:
      configuration === undefined
        ? ["plan does not show the whole provisioner local-exec of terraform_data.a and 1 more."]
        : [],
  })),
  {
    rule: "META-10",
    name: "failed checks, one of which is an error",
    plans: [
      planOf([], {
        messages: [
          { level: "warning", text: "check.a: is open", isCheck: true },
          { level: "error", text: "check.b: is gone", isCheck: true },
        ],
      }),
    ],
    finds: ["plan: check.a: is open", { severity: "high", text: "plan: check.b: is gone" }],
  },
  {
    rule: "META-10",
    name: "another warning of the engine",
    plans: [planOf([], { messages: [{ level: "warning", text: "a field is deprecated" }] })],
    finds: [],
  },
  {
    rule: "OPS-14",
    name: "a volume that is detached from an instance",
    plans: [planOf([changeOf("volume-attachment", attachment, undefined), unchanged("instance", running)])],
    finds: ['is deleted: its volume is detached from instance "web" while it may be in use'],
  },
  {
    rule: "OPS-14",
    name: "an attachment that is replaced on an instance that no plan shows",
    plans: [
      planOf([changeOf("volume-attachment", attachment, { ...attachment, mountPartition: "/dev/vdc" })]),
    ],
    finds: [{ confidence: "needs a live check", text: "a machine that no plan shows" }],
  },
  ...[
    unchanged("instance", { ...running, powerState: "stopped" }),
    changeOf("instance", running, undefined),
  ].map((machine) => ({
    rule: "OPS-14",
    name: `a volume that is detached from an instance that is ${machine.action === "none" ? "stopped" : "deleted"}`,
    plans: [planOf([changeOf("volume-attachment", attachment, undefined), machine])],
    finds: [],
  })),
  {
    rule: "OPS-14",
    name: "a volume that moves from an instance that runs to one that is stopped",
    plans: [
      planOf([
        changeOf("volume-attachment", attachment, { ...attachment, instanceId: "instance-spare-id" }),
        unchanged("instance", running),
        unchanged("instance", { ...running, name: "spare", powerState: "stopped" }),
      ]),
    ],
    finds: ['is replaced: its volume is detached from instance "web"'],
  },
  {
    rule: "OPS-14",
    name: "a volume of a stopped instance whose power state is known only after the apply",
    plans: [
      planOf([
        changeOf("volume-attachment", attachment, undefined),
        changeOf("instance", { ...running, powerState: "stopped" }, { ...running, powerState: UNKNOWN }),
      ]),
    ],
    finds: [{ confidence: "likely", text: 'from instance "web" while it may be in use' }],
  },
  {
    rule: "OPS-14",
    name: "an attachment whose volume is deleted too, which DATA-01 covers",
    plans: [
      planOf([
        changeOf("volume-attachment", { ...attachment, volumeId: "volume-data-id" }, undefined),
        changeOf("volume", { ...volume, name: "data" }, undefined),
      ]),
    ],
    finds: [],
  },
  {
    rule: "OPS-06",
    name: "a protected object that is removed from the state",
    plans: [
      planOf([changeOf("volume", { ...volume, deletionProtection: true }, undefined, { action: "forget" })]),
    ],
    finds: [{ severity: "medium", text: "is removed from the state, which ends its protection" }],
  },
  {
    rule: "META-11",
    name: "objects of other providers that are deleted and replaced, once a type",
    plans: [
      planOf([
        ...["a", "b"].map((name) => foreign("cloud_database", name, "delete")),
        foreign("random_password", "a", "replace"),
      ]),
    ],
    finds: [
      "plan deletes 2 × cloud_database: cloud_database.a, cloud_database.b.",
      { severity: "medium", text: "plan replaces 1 × random_password: random_password.a." },
    ],
  },
  {
    rule: "META-11",
    name: "objects of other providers that are created, and of this provider that are deleted",
    plans: [planOf([foreign("cloud_database", "a", "create"), changeOf("volume", volume, undefined)])],
    finds: [],
  },
];
