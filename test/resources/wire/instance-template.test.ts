import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { requests, resource } from "../../support/cloud.ts";
import { openNetwork } from "../../support/instance-world.ts";

test.each([{ templateListShape: "data" }, { templatePageMax: 2 }] as const)(
  "all templates are found in each form of the list: %j",
  async (assume) => {
    const { cloud, written } = await openNetwork({ assume });
    const states = [];
    for (const name of ["a", "b", "c", "d", "e"])
      states.push(await cloud.run(cloud.create("instance-template", { ...written, name })));
    const session = cloud.reopen();
    const before = requests(cloud, "get_template").length;
    for (const state of states)
      expect(await cloud.run(engine.read(session, resource("instance-template"), state, cloud.call))).toEqual(
        state,
      );
    expect(requests(cloud, "get_template")).toHaveLength(before);
  },
);
