import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { Values } from "../../../provider/core/value.ts";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, openCloud, resource } from "../../support/cloud.ts";

/** Tests the errors of creates whose object exists, by the resource of the configuration that has it. */

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0v8v7l3H5Gm0r5nq0m7xq4b1cQm0mJm0Yk1v0m2k3p";

/** Inputs of each kind in a VPC. */
const kinds: Readonly<Record<string, (vpcId: string) => Values>> = {
  vpc: () => ({ name: "data" }),
  subnet: (vpcId) => ({ vpcId, name: "data", cidr: "10.0.1.0/24" }),
  volume: (vpcId) => ({ vpcId, name: "data", sizeGb: 10, volumeType: "ssd" }),
  "security-group": (vpcId) => ({ vpcId, name: "data", description: "data" }),
  "ssh-key": () => ({ name: "data", publicKey }),
};

const why = {
  self: [
    "An object with this name already exists: this run replaces it, and would create the new one first.",
    "The object exists as ID and was not changed.",
    "Remove create_before_destroy from the lifecycle of this resource and of those that depend on it, to which it extends, or choose another name.",
  ],
  other: [
    "An object with this name already exists, and another resource of this configuration manages it.",
    "The object exists as ID and was not changed.",
    "Choose another name, or remove one of the two resources from the configuration.",
  ],
  leaving: [
    "An object with this name already exists: another resource of this configuration has it until this run deletes, replaces or renames it, and the order of the changes decides.",
    "The object exists as ID and was not changed.",
    "Run again after that change, or choose another name. Names shift if an element of a list leaves it: for_each in place of count, or moved blocks, keep each name at its object.",
  ],
} as const;

const holders = ["self", "other", "leaving"] as const;

test.each(
  Object.keys(kinds).flatMap((kind) =>
    holders.flatMap((holder) => [true, false].map((adoptExisting) => ({ kind, holder, adoptExisting }))),
  ),
)(
  "an existing object that this configuration has is never offered for import: $kind, $holder, adopt_existing = $adoptExisting",
  async ({ kind, holder, adoptExisting }) => {
    const cloud = openCloud({}, { adoptExisting });
    const net = await cloud.run(cloud.create("vpc", { name: "net" }));
    const { inputs } = engine.check(resource(kind), kinds[kind]?.(String(net.id)) ?? {});
    const made = await cloud.run(engine.create(cloud.session, resource(kind), inputs, cloud.call));
    const again = engine.create(cloud.reopen({ adoptExisting }), resource(kind), inputs, {
      ...cloud.call,
      holderOf: (id) => (id === made.id ? holder : undefined),
    });
    const failed = await cloud.run(failure(again));
    const shown = inWordsOf("terraform", explain(failed).detail).replaceAll(String(made.id), "ID");
    expect(shown).toBe(why[holder].join("\n"));
    expect(failed.state).toBeUndefined();
  },
);

test("a create of an object that this run replaces says so in place of an import", async () => {
  const cloud = openCloud();
  const made = await cloud.run(cloud.create("vpc", { name: "data" }));
  const { inputs } = engine.check(resource("vpc"), { name: "data" });
  const call = { ...cloud.call, holderOf: () => "self" as const };
  const failed = await cloud.run(failure(engine.create(cloud.reopen(), resource("vpc"), inputs, call)));
  expect(failed.existence).toEqual({ is: "exists", id: made.id });
  expect(inWordsOf("pulumi", failed.next)).toBe(
    "Set the resource option deleteBeforeReplace: true, or choose another name",
  );
});
