import { expect, test } from "@jest/globals";
import { openDisk } from "../../support/attachment-world.ts";
import { live, requests } from "../../support/cloud.ts";

test.each([
  { attachAnswer: "message" },
  { attachAnswer: "message", attachmentsAfterMs: 20_000 },
  { attachAnswer: "attachments", attachmentsAfterMs: 20_000 },
  { attachmentInstance: "uuid" },
  { volumeSpelling: "alias", volumeStatus: "last-action", attachedWord: "attached" },
] as const)("an attachment is found under every assumption: %j", async (assume) => {
  const { cloud, attach, read, remove } = await openDisk({ assume, listingLagMs: 2_000 });
  const state = await attach();
  expect(live(cloud, "volume_attachment")[0]?.krn.endsWith(`:${state.id}`)).toBe(true);
  expect(requests(cloud, "attach_volume")).toHaveLength(1);
  expect(cloud.warnings).toEqual([]);
  expect(await read(state)).toEqual(state);
  await remove(state);
  expect(live(cloud, "volume_attachment")).toEqual([]);
});
