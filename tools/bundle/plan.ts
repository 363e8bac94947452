import type { Values } from "../../provider/core/value.ts";

/** Plan of Terraform that `kcloud review` reads while its code cache is recorded, with each action once. */

interface Change {
  readonly address: `${string}.${string}`;
  readonly before?: Values;
  readonly after?: Values;
  /** Attributes that are known after the apply, with true as value. */
  readonly unknown?: Values;
  /** Sensitive attributes, with true as value. */
  readonly sensitive?: Values;
  /** Attributes that force the replacement. */
  readonly replaces?: readonly string[];
}

const region = "In-Bangalore-1";
const vpcId = `krn:vpc:${region}:000000000000:00000000-0000-4000-8000-000000000000:vpc:1`;
const vpc = { id: vpcId, name: "shop", region };
const volume = { multiattach: false, name: "orders", region, size_gb: 20, volume_type: "ssd", vpc_id: vpcId };
const bucket = {
  anonymous_access: false,
  id: "bucket-1",
  name: "backups",
  region,
  tags: { app: "shop" },
  versioning: true,
};
const rule = {
  direction: "ingress",
  ethertype: "IPv4",
  port_range_max: 22,
  port_range_min: 22,
  protocol: "tcp",
  region,
};

const changes: readonly Change[] = [
  { address: "kcloud_vpc.shop", before: vpc, after: vpc },
  {
    address: "kcloud_access_key.reports",
    before: { id: "key-1", name: "reports", region, secret_key: "secret-of-the-recorded-run" },
    sensitive: { secret_key: true },
  },
  {
    address: "kcloud_bucket.backups",
    before: bucket,
    after: { ...bucket, anonymous_access: true, tags: { app: "shop", tier: "1" }, versioning: false },
  },
  {
    address: "kcloud_security_group_rule.ssh",
    before: { ...rule, id: "rule-1", remote_ip_prefix: "10.0.0.0/8" },
    after: { ...rule, remote_ip_prefix: "0.0.0.0/0" },
    unknown: { id: true },
    replaces: ["remote_ip_prefix"],
  },
  {
    address: "kcloud_volume.orders",
    before: { ...volume, availability_zone: "nova", id: "volume-1", status: "available" },
    after: { ...volume, availability_zone: "nova-2" },
    unknown: { id: true, status: true },
    replaces: ["availability_zone"],
  },
  {
    address: "kcloud_volume.queue",
    after: { ...volume, name: "queue" },
    unknown: { id: true, status: true },
  },
];

const provider = "registry.terraform.io/kcloud/kcloud";

function resourceOf(address: string) {
  const [type, name] = address.split(".");
  return { address, mode: "managed", type, name };
}

function actionsOf({ before, after, replaces }: Change): string[] {
  if (before === undefined) return ["create"];
  if (after === undefined) return ["delete"];
  if (replaces !== undefined) return ["delete", "create"];
  return [before === after ? "no-op" : "update"];
}

/** Returns the resources on one side of the changes, as in a state. */
const resourcesOn = (side: "before" | "after") => ({
  root_module: {
    resources: changes.flatMap(({ address, sensitive = {}, [side]: values }) =>
      values === undefined
        ? []
        : [
            {
              ...resourceOf(address),
              provider_name: provider,
              schema_version: 0,
              values,
              sensitive_values: sensitive,
            },
          ],
    ),
  },
});

/** Returns the text of the plan. */
export const planText = (): string =>
  JSON.stringify({
    format_version: "1.2",
    terraform_version: "1.16.0",
    planned_values: resourcesOn("after"),
    resource_changes: changes.map((change) => ({
      ...resourceOf(change.address),
      provider_name: provider,
      change: {
        actions: actionsOf(change),
        before: change.before ?? null,
        after: change.after ?? null,
        after_unknown: change.unknown ?? {},
        before_sensitive: change.sensitive ?? {},
        after_sensitive: change.after === undefined ? false : (change.sensitive ?? {}),
        ...(change.replaces && { replace_paths: change.replaces.map((name) => [name]) }),
      },
    })),
    prior_state: { format_version: "1.0", terraform_version: "1.16.0", values: resourcesOn("before") },
    configuration: {
      provider_config: { kcloud: { name: "kcloud", full_name: provider } },
      root_module: {
        resources: changes.flatMap(({ address, after }) =>
          after === undefined
            ? []
            : [
                {
                  ...resourceOf(address),
                  provider_config_key: "kcloud",
                  expressions: Object.fromEntries(
                    Object.entries(after).map(([name, value]) => [
                      name,
                      name === "vpc_id"
                        ? { references: ["kcloud_vpc.shop.id", "kcloud_vpc.shop"] }
                        : { constant_value: value },
                    ]),
                  ),
                  schema_version: 0,
                },
              ],
        ),
      },
    },
    timestamp: "2026-11-23T20:03:34Z",
    applyable: true,
    complete: true,
    errored: false,
  });
