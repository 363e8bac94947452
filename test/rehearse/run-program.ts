import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { expect } from "@jest/globals";
import type { Rehearsal } from "../../review/model/rehearsal.ts";
import type { Engine } from "../../tools/engines/engine.ts";
import { program } from "../support/engine/built.ts";
import { openProject, type Project } from "../support/engine/pulumi.ts";
import { type Site, settingsOf } from "../support/engine/site.ts";
import { digestOf } from "./run.ts";

/** Runs `kcloud rehearse` with programs of Pulumi: the cloud of the state is another emulator, to which nothing may be sent. */

export const network = `const kcloud = require("@kcloud/iac/pulumi");
const net = new kcloud.Vpc("net", { name: "net" });
const a = new kcloud.Subnet("a", { vpcId: net.id, name: "a", cidr: "10.0.1.0/24" });
const web = new kcloud.SecurityGroup("web", { vpcId: net.id, name: "web" });
new kcloud.SecurityGroupRule("https", {
  vpcId: net.id, securityGroupId: web.id, direction: "ingress", protocol: "tcp", portRangeMin: 443, portRangeMax: 443,
  remoteIpPrefix: "0.0.0.0/0", description: "first",
});
`;
export const machine = (subnet: string, vpc: string, group: string) => `new kcloud.Instance("web", {
  vpcId: ${vpc}, subnetId: ${subnet}, securityGroups: [${group}], name: "web", instanceType: "c1.small", sshkeyName: "demo-key",
  bootVolume: {
    imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101", sizeGb: 10, volumeType: "ssd",
  },
});
`;

/** Opens a project, and applies a program there. */
export async function appliedProgram(site: Site, engine: Engine, text: string): Promise<Project> {
  const project = await openProject(engine, join(await site.folder(), "program"), {
    ...settingsOf(site.url),
    SERVICE_SETTLE_SECONDS: "1",
  });
  await project.program(text);
  await project.done("up", "--yes", "--skip-preview");
  return project;
}

/** Writes the export of the stack next to the project; returns its path. */
export async function exported(project: Project, ...options: readonly string[]): Promise<string> {
  const file = join(dirname(project.path), "state.json");
  await writeFile(file, await project.done("stack", "export", ...options));
  return file;
}

interface Options {
  readonly state: string;
  readonly args?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** False to hide the commands that confine programs, so that nothing but the command itself keeps them from a network. */
  readonly isConfined?: boolean;
}

/**
 * Runs the command in the folder of a project. Its files, those of the user, the export and the cloud must stay as they are, and no copy
 * may remain.
 */
export async function rehearseProgram(
  site: Site,
  engine: Engine,
  project: Pick<Project, "path">,
  { state, args = [], environment = {}, isConfined = true }: Options,
) {
  const [home, temporary] = [join(site.path, "home"), join(site.path, "temporary")];
  await mkdir(join(home, ".pulumi/plugins"), { recursive: true });
  await mkdir(temporary, { recursive: true });
  await writeFile(join(home, ".pulumi/credentials.json"), '{"current":"https://api.example"}');
  const now = async () => ({
    files: await digestOf(project),
    home: await digestOf({ path: home }),
    state: await readFile(state, "utf8"),
    cloud: JSON.stringify(site.emulator.inventory.list()),
    copies: await readdir(temporary),
  });
  const before = await now();
  site.emulator.log.clear();
  const out = join(site.path, "rehearsal.json");
  const path = [
    ...[dirname(engine.path), dirname(process.execPath)],
    ...(isConfined ? [engine.env.PATH ?? process.env.PATH] : []),
  ];
  const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>(
    (resolve) => {
      execFile(
        program("kcloud"),
        ["rehearse", project.path, "--state", state, "--out", out, ...args],
        { env: { PATH: path.join(delimiter), HOME: home, TMPDIR: temporary, ...environment } },
        (error, stdout, stderr) => resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
      );
    },
  );
  expect(await now()).toEqual(before);
  expect(site.emulator.log.entries()).toEqual([]);
  const text = code === 0 || code === 3 ? await readFile(out, "utf8") : "null";
  return { code, stdout, stderr, rehearsal: JSON.parse(text) as Rehearsal };
}

/** Returns the classes of the objects by their types and names. */
export const classes = ({ objects }: Rehearsal) =>
  Object.fromEntries(
    objects.map(({ address, class: effect }) => [
      address.replace("kcloud:index:", "").replace("::", "."),
      effect,
    ]),
  );
