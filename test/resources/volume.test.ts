import { expect, test } from "@jest/globals";
import { InputError } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { assignment, wording } from "../../provider/core/wording.ts";
import type { Transport } from "../../provider/platform/ports.ts";
import { live } from "../support/cloud.ts";
import { withDeletableVolume, withVolume } from "../support/deletable-volume.ts";
import { idOf, problemsOf } from "../support/problem.ts";

const written: Values = { vpcId: idOf("vpc"), name: "data", sizeGb: 20, volumeType: "HNSS" };

const labels = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`label-${at}`, "x"]));

const tooMany =
  "metadata must have at most 128 labels, with names up to 255 and values up to 4096 characters";

test.each<[string, Values, string[]]>([
  ["the required fields", {}, []],
  ["the maximum number of labels", { metadata: labels(128) }, []],
  ["the longest label", { metadata: { ["n".repeat(255)]: "v".repeat(4096) } }, []],
  ["a copy of a snapshot", { source: { id: idOf("snapshot"), type: "snapshot" } }, []],
  [
    "nothing",
    { vpcId: "", name: "", sizeGb: null, volumeType: "" },
    [
      "vpcId must not be empty",
      "name must not be empty",
      "sizeGb is required",
      "volumeType must not be empty",
    ],
  ],
  ["too many labels", { metadata: labels(129) }, [tooMany]],
  ["a label with too long a name", { metadata: { ["n".repeat(256)]: "x" } }, [tooMany]],
  ["a label with too long a value", { metadata: { a: "v".repeat(4097) } }, [tooMany]],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("volume", { ...written, ...change })).toEqual(expected);
});

test.each([
  [{ name: "other" }, [["update_volume", { volume: { name: "other", description: "mine", metadata: {} } }]]],
  [
    { metadata: { a: "1" } },
    [["update_volume", { volume: { name: "data", description: "mine", metadata: { a: "1" } } }]],
  ],
  [{ sizeGb: 30 }, [["extend_volume", { input: { newSize: 30 } }]]],
  [{ volumeType: "ssd" }, [["change_volume_type", { volume_type: "ssd" }]]],
] as const)("only changed fields are sent: %j", async (change, expected) => {
  const { cloud, update, sent } = await withVolume();
  const state = await cloud.run(update(change));
  expect(sent().map(({ operation, body }) => [operation, body])).toEqual(expected);
  expect(state.values).toMatchObject({ ...change, status: "available" });
});

test("several changes of an object that accepts one at a time are sent one after the other", async () => {
  const { cloud, update, sent } = await withVolume({ taskMs: 10_000 });
  const state = await cloud.run(update({ name: "other", volumeType: "ssd", sizeGb: 30 }));
  expect(state.values).toMatchObject({ name: "other", volumeType: "ssd", sizeGb: 30 });
  const executed = sent().filter(({ outcome }) => typeof outcome === "number" && outcome < 300);
  expect(executed.map(({ operation }) => operation)).toEqual([
    "update_volume",
    "change_volume_type",
    "extend_volume",
  ]);
});

test("an impossible update is rejected with its path, and nothing is sent", async () => {
  const { cloud, update, sent } = await withVolume();
  await expect(cloud.run(update({ sizeGb: 10 }))).rejects.toThrow(
    new InputError([
      {
        path: ["sizeGb"],
        problem: wording`cannot shrink from 20 to 10 GB: the volume is 20 GB now; set ${assignment("sizeGb", 20)}, or create a smaller volume and copy the data`,
      },
    ]),
  );
  await expect(cloud.run(update({ multiattach: true }))).rejects.toThrow(
    new InputError([
      { path: ["multiattach"], problem: "cannot change in place; the object has to be replaced" },
    ]),
  );
  expect(sent()).toEqual([]);
});

test("a volume that is no longer failed is deleted without force, even if the state records a failure", async () => {
  const { state, remove, sent } = await withDeletableVolume("data");
  await remove({ ...state, values: { ...state.values, status: "error" } });
  expect(sent()).toEqual([{}]);
});

test("a volume whose last action failed is deleted without force", async () => {
  let action = "success";
  const wrap = ({ send }: Transport): Transport => ({
    async send(request, signal) {
      const reply = await send(request, signal);
      if (reply.kind !== "answer") return reply;
      return {
        ...reply,
        body: reply.body.replaceAll(/"last_action_status":"\w+"/g, `"last_action_status":"${action}"`),
      };
    },
  });
  const { cloud, read, remove, sent } = await withDeletableVolume("data", {}, {}, { wrap });
  action = "failed";
  const seen = (await read()) as ResourceState;
  expect(seen.values.status).toBe("failed");
  await remove(seen);
  expect(sent()).toEqual([{}]);
  expect(live(cloud, "volume")).toEqual([]);
});

test.each([undefined, "available"])(
  "a failed volume, recorded as %s, that is not deleted without force is deleted by force",
  async (recorded) => {
    const { cloud, state, remove, sent } = await withDeletableVolume("data-fails");
    cloud.emulator.faults.add({ target: "delete_volume", kind: "409", times: 1 });
    await remove({ ...state, values: { ...state.values, status: recorded ?? null } });
    expect(sent()).toEqual([{}, { force: "true" }]);
    expect(live(cloud, "volume")).toEqual([]);
  },
);
