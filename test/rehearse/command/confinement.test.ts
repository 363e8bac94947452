import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { confinementOf } from "../../../rehearse/namespace.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { openSite } from "../../support/engine/open-site.ts";
import { applied, classes, head, network, rehearse, write } from "../run.ts";

/** Programs of a rehearsal are confined to the emulator, and end with a signal or at the time limit. */

const terraform = await ensureEngine("terraform");
const site = openSite();

test("addresses and credentials of the folder and of the environment reach nobody", async () => {
  let connections = 0;
  const server = createServer((_, response) => {
    connections += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const folder = await applied(site, terraform, network);
    const providers = `provider "kcloud" {
  base_url = "${url()}"
  email    = "canary-1@example.com"
  password = "canary-2"
}
provider "kcloud" {
  alias    = "second"
  base_url = "${url()}"
  api_key  = "canary-3"
}
`;
    await write(
      folder,
      `${network}${providers}`.replace('name   = "a"', 'name   = "b"\n  provider = kcloud.second'),
    );
    const { code, stdout, stderr, rehearsal } = await rehearse(site, terraform, folder, {
      isConfined: false,
      environment: {
        ...{ SERVICE_BASE_URL: url(), SERVICE_API_KEY: "canary-4", HTTPS_PROXY: url(), HTTP_PROXY: url() },
        ...{ TF_HTTP_ADDRESS: url(), AWS_SECRET_ACCESS_KEY: "canary-5" },
      },
    });
    expect([code, classes(rehearsal)["subnet.a"], stderr]).toEqual([0, "replaced", ""]);
    expect(`${stdout}${JSON.stringify(rehearsal)}`).not.toContain("canary");
    expect(connections).toBe(0);
  } finally {
    server.close();
  }
});

test("a module with an address and a key of its own uses the emulator, too", async () => {
  const folder = await applied(site, terraform, network);
  const inner = `${head}provider "kcloud" {\n  base_url = "${site.url}"\n  api_key  = "canary-6"\n}\nresource "kcloud_ssh_key" "k" {\n  name = "k"\n  public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f demo"\n}\n`;
  await writeFile(join(folder.path, "inner.tf"), 'module "inner" {\n  source = "./inner"\n}\n');
  await mkdir(join(folder.path, "inner"));
  await writeFile(join(folder.path, "inner/main.tf"), inner);
  const { code, stderr, rehearsal } = await rehearse(site, terraform, folder, { isConfined: false });
  expect([code, stderr]).toEqual([0, ""]);
  expect(classes(rehearsal)["module.inner.ssh_key.k"]).toBe("created");
});

test("an allowed command has no network where the system can confine it, and the report says if it has one", async () => {
  let connections = 0;
  const server = createServer((_, response) => {
    connections += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  try {
    const folder = await applied(site, terraform, network);
    const { port } = server.address() as AddressInfo;
    const script = `fetch('http://127.0.0.1:${port}').catch(() => {})`;
    const command = `${process.execPath} -e \\"${script}\\"`;
    await write(
      folder,
      `${network}resource "terraform_data" "x" {\n  provisioner "local-exec" {\n    command = "${command}"\n  }\n}\n`,
    );
    const open = await rehearse(site, terraform, folder, { args: ["--allow-commands"], isConfined: false });
    expect([open.code, connections]).toEqual([0, 1]);
    expect(open.stdout.split("\n")[0]).toContain("programs have the network of this machine");
    const confined = await rehearse(site, terraform, folder, { args: ["--allow-commands"] });
    expect([confined.code, connections]).toEqual([0, confined.rehearsal.unconfined === undefined ? 1 : 2]);
    expect(confined.rehearsal.unconfined === undefined).toBe(confinementOf(process.env).kind === "available");
  } finally {
    server.close();
  }
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "after %s, the engine ends and the copy is removed",
  async (signal) => {
    const folder = await applied(site, terraform, network);
    const slow =
      'resource "terraform_data" "slow" {\n  provisioner "local-exec" {\n    command = "touch ${path.root}/started && sleep 60"\n  }\n}\n';
    await write(folder, `${network}${slow}`);
    const interrupted = await rehearse(site, terraform, folder, { args: ["--allow-commands"], signal });
    expect([interrupted.code, interrupted.stderr]).toEqual([
      signal === "SIGINT" ? 130 : 143,
      "kcloud rehearse: interrupted; nothing but the copy was changed, and it is removed\n",
    ]);
  },
);

test("an engine that does not end is stopped at the time limit, and the report says so", async () => {
  const folder = await applied(site, terraform, network);
  const slow = `resource "terraform_data" "slow" {
  provisioner "local-exec" {
    command = "sleep 60"
  }
}
`;
  await write(folder, `${network}${slow}`);
  const { code, rehearsal } = await rehearse(site, terraform, folder, {
    args: ["--allow-commands", "--time-limit", "10"],
  });
  expect([code, rehearsal.isComplete]).toEqual([3, false]);
  expect(rehearsal.errors).toEqual([
    { text: "The apply did not end within the time limit, and was stopped." },
  ]);
  expect(classes(rehearsal)["terraform_data.slow"]).toBe("failed");
});
