// Functions send no request. Programs can also import them from "@kcloud/iac/definitions" as plain functions.
import { buildIdOutput, parseIdOutput, Subnet, subnetsOutput, userDataOutput, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop", { name: "shop" });

// 10.0.0.0/24, 10.0.1.0/24 and 10.0.16.0/20
const ranges = subnetsOutput({ range: "10.0.0.0/16", prefixes: [24, 24, 20] }).result;

for (const [at, name] of ["web", "data", "batch"].entries())
  new Subnet(name, { vpcId: shop.id, name, cidr: ranges.apply((all) => all[at] ?? "") });

export const region = parseIdOutput({ id: shop.id }).result.region;
export const image = buildIdOutput({
  service: "vm",
  region: "In-Bangalore-1",
  account: "default",
  customer: "default",
  type: "image",
  uuid: "1",
}).result;

// For userDataBase64 of an instance: the first characters of a part select its type.
export const firstStart = userDataOutput({
  parts: ["#!/bin/sh\nsystemctl enable --now shop\n", "#cloud-config\npackages: [nginx]\n"],
}).result;
