import { beforeAll, describe, expect, test } from "@jest/globals";
import { term } from "../../../provider/core/name.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { visibilityOf } from "../../../provider/engine/existence/visibility.ts";
import { resources } from "../../../resources/index.ts";
import { type Cloud, resource, settle } from "../../support/cloud.ts";
import { createEveryKind, type Made, oneOfEach, openEveryKind } from "../../support/every-kind.ts";

describe("an object that only listings show: a lagging listing may show it again after its removal from the state", () => {
  /** Kinds without a read route of their own, and those that stay in the state when no route shows them. */
  const kinds = resources.filter(
    (kind) =>
      visibilityOf(kind).isOnlyListed && visibilityOf(kind).shownThrough === undefined && !kind.stateOnly,
  );

  let cloud: Cloud;
  let made: readonly Made[];

  beforeAll(async () => {
    cloud = openEveryKind({}, { accountId: "000000000000" });
    made = oneOfEach(await createEveryKind(cloud));
    await settle(cloud);
    const { inventory } = cloud.emulator;
    // An object is deleted with its parent.
    for (const { krn } of inventory.list())
      if (inventory.list().some((row) => row.krn === krn)) inventory.remove(krn);
  });

  test.each(kinds.map(({ name }) => name))(
    "the removal of a %s from the state names its id and the command that imports it",
    async (kind) => {
      const { state } = made.find((one) => one.kind === kind) as Made;
      const before = cloud.warnings.length;
      expect(await cloud.run(engine.read(cloud.reopen(), resource(kind), state, cloud.call))).toBeUndefined();
      const [warning, ...others] = cloud.warnings.slice(before);
      const { name = null } = state.values;
      const object = `The ${term(kind)} ${typeof name === "string" ? JSON.stringify(name) : `(${state.id})`}`;
      expect([warning?.summary, others]).toEqual([
        `${object} was deleted outside of Terraform or OpenTofu`,
        [],
      ]);
      expect(warning?.detail).toContain(`(${state.id})`);
      const parents = (resource(kind).parents ?? []).map((parent) => state.values[parent]);
      const target = parents.join() === state.id ? [state.id] : [...parents, state.id];
      expect(warning?.detail).toContain(
        `terraform import kcloud_${kind.replaceAll("-", "_")}.NAME '${target.join(",")}'`,
      );
    },
  );
});
