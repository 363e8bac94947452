import { expect, test } from "@jest/globals";
import { ephemerals } from "../../functions/index.ts";
import { reveal } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { live } from "../support/cloud.ts";
import { named, open } from "../support/object-function.ts";

test("a session of another key is opened, renewed and ended; one of the provider's key is rejected", async () => {
  const { cloud, lease } = await open();
  const made = await cloud.run(cloud.create("access-key", { name: "other" }));
  const pair = { accessKey: String(made.id), secretKey: String(reveal(made.values.secretKey ?? null)) };
  const { values, lease: kept } = await lease("object-session", pair);
  expect(values.expiresAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(kept?.renewAt).toBeGreaterThan(cloud.session.ports.clock.wall());
  if (kept === undefined) throw new Error("no lease");
  const ephemeral = named(ephemerals, "object-session");
  const renewed = await cloud.run(engine.renew(cloud.session, ephemeral, kept, cloud.call));
  await cloud.run(engine.close(cloud.session, ephemeral, renewed, cloud.call));
  await cloud.run(engine.close(cloud.session, ephemeral, renewed, cloud.call));
  expect(live(cloud, "object_session")).toEqual([]);
  await expect(
    lease("object-session", { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" }),
  ).rejects.toThrow(
    "accessKey: is that of the provider, and an access key has one session at a time: use another access key",
  );
});
