import { expect, test } from "@jest/globals";
import { inReadSession } from "../../account/session.ts";
import { createEmulator } from "../../emulator/emulator.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import { engine } from "../../provider/engine/engine.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { environment } from "../adapter/lifecycle/lifecycle.ts";
import { resource } from "../support/cloud.ts";
import { make } from "../support/large-account.ts";

test("a session of the object storage is closed with the work, also after an error; keys of objects may have spaces", async () => {
  const emulator = createEmulator({ taskMs: 20 });
  const server = await emulator.listen();
  try {
    const bucketId = { ref: "logs", property: "id" };
    await make(
      [
        { name: "logs", resource: "bucket", inputs: { name: "logs" } },
        { name: "a", resource: "object", inputs: { bucketId, key: "year 2026/a b.txt", content: "text" } },
      ],
      server.url,
    );
    const [bucket] = emulator.inventory.list().filter(({ kind }) => kind === "bucket");
    const settings = {
      given: gatherSettings({}, environment(server.url)),
      ports: realPorts,
      command: "test",
    };
    const list = (fails: boolean) =>
      inReadSession(settings, async (session) => {
        const rows = await engine.list(
          session,
          resource("object"),
          { bucketId: bucket?.krn ?? "" },
          { stop: new AbortController().signal },
        );
        if (fails) throw new Error(`the work failed after ${rows.length} row`);
        return rows.map(({ name }) => name);
      });
    const ended = () =>
      emulator.log.entries().filter(({ path }) => path.includes("/sessions/deactivate/")).length;
    const before = ended();
    expect(await list(false)).toEqual(["year 2026/a b.txt"]);
    expect(ended()).toBe(before + 1);
    await expect(list(true)).rejects.toThrow("the work failed after 1 row");
    expect(ended()).toBe(before + 2);
  } finally {
    await server.close();
  }
});
