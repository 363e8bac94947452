import * as z from "zod/mini";
import { isAddress, isCidr, sameCidr } from "../provider/core/ip-address.ts";
import { matchesMasked } from "../provider/core/krn.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { type HostLists, bucketPolicyRoutes as routes } from "./wire/bucket-policy.ts";

const host = z.string().check(
  z.refine((value) => isAddress(value) || isCidr(value), {
    // Engines show no index for an element of a set, so the message contains the value.
    error: ({ input }) => `must be an IP address or a range such as 10.0.0.0/16, not ${String(input)}`,
  }),
);
const hosts = z._default(z.array(host), []);

/** Returns the range of a host: an address is a range of one address. */
const rangeOf = (host: string): string =>
  isAddress(host) ? `${host}/${host.includes(":") ? 128 : 32}` : host;

const isAmong = (hosts: readonly string[]) => (host: string) =>
  hosts.some((other) => sameCidr(rangeOf(host), rangeOf(other)));

const sameHosts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every(isAmong(b)) && b.every(isAmong(a));

export const bucketPolicy = defineResource({
  name: "bucket-policy",
  category: "object-storage",
  about:
    "Policy that limits access to a bucket by IP address. A bucket has one policy, and its lists are complete.",
  grants: "rights",
  requires: ["accountId"],
  timeouts: { create: 120, read: 300, update: 120, delete: 300 },
  parents: ["bucketId"],
  visibility: { listedByRead: true },
  sameBy: ["policyKrn"],
  // A policy has no name: its bucket identifies it.
  importedBy: ["bucketId"],
  exclusive: true,
  fields: {
    bucketId: field(z.string(), "ID of the bucket.", { references: "bucket" }),
    readWriteIps: field(
      hosts,
      "IP addresses and CIDR ranges with read and write access, such as `10.0.0.0/16`.",
      {
        change: "update",
        unordered: true,
        same: sameHosts,
        meaning: "allowed addresses",
      },
    ),
    readOnlyIps: field(hosts, "IP addresses and CIDR ranges with read access only, such as `10.0.0.0/16`.", {
      change: "update",
      unordered: true,
      same: sameHosts,
      meaning: "allowed addresses",
    }),
    policyKrn: computed(z.string(), "KRN of the policy."),
  },
})({
  whole: true,
  async list({ api, region, bucketId }) {
    const policy = await api.find(routes.read, { path: { bucket: bucketId } });
    if (policy === undefined) return [];
    return [
      {
        id: bucketId,
        bucketId,
        readWriteIps: policy.s3_read_write_ips,
        readOnlyIps: policy.s3_read_only_ips,
        policyKrn: policy.bucketPolicyKrn,
        region,
      },
    ];
  },

  matches: (row, { bucketId }) => matchesMasked(row.bucketId ?? "", bucketId),

  async create({ api, inputs }) {
    await api.send(routes.create, { path: { bucket: inputs.bucketId }, body: lists(inputs) });
    return { id: inputs.bucketId };
  },

  async update({ api, id, current }) {
    await api.send(routes.update, { path: { bucket: id }, body: lists(await current(routes.update)) });
  },

  async delete({ api, id }) {
    await api.send(routes.delete, { path: { bucket: id } });
  },
});

const lists = ({
  readWriteIps,
  readOnlyIps,
}: {
  readWriteIps: string[];
  readOnlyIps: string[];
}): HostLists => ({
  s3_read_write_ips: readWriteIps,
  s3_read_only_ips: readOnlyIps,
});
