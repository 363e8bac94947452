import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { pulumiToken } from "../../provider/core/name.ts";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { fullStack } from "../adapter/full-stack/stack.ts";
import { environment, importable, importsOf } from "../adapter/lifecycle/lifecycle.ts";
import { openSite } from "../support/engine/open-site.ts";
import { openProject, type Project } from "../support/engine/pulumi.ts";
import { up } from "../support/engine/stack.ts";
import { existingObjects, filledProgram, make } from "../support/large-account.ts";

/** One stack with every resource, imported by id into a program that Pulumi generates. */

const engine = await ensureEngine("pulumi-yaml");
const limit = 180_000;

const site = openSite({ taskMs: 20, assume: { podRead: "pod" } }, { isContinued: true });
const { emulator } = site;
let project: Project;

beforeAll(async () => {
  project = await openProject(engine, await site.folder(), environment(site.url));
}, limit);

const head = `name: proj
runtime: yaml
plugins:
  providers:
    - name: kcloud
      path: ./node_modules/@kcloud/iac/dist
`;

test(
  "the program that pulumi import generates for every resource plans an update of unread contents only, and compares the other unread fields from then on",
  async () => {
    const made = await make(fullStack, site.url);
    const ids = Object.fromEntries(Object.entries(made).map(([name, { id = "" }]) => [name, id]));
    const entries = importsOf(importable(fullStack), ids, ids.network ?? "").map(
      ({ resource, ...entry }) => ({
        type: pulumiToken(resource),
        ...entry,
      }),
    );
    const before = existingObjects(emulator);
    await writeFile(join(project.path, "import.json"), JSON.stringify({ resources: entries }));
    await writeFile(join(project.path, "Pulumi.yaml"), head);
    const options = ["--yes", "--skip-preview", "--protect=false", "--out=generated.yaml"];
    const output = await project.done("import", "--file=import.json", ...options);
    expect(output).not.toContain("bug in the");
    expect(output).toContain("Set direction, protocol, remoteIpPrefix before the next pulumi up.");
    const { text, count } = filledProgram(await readFile(join(project.path, "generated.yaml"), "utf8"));
    await writeFile(join(project.path, "Pulumi.yaml"), head + text);
    // A step without a change stores the other values; the content of an object and of four documents is in outputs too.
    const updated = 5;
    expect(count).toBeGreaterThan(updated);
    expect(await project.done(...up)).toContain(
      `~ ${updated} updated\n    ${entries.length - updated + 1} unchanged\n`,
    );
    await project.done("preview", "--expect-no-changes");
    expect(existingObjects(emulator)).toEqual(before);
    const changed = text.replace('direction: "ingress"', 'direction: "egress"');
    expect(changed).not.toBe(text);
    const replacing = /\+- +kcloud:index:SecurityGroupRule .* replace \[diff: ~direction\]/;
    await writeFile(join(project.path, "Pulumi.yaml"), head + changed);
    expect(await project.done("preview")).toMatch(replacing);
    await project.done("refresh", "--yes", "--skip-preview");
    expect(await project.done("preview")).toMatch(replacing);
    await writeFile(join(project.path, "Pulumi.yaml"), head + text);
    await project.done("preview", "--expect-no-changes");
  },
  limit,
);
