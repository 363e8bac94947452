import { actions } from "../../../../functions/index.ts";
import { terraformType } from "../../../../provider/core/name.ts";
import { secret, UNKNOWN, type Values } from "../../../../provider/core/value.ts";
import type { Change } from "../../../../review/model/change.ts";
import type { Invocation } from "../../../../review/model/plan.ts";
import { changeOf, planOf, unchanged } from "../../change-of.ts";
import { casesOf, type RuleCase } from "./case.ts";

const vpcId = "vpc-1";
const volume = { vpcId, name: "data", sizeGb: 10, region: "north" };
const instance = { vpcId, name: "web", instanceType: "c1.small", powerState: "running" };
const bucket = { name: "backups" };
const key = (name: string) => ({ name });
const gone = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => changeOf("ssh-key", key(`k${from + at}`), undefined));
const kept = (count: number) => Array.from({ length: count }, (_, at) => unchanged("ssh-key", key(`s${at}`)));

/** Returns the invocation of an action of this provider. */
function invoked(name: string, values: Values): Invocation {
  const action = actions.find((one) => one.name === name);
  if (action === undefined) throw new Error(`there is no action ${name}`);
  return {
    kind: "action",
    address: "action.it",
    type: terraformType(name),
    action,
    values: { configuration: values },
  };
}

const running = { ...instance, powerState: "running" };
const attachment = { vpcId, volumeId: "volume-1", instanceId: "instance-web-id", mountPartition: "/dev/vdb" };
const openRule = {
  ...{ vpcId, securityGroupId: "group-1", direction: "ingress", protocol: "tcp" },
  ...{ portRangeMin: 22, portRangeMax: 22, remoteIpPrefix: "0.0.0.0/0" },
};
/** Returns a change of an object of another provider. */
const foreign = (type: string, name: string, action: Change["action"]): Change => ({
  ...changeOf("volume", volume, undefined),
  ...{ type, address: `${type}.${name}`, resource: undefined, action, name, before: {}, after: undefined },
});

export const operationCases: readonly RuleCase[] = [
  ...casesOf("OPS-01", [
    [
      "a deleted bucket",
      changeOf("bucket", bucket, undefined),
      "requires a one-time password; plan needs 1 password in all",
    ],
    ["a deleted volume", changeOf("volume", volume, undefined), []],
    ["a forgotten bucket", changeOf("bucket", bucket, undefined, { action: "forget" }), []],
  ]),
  ...casesOf("OPS-02", [
    [
      "an instance that is stopped",
      changeOf("instance", instance, { ...instance, powerState: "stopped" }),
      'Instance "web" is stopped.',
    ],
    [
      "a restart by another text",
      changeOf(
        "instance",
        { ...instance, restartWhenChanged: { a: "1", b: "1" } },
        { ...instance, restartWhenChanged: { a: "2", b: "2" } },
      ),
      'Instance "web" is restarted.',
    ],
    [
      "a restart by a further text",
      changeOf(
        "instance",
        { ...instance, restartWhenChanged: { a: "1" } },
        { ...instance, restartWhenChanged: { a: "1", b: "1" } },
      ),
      'Instance "web" is restarted.',
    ],
    [
      "the first text, which restarts nothing",
      changeOf("instance", instance, { ...instance, restartWhenChanged: { a: "1" } }),
      [],
    ],
    [
      "an instance that is stopped with another text, which restarts nothing in addition",
      changeOf(
        "instance",
        { ...instance, restartWhenChanged: { a: "1" } },
        { ...instance, restartWhenChanged: { a: "2" }, powerState: "stopped" },
      ),
      'Instance "web" is stopped.',
    ],
    [
      "an instance that is started with another text, which restarts nothing",
      changeOf(
        "instance",
        { ...instance, restartWhenChanged: { a: "1" }, powerState: "stopped" },
        { ...instance, restartWhenChanged: { a: "2" } },
      ),
      [],
    ],
    [
      "an instance that is started",
      changeOf("instance", { ...instance, powerState: "stopped" }, instance),
      [],
    ],
    [
      "an instance whose power state is known only after the apply",
      changeOf("instance", instance, { ...instance, powerState: UNKNOWN }),
      { confidence: "likely", text: "may be stopped or restarted: power_state is known only" },
    ],
  ]),
  ...casesOf("OPS-03", [
    [
      "a replaced instance",
      changeOf("instance", instance, { ...instance, instanceType: "c1.large" }),
      "is replaced because of instance_type",
    ],
    [
      "a tainted instance",
      changeOf("instance", instance, instance, { action: "replace", cause: "tainted" }),
      "because it is tainted",
    ],
    [
      "a replaced batch of instances",
      changeOf(
        "instance-batch",
        { vpcId, name: "w", templateId: "t" },
        { vpcId, name: "w", templateId: "u" },
      ),
      "is replaced because of template_id",
    ],
    ["a replaced volume", changeOf("volume", volume, { ...volume, availabilityZone: "b" }), []],
    [
      "a deleted instance whose boot volume stays",
      changeOf("instance", instance, undefined),
      'Instance "web" is deleted.',
    ],
    [
      "a deleted instance that is stopped",
      changeOf("instance", { ...instance, powerState: "stopped" }, undefined),
      { severity: "medium", text: "is deleted" },
    ],
    [
      "a deleted instance whose boot volume is destroyed, which DATA-02 covers",
      changeOf("instance", { ...instance, bootVolume: { imageKrn: "i", sizeGb: 1 } }, undefined),
      [],
    ],
    [
      "a deleted inference task",
      changeOf("inference-task", { name: "serve", model: "m" }, undefined),
      "is deleted, which cancels its work",
    ],
  ]),
  ...casesOf("OPS-04", [
    [
      "another program of an instance",
      changeOf("instance", { ...instance, userData: "a" }, { ...instance, userData: "b" }),
      "has a new user_data, which replaces it",
    ],
    ["a new instance with a program", changeOf("instance", undefined, { ...instance, userData: "b" }), []],
    [
      "an instance that is replaced and keeps its program",
      changeOf(
        "instance",
        { ...instance, userData: "a" },
        { ...instance, userData: "a", instanceType: "c1.large" },
      ),
      [],
    ],
  ]),
  ...casesOf("OPS-05", [
    [
      "a replacement that deletes first",
      changeOf("volume", volume, { ...volume, availabilityZone: "b" }),
      "is deleted before its replacement exists",
    ],
    [
      "a replacement that creates first",
      changeOf("volume", volume, { ...volume, availabilityZone: "b" }, { order: "create first" }),
      [],
    ],
    [
      "a rule of a group, which NET-04 covers",
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
      [],
    ],
  ]),
  ...casesOf("OPS-06", [
    [
      "protection switched off",
      changeOf("volume", { ...volume, deletionProtection: true }, volume),
      "is no longer protected from deletion",
    ],
    [
      "a protected object that is deleted",
      changeOf("volume", { ...volume, deletionProtection: true }, undefined),
      "the delete will be rejected",
    ],
    [
      "an object that the engine protects",
      changeOf("volume", volume, undefined, { isProtected: true }),
      "the delete will be rejected",
    ],
    [
      "an object that the engine no longer protects",
      unchanged("volume", volume, { isProtected: true, unprotects: true }),
      "is no longer protected from deletion",
    ],
    ["protection switched on", changeOf("volume", volume, { ...volume, deletionProtection: true }), []],
    [
      "a protected object that grows",
      changeOf(
        "volume",
        { ...volume, deletionProtection: true },
        { ...volume, deletionProtection: true, sizeGb: 20 },
      ),
      [],
    ],
  ]),
  ...casesOf("OPS-07", [
    ["all objects", gone(2), "plan deletes all of its 2 objects."],
    [
      "a large share",
      [...gone(6), ...kept(4)],
      { severity: "high", text: "plan deletes 6 of its 10 objects." },
    ],
    [
      "many objects",
      [...gone(21), ...kept(200)],
      { severity: "high", text: "plan deletes 21 of its 221 objects." },
    ],
    ["few objects", [...gone(2), ...kept(20)], []],
    ["few deletes among objects that the input does not list", planOf(gone(2), { unlisted: 20 }), []],
    [
      "objects that are only forgotten",
      gone(5).map((change) => ({ ...change, action: "forget" as const })),
      [],
    ],
    [
      "leftover objects of replacements",
      [...gone(6).map((change) => ({ ...change, isDeposed: true as const })), ...kept(4)],
      [],
    ],
    ["objects that were deleted outside", planOf(gone(5), { purpose: "drift" }), []],
  ]),
  ...casesOf("OPS-11", [
    [
      "an object that was deleted",
      planOf([], { drift: [changeOf("volume", volume, undefined)] }),
      "no longer exists in the cloud",
    ],
    [
      "an object that was changed",
      planOf([], { drift: [changeOf("volume", volume, { ...volume, sizeGb: 20 })] }),
      [],
    ],
  ]),
  ...casesOf("OPS-12", [
    [
      "a leftover object",
      changeOf("volume", volume, undefined, { isDeposed: true }),
      "is left over from an earlier replacement",
    ],
    [
      "a tainted object",
      changeOf("volume", volume, volume, { action: "replace", cause: "tainted" }),
      "is tainted",
    ],
    [
      "a replacement for another reason",
      changeOf("volume", volume, { ...volume, availabilityZone: "b" }),
      [],
    ],
  ]),
  ...casesOf("OPS-15", [
    [
      "an imported rule whose content is filled in",
      changeOf("security-group-rule", { vpcId, securityGroupId: "group-1" }, openRule, {
        ...{ action: "update", importedId: "rule-1", forcedBy: [] },
      }),
      {
        severity: "medium",
        text: "are not compared: the API does not show the values",
      },
    ],
    [
      "an imported instance whose script is filled in",
      changeOf(
        "instance",
        instance,
        { ...instance, userData: "x" },
        { action: "update", importedId: "i", forcedBy: [] },
      ),
      "user_data of instance",
    ],
    [
      "a step of Pulumi without a change, which records the values",
      {
        ...changeOf("security-group-rule", { vpcId, securityGroupId: "group-1" }, openRule),
        ...{ action: "none", engine: "pulumi", forcedBy: [] },
      },
      { severity: "medium", text: "are not compared: the API does not show the values" },
    ],
    ["an imported object", unchanged("volume", volume, { importedId: "volume-1" }), []],
  ]),
  ...casesOf("META-01", [
    [
      "a missing tag",
      changeOf("bucket", undefined, { ...bucket, tags: { env: "dev" }, tagsAll: { env: "dev" } }),
      "has no tag team",
      { requiredTags: ["team"] },
    ],
    [
      "a tag that is present",
      changeOf("bucket", undefined, { ...bucket, tags: { team: "a" } }),
      [],
      { requiredTags: ["team"] },
    ],
    [
      "tags that are known only after the apply",
      changeOf("bucket", undefined, { ...bucket, tags: UNKNOWN }),
      [],
      { requiredTags: ["team"] },
    ],
    ["a deleted bucket", changeOf("bucket", bucket, undefined), [], { requiredTags: ["team"] }],
    ["a kind without tags", changeOf("ssh-key", undefined, key("k")), [], { requiredTags: ["team"] }],
  ]),
  ...casesOf("META-03", [
    ["a plan with a gap", planOf([], { gaps: ["it ended with an error"] }), "plan: it ended with an error."],
    ["a complete plan", [], []],
  ]),
  ...casesOf("OPS-02", [
    [
      "an action that restarts an instance of the plan",
      planOf([unchanged("instance", instance)], {
        invocations: [invoked("instance-restart", { instance_id: "instance-web-id" })],
      }),
      'plan runs action.it of instance "web". It is restarted.',
    ],
    [
      "an action that stops an instance which is already stopped",
      planOf([unchanged("instance", { ...running, powerState: "stopped" })], {
        invocations: [invoked("instance-stop", { instance_id: "instance-web-id" })],
      }),
      [],
    ],
    [
      "an action that stops a pod of another stack",
      planOf([], { invocations: [invoked("ai-pod-stop", { ai_pod_id: "pod-9" })] }),
      'plan runs action.it of "pod-9". It is stopped.',
    ],
    [
      "an action that starts an instance",
      planOf([], { invocations: [invoked("instance-start", { instance_id: "instance-9" })] }),
      [],
    ],
  ]),
  ...casesOf("DATA-01", [
    [
      "an action that deletes a checkpoint",
      planOf([], { invocations: [invoked("checkpoint-delete", { name: "tuned" })] }),
      'plan runs action.it of "tuned". The checkpoint cannot be restored.',
    ],
  ]),
  ...casesOf("SEC-01", [
    [
      "an action that deletes every access key",
      planOf([], { invocations: [invoked("access-key-delete-all", { account_id: "1" })] }),
      "plan runs action.it. Every access key of the account stops working",
    ],
  ]),
  ...casesOf("META-04", [
    [
      "an action of another provider",
      planOf([], { invocations: [{ kind: "action", address: "action.it", type: "aws_lambda_invoke" }] }),
      { severity: "high", text: "plan runs aws_lambda_invoke of action.it." },
    ],
  ]),
  ...casesOf("META-07", [
    [
      "data sources that the apply reads, once a type",
      planOf([], {
        invocations: ["a", "b"].map((name) => ({
          ...{ address: `data.dns_a.${name}`, type: "data source dns_a", values: {}, kind: "read" as const },
        })),
      }),
      "plan reads data source dns_a during the apply: data.dns_a.a, data.dns_a.b.",
    ],
  ]),
  ...[
    { type: "data source http", values: { url: "https://example.org" } },
    { type: "data source dns_a", values: { host: secret("canary") } },
  ].map((read) => ({
    rule: "META-07",
    name: `a ${read.type} that sends`,
    plans: [planOf([], { invocations: [{ address: "data.it", kind: "read" as const, ...read }] })],
    finds: [{ severity: "high" as const, text: "during the apply" }],
  })),
  ...casesOf("META-07", [
    [
      "an action, which META-04 covers",
      planOf([], { invocations: [{ kind: "action", address: "action.a", type: "restart" }] }),
      [],
    ],
  ]),
  ...casesOf("META-04", [
    [
      "an action",
      planOf([], {
        invocations: [{ kind: "action", address: "action.a", type: "restart", triggeredBy: "data.b" }],
      }),
      { severity: "high", text: "plan runs restart of action.a, triggered by data.b." },
    ],
    ["a plan of objects", changeOf("volume", undefined, volume), []],
  ]),
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
  ...casesOf("META-08", [
    [
      "objects whose provider is not in the configuration any more",
      [
        changeOf("volume", volume, undefined, { foreignSource: "registry.terraform.io/evil/kcloud" }),
        changeOf("ssh-key", { name: "a" }, undefined, { foreignSource: "registry.terraform.io/evil/kcloud" }),
      ],
      "plan uses the provider registry.terraform.io/evil/kcloud, for 2 objects.",
    ],
    [
      "sources of the package, of the policy, and of other packages",
      planOf([], {
        providers: [
          ["kcloud", "registry.terraform.io/kcloud/kcloud"],
          ["kcloud.tofu", "registry.opentofu.org/kcloud/kcloud"],
          ["kcloud.mirror", "registry.example.org/mirror/kcloud"],
          ["pulumi:providers:kcloud::default", "kcloud"],
          ["random", "registry.terraform.io/hashicorp/random"],
        ].map(([name = "", source = ""]) => ({ name, source, values: null })),
      }),
      [],
      { providers: ["registry.example.org/mirror/kcloud"] },
    ],
  ]),
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
  ...casesOf("META-10", [
    [
      "failed checks, one of which is an error",
      planOf([], {
        messages: [
          { level: "warning", text: "check.a: is open", isCheck: true },
          { level: "error", text: "check.b: is gone", isCheck: true },
        ],
      }),
      ["plan: check.a: is open", { severity: "high", text: "plan: check.b: is gone" }],
    ],
    [
      "another warning of the engine",
      planOf([], { messages: [{ level: "warning", text: "a field is deprecated" }] }),
      [],
    ],
  ]),
  ...casesOf("OPS-14", [
    [
      "a volume that is detached from an instance",
      [changeOf("volume-attachment", attachment, undefined), unchanged("instance", running)],
      'is deleted: its volume is detached from instance "web" while it may be in use',
    ],
    [
      "an attachment that is replaced on an instance that no plan shows",
      changeOf("volume-attachment", attachment, { ...attachment, mountPartition: "/dev/vdc" }),
      { confidence: "needs a live check", text: "a machine that no plan shows" },
    ],
  ]),
  ...[
    unchanged("instance", { ...running, powerState: "stopped" }),
    changeOf("instance", running, undefined),
  ].map((machine) => ({
    rule: "OPS-14",
    name: `a volume that is detached from an instance that is ${machine.action === "none" ? "stopped" : "deleted"}`,
    plans: [planOf([changeOf("volume-attachment", attachment, undefined), machine])],
    finds: [],
  })),
  ...casesOf("OPS-14", [
    [
      "a volume that moves from an instance that runs to one that is stopped",
      [
        changeOf("volume-attachment", attachment, { ...attachment, instanceId: "instance-spare-id" }),
        unchanged("instance", running),
        unchanged("instance", { ...running, name: "spare", powerState: "stopped" }),
      ],
      'is replaced: its volume is detached from instance "web"',
    ],
    [
      "a volume of a stopped instance whose power state is known only after the apply",
      [
        changeOf("volume-attachment", attachment, undefined),
        changeOf("instance", { ...running, powerState: "stopped" }, { ...running, powerState: UNKNOWN }),
      ],
      { confidence: "likely", text: 'from instance "web" while it may be in use' },
    ],
    [
      "an attachment whose volume is deleted too, which DATA-01 covers",
      [
        changeOf("volume-attachment", { ...attachment, volumeId: "volume-data-id" }, undefined),
        changeOf("volume", { ...volume, name: "data" }, undefined),
      ],
      [],
    ],
  ]),
  ...casesOf("OPS-06", [
    [
      "a protected object that is removed from the state",
      changeOf("volume", { ...volume, deletionProtection: true }, undefined, { action: "forget" }),
      { severity: "medium", text: "is removed from the state, which ends its protection" },
    ],
  ]),
  ...casesOf("META-11", [
    [
      "objects of other providers that are deleted and replaced, once a type",
      [
        ...["a", "b"].map((name) => foreign("cloud_database", name, "delete")),
        foreign("random_password", "a", "replace"),
      ],
      [
        "plan deletes 2 × cloud_database: cloud_database.a, cloud_database.b.",
        { severity: "medium", text: "plan replaces 1 × random_password: random_password.a." },
      ],
    ],
    [
      "objects of other providers that are created, and of this provider that are deleted",
      [foreign("cloud_database", "a", "create"), changeOf("volume", volume, undefined)],
      [],
    ],
  ]),
];
