import { createEmulator, type Emulator } from "../../../emulator/emulator.ts";
import { storageSettings } from "../../support/storage-setting.ts";
import { type EngineName, openWorkspace } from "./engine.ts";
import type { ForeignObject } from "./part.ts";
import type { Form } from "./program.ts";
import { drawScene, type Scene } from "./scene.ts";
import { type CloudEvent, snapshotOf, type Witnesses, witnessesOf } from "./witness.ts";

/** Record of one edit: its plan, and the effects of its apply. */
export interface RecordedEdit {
  readonly seed: number;
  readonly engine: EngineName;
  /** Plan of Terraform, or preview of Pulumi, in JSON. */
  readonly plan: string;
  readonly witnesses: Witnesses;
  readonly hidden: Scene["hidden"];
  /** Form in which the plan shows the values that decide about an object or an action, if they are not known. */
  readonly forms: Readonly<Record<string, Form>>;
  /** Names of the actions that the apply invoked. */
  readonly actions: readonly string[];
}

/** Returns the settings of the provider for an emulator, by their environment variables. */
export const settingsOf = (url: string): Readonly<Record<string, string>> => ({
  SERVICE_BASE_URL: url,
  SERVICE_API_KEY: "emulator-key",
  SERVICE_REGION: "In-Bangalore-1",
  SERVICE_MAX_REQUESTS_PER_SECOND: "0",
  // A read that finds nothing proves immediately that the object was deleted.
  SERVICE_SETTLE_SECONDS: "0",
  ...storageSettings(url),
});

/**
 * Applies the stack of a seed with a real engine to a separate emulator, plans the edit and applies it. Rejects with the output
 * of the engine if a command fails.
 */
export async function recordEdit(seed: number, engine: EngineName): Promise<RecordedEdit> {
  const scene = drawScene(seed, engine);
  const events: CloudEvent[] = [];
  const emulator: Emulator = createEmulator({
    taskMs: 20,
    seed: `truth ${seed}`,
    write: (line) => events.push(...eventsIn(emulator, line)),
  });
  const server = await emulator.listen();
  const workspace = await openWorkspace(engine, settingsOf(server.url), () => emulator.password());
  try {
    await workspace.apply(scene.before);
    const state = await workspace.state();
    const buckets = new Map(state.objects.map(({ name, id }) => [name, id]));
    for (const { bucket, key } of scene.foreign)
      await putObject(emulator, server.url, { bucket: buckets.get(bucket) ?? "", key });
    const before = snapshotOf(emulator, scene.before, state);
    const plan = await workspace.plan(scene.after);
    events.length = 0;
    await workspace.applyPlanned();
    const after = snapshotOf(emulator, scene.after, await workspace.state());
    const { concealments, actions } = scene.after;
    return {
      ...{ seed, engine, plan, hidden: scene.hidden },
      witnesses: witnessesOf(before, after, events, scene.secrets),
      forms: Object.fromEntries(Object.entries(concealments).map(([name, { form }]) => [name, form])),
      actions: actions.map(({ name }) => name),
    };
  } finally {
    await workspace.close();
    await server.close();
  }
}

/** Operations of the API whose effect is in no object of the emulator, or in none that remains. */
const noted =
  /\b(control_instance|update_pod|delete_bucket|delete_access_key|delete_all_access_keys|delete_checkpoint) 2\d\d\b/;

/** Returns the event of a request that just ended, from its line in the log. */
function eventsIn({ log }: Emulator, line: string): CloudEvent[] {
  const name = noted.exec(line)?.[1];
  const id = /\brequest-\d+\b/.exec(line)?.[0];
  if (name === undefined) return [];
  const entry = log.entries({ operation: name }).find((one) => one.id === id);
  if (entry === undefined) throw new Error(`the log holds no ${id}: ${line}`);
  const parts = entry.path.split("/").map(decodeURIComponent);
  const target = parts.find((part) => part.startsWith("krn"));
  if (name === "delete_all_access_keys") return [{ operation: "end of all keys", target: undefined }];
  if (name === "delete_checkpoint") return [{ operation: "delete of a checkpoint", target: parts.at(-2) }];
  if (name.startsWith("delete")) return [{ operation: "guarded delete", target }];
  const { action } = entry.body as { action: string };
  if (action === "start") return [];
  return [{ operation: action === "stop" ? "stop" : "restart", target }];
}

/** Puts an object into a bucket like another program. */
async function putObject({ fetch }: Emulator, url: string, { bucket, key }: ForeignObject): Promise<void> {
  const send = async (method: string, path: string, body: object, more: Record<string, string> = {}) => {
    const headers = { authorization: "Bearer emulator-key", "x-account-id": account, ...more };
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const {
    SERVICE_ACCOUNT_ID: account,
    SERVICE_ACCESS_KEY: accessKey,
    SERVICE_SECRET_KEY: secretKey,
  } = storageSettings(url);
  const session = await send("POST", "/kos/v1/sessions/activate", { accessKey, secretKey });
  const token = session.sessionToken ?? "";
  const path = `/kos/v1/buckets/${encodeURIComponent(bucket)}/objects`;
  const { preSignedUrl = "" } = await send("PUT", path, { prefix: key }, { "x-session-token": token });
  const response = await fetch(preSignedUrl, { method: "PUT", body: `foreign ${key} of ${bucket}` });
  if (!response.ok) throw new Error(`PUT ${key}: ${response.status} ${await response.text()}`);
}
