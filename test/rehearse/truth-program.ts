import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "../../tools/engines/engine.ts";
import type { Stack } from "../adapter/adapter.ts";
import { openProject, type Project } from "../support/engine/pulumi.ts";
import { type Site, settingsOf } from "../support/engine/site.ts";
import { storageSettings } from "../support/storage-setting.ts";
import { exported, rehearseProgram } from "./run-program.ts";
import { comparable, type Edit, type Happened, type Outcome } from "./truth.ts";

/** Edits of stacks as programs of Pulumi. */

const outcomesOf: Readonly<Record<string, Outcome>> = {
  ...{ create: "created", update: "changed", delete: "destroyed" },
  ...{ "create-replacement,delete-replaced": "replaced", "delete-replaced,create-replacement": "replaced" },
  "delete-replaced": "destroyed",
};

/** Event of an update. */
interface Event {
  readonly resOutputsEvent?: { readonly metadata: Metadata };
  readonly resOpFailedEvent?: { readonly metadata: Metadata };
  readonly diagnosticEvent?: { readonly severity: string; readonly message: string };
}

interface Metadata {
  readonly op: string;
  readonly urn: string;
}

const addressOf = (urn: string): string => urn.split("::").slice(2).join("::");

/** Applies the first stack, rehearses the second one, and applies it in a cloud with the answers of the edit. */
export async function rehearseAndApplyProgram(site: Site, engine: Engine, { before, after, assume }: Edit) {
  const project = await openProject(engine, join(await site.folder(), "program"), {
    ...settingsOf(site.url),
    ...{ SERVICE_SETTLE_SECONDS: "1", ...storageSettings(site.url) },
  });
  // Deletes wait for seconds in place of a minute and a half if an object is in use.
  const options = { customTimeouts: { delete: "5s" } };
  const write = (stack: Stack) =>
    project.write("pulumi", stack, Object.fromEntries(stack.map(({ name }) => [name, options])));
  site.emulator.configure({ assume });
  await write(before);
  const first = await project.run(["up", "--yes", "--skip-preview"]);
  if (first.code !== 0 && Object.keys(assume).length === 0) throw new Error(first.output);
  if (first.code !== 0) return undefined;
  const state = await exported(project, "--show-secrets");
  await write(after);
  const { code, rehearsal, stderr } = await rehearseProgram(site, engine, project, { state });
  if (code !== 0 && code !== 3) throw new Error(stderr);
  return { rehearsal, happened: await apply(project) };
}

async function apply(project: Project): Promise<Happened> {
  const log = join(project.path, "events.jsonl");
  const { code } = await project.run(["up", "--yes", "--skip-preview", "--event-log", log], {
    environment: { PULUMI_DEBUG_COMMANDS: "true" },
  });
  const events = (await readFile(log, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Event);
  await rm(log);
  const operations = new Map<string, string[]>();
  for (const { resOutputsEvent } of events) {
    const { op, urn } = resOutputsEvent?.metadata ?? { op: "same", urn: "" };
    if (/^(create|update|delete)/.test(op)) operations.set(urn, [...(operations.get(urn) ?? []), op]);
  }
  const outcomes = new Map(
    [...operations].map(([urn, list]) => [addressOf(urn), outcomesOf[list.join()] ?? "none"] as const),
  );
  for (const { resOpFailedEvent: failed } of events)
    if (failed !== undefined) outcomes.set(addressOf(failed.metadata.urn), "failed");
  const errors = events.flatMap(({ diagnosticEvent: event }) =>
    event?.severity === "error" ? [comparable(event.message.replaceAll(/<\{%[^%]*%\}>/g, "").trim())] : [],
  );
  return {
    outcomes,
    errors: errors.length > 1 ? errors.filter((text) => text !== "update failed") : errors,
    isConverged: code === 0 ? (await project.run(["preview", "--expect-no-changes"])).code === 0 : undefined,
  };
}
