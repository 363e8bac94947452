import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readState } from "../../../account/state/state.ts";

/** States with one object, for the tests of their readers. */

/** Returns the state of a file with this content. */
export async function read(content: unknown) {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-state-"));
  try {
    const path = join(folder, "state.json");
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
    return readState(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const source = 'provider["registry.terraform.io/kcloud/kcloud"]';
export const attributes = { id: "krn:net", name: "net", region: "In-Bangalore-1" };

/** Returns a state file with one resource. */
export const stateFile = (resource: object, version: unknown = 4) => ({
  version,
  terraform_version: "1.16.0",
  serial: 7,
  lineage: "line",
  resources: [{ mode: "managed", type: "kcloud_vpc", name: "net", provider: source, ...resource }],
});

/** Returns an export of a stack with one resource. */
export const stack = (resource: object, rest: object = {}) => ({
  version: 3,
  deployment: {
    manifest: { version: "v3.259.0" },
    resources: [
      { urn: "urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev", type: "pulumi:pulumi:Stack" },
      {
        urn: "urn:pulumi:dev::proj::kcloud:index:Vpc::net",
        custom: true,
        id: "krn:net",
        type: "kcloud:index:Vpc",
        outputs: { name: "net", __createdAt: 5 },
        ...resource,
      },
    ],
    ...rest,
  },
});
