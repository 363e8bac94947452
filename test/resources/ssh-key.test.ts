import { expect, test } from "@jest/globals";
import { engine } from "../../provider/engine/engine.ts";
import { live, openCloud, resource } from "../support/cloud.ts";
import { publicKey } from "./public-key.ts";

const sshKey = resource("ssh-key");

const written = { name: "deploy", publicKey: publicKey(1) };

test("comment and spaces of a key are not a change, another key is, with a warning of the consequences", () => {
  const state = {
    id: "1",
    task: undefined,
    values: { ...written, krn: "krn", region: "In-Bangalore-1" },
    unread: [],
  };
  const plan = (key: string) => engine.plan(sshKey, state, { ...written, publicKey: key }, undefined);
  expect(plan(`  ${publicKey(1, "you")}\n`).action).toBe("none");
  expect(plan(publicKey(2))).toMatchObject({
    action: "replace",
    changes: [
      {
        path: ["publicKey"],
        reason: "Existing instances keep the old key: only new instances get the new one.",
      },
    ],
  });
});

test("a key is created, found by its exact name among those that contain it, and deleted by its UUID", async () => {
  const cloud = openCloud();
  for (const name of ["deploy-2", "my-deploy"])
    await cloud.run(cloud.create("ssh-key", { name, publicKey: publicKey(2) }));
  const state = await cloud.run(cloud.create("ssh-key", { ...written, publicKey: `${written.publicKey}\n` }));
  const [made] = live(cloud, "ssh_key").filter(({ name }) => name === "deploy");
  expect(state.id).toBe(made?.krn.split(":").at(-1));
  expect(state.values).toEqual({
    ...written,
    publicKey: `${written.publicKey}\n`,
    krn: made?.krn,
    region: "In-Bangalore-1",
  });
  expect(await cloud.run(engine.read(cloud.session, sshKey, state, cloud.call))).toEqual(state);
  await cloud.run(engine.delete(cloud.session, sshKey, state, cloud.call));
  expect(live(cloud, "ssh_key").map(({ name }) => name)).toEqual(["deploy-2", "my-deploy"]);
});

test("a key of another region is another key", async () => {
  const cloud = openCloud();
  await cloud.run(cloud.create("ssh-key", { ...written, region: "In-Hyderabad-1" }));
  await cloud.run(cloud.create("ssh-key", written));
  expect(live(cloud, "ssh_key").map(({ region }) => region)).toEqual(["In-Hyderabad-1", "In-Bangalore-1"]);
});

test("a name may contain spaces, also in an import", async () => {
  const cloud = openCloud();
  const state = await cloud.run(cloud.create("ssh-key", { ...written, name: "of the deployer" }));
  const work = engine.import(cloud.session, sshKey, `of the deployer,${state.id}`, cloud.call);
  expect(await cloud.run(work)).toEqual({ ...state, createdAt: undefined });
});

test("a key that differs only by its comment is adopted with adopt_existing", async () => {
  const cloud = openCloud();
  const { id } = await cloud.run(cloud.create("ssh-key", written));
  const key = resource("ssh-key");
  const { inputs } = engine.check(key, { ...written, publicKey: publicKey(1, "you") });
  const later = cloud.reopen({ adoptExisting: true });
  const again = await cloud.run(engine.create(later, key, inputs, cloud.call));
  expect(again.id).toBe(id);
});
