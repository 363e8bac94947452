import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Report } from "../../../review/report/report.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { applied, machine, network, rehearse, write } from "../../rehearse/run.ts";
import { openSite } from "../../support/engine/open-site.ts";
import { type Folder, succeed } from "../../support/engine/terraform.ts";
import { runBuilt } from "../command/run.ts";

/** Rehearsals that `kcloud rehearse` made with a real engine, in `kcloud review`. */

const terraform = await ensureEngine("terraform");
const site = openSite();

/** Plans the folder. Returns the path of the plan as JSON, next to its plan file. */
async function planned(folder: Folder): Promise<string> {
  await succeed(folder, ["plan", "-out", "planned"]);
  const text = await succeed(folder, ["show", "-json", "planned"]);
  const path = join(folder.path, "plan.json");
  await writeFile(path, text);
  return path;
}

/** Reviews an input with the rehearsal of its plan. */
async function review(folder: Folder, input: string) {
  const [rehearsal, out] = [join(folder.path, "../rehearsal.json"), join(site.path, "report.json")];
  const { code, stderr } = await runBuilt(
    ["--in", `net=${input}`, "--rehearsal", rehearsal, "--fail-on", "none", "--out", `json:${out}`],
    { PATH: `${join(terraform.path, "..")}:${process.env.PATH}` },
  );
  expect(stderr).toBe("");
  const report = JSON.parse(await readFile(out, "utf8")) as Report;
  const found = report.findings.filter(({ rule }) => rule.startsWith("RUN-") && rule !== "RUN-08");
  return {
    code,
    report,
    found: found.map(({ rule, severity, address, text }) => [rule, severity, address, text]),
  };
}

const web = machine("kcloud_subnet.a.id", "kcloud_vpc.net.id", "kcloud_security_group.web.id");

test("a replacement that applies has the absent rule as a finding, from the JSON of the plan and from its file", async () => {
  const folder = await applied(site, terraform, network + web);
  await write(folder, (network + web).replace("10.0.1.0/24", "10.0.2.0/24").replace('"first"', '"second"'));
  const path = await planned(folder);
  const { code } = await rehearse(site, terraform, folder, { args: ["--plan", path] });
  expect(code).toBe(0);
  for (const input of [path, join(folder.path, "planned")]) {
    const ran = await review(folder, input);
    expect(ran.code).toBe(0);
    expect(ran.found).toEqual([
      [
        ...["RUN-04", "medium", "net"],
        'During a part of the rehearsed apply, this is absent: ingress tcp 443-443 0.0.0.0/0 in the security group "web".',
      ],
    ]);
    expect(ran.report.rehearsals).toMatchObject([
      { plan: "net", engine: "terraform", outcome: "applies", untouched: 2 },
    ]);
    expect(ran.report.rehearsals?.[0]?.objects.map(({ steps }) => steps.length)).toEqual([2, 2, 2]);
  }
});

test("a create that the API refuses is a finding at its object, with the words of the API", async () => {
  const folder = await applied(site, terraform, network);
  const subnet = (name: string, vpc: string) => `resource "kcloud_subnet" "${name}" {
  vpc_id = ${vpc}
  name   = "${name}"
  cidr   = "10.0.3.0/24"
}
`;
  const { resources } = JSON.parse(await readFile(join(folder.path, "terraform.tfstate"), "utf8")) as {
    readonly resources: readonly {
      readonly type: string;
      readonly instances: readonly { readonly attributes: { readonly id: string } }[];
    }[];
  };
  const vpc = resources.find(({ type }) => type === "kcloud_vpc")?.instances[0]?.attributes.id;
  const other = await applied(site, terraform, subnet("taken", JSON.stringify(vpc)));
  await write(folder, `${network}${subnet("b", "kcloud_vpc.net.id")}`);
  const path = await planned(folder);
  const states = ["--state", join(other.path, "terraform.tfstate")];
  const { code } = await rehearse(site, terraform, folder, { args: ["--plan", path, ...states] });
  expect(code).toBe(3);
  const { found, report } = await review(folder, path);
  expect(found).toEqual([
    [
      ...["RUN-01", "high", "kcloud_subnet.b"],
      expect.stringMatching(/^The rehearsed apply fails at subnet "b": .*overlap/),
    ],
  ]);
  expect(report.rehearsals?.[0]?.outcome).toBe("fails");
});
