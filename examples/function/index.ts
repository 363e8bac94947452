// What is calculated: no cloud is asked. The same functions are plain ones in "@kcloud/iac".
import { Subnet, subnetsOutput, userDataOutput, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop", { name: "shop" });

// 10.0.0.0/24, 10.0.1.0/24 and 10.0.16.0/20
const ranges = subnetsOutput({ range: "10.0.0.0/16", prefixes: [24, 24, 20] }).result;

for (const [at, name] of ["web", "data", "batch"].entries())
  new Subnet(name, { vpcId: shop.id, name, cidr: ranges.apply((all) => all[at] ?? "") });

// For userDataBase64 of an instance: each part is told by how it begins.
export const firstStart = userDataOutput({
  parts: ["#!/bin/sh\nsystemctl enable --now shop\n", "#cloud-config\npackages: [nginx]\n"],
}).result;
