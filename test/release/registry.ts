import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/**
 * Registry of Terraform's protocol over one release: it knows only the files that a release publishes, as registries read them from
 * the assets of a tag.
 */

/** Running registry. */
export interface Registry {
  /** Configuration of the CLI of an engine with which it installs from this registry. */
  readonly cliConfig: string;
  close(): Promise<void>;
}

/** Facts of a release that the protocol has, from the names and contents of its files. */
async function factsOf(release: string, version: string) {
  const prefix = `terraform-provider-kcloud_${version}`;
  const text = (name: string) => readFile(join(release, name), "utf8");
  const { metadata } = JSON.parse(await text(`${prefix}_manifest.json`));
  const sums = (await text(`${prefix}_SHA256SUMS`)).split("\n").map((line) => line.split("  "));
  const platforms = (await readdir(release)).flatMap((name) => {
    const [, os, arch] = new RegExp(`^${prefix}_([a-z]+)_([a-z0-9]+)\\.zip$`).exec(name) ?? [];
    return os === undefined ? [] : [{ os, arch }];
  });
  return { prefix, protocols: metadata.protocol_versions as string[], sums, platforms };
}

/** Opens a registry over the release in a folder, with the public key that its owner registered. */
export async function openRegistry(release: string, version: string, publicKey: string): Promise<Registry> {
  const { prefix, protocols, sums, platforms } = await factsOf(release, version);
  const asset = (name: string) => `/assets/${name}`;
  const answer = async (path: string): Promise<string | Buffer | undefined> => {
    const parts = path.split("/").slice(1);
    if (parts[0] === "assets") return readFile(join(release, parts[1] ?? ""));
    if (path === "/v1/kcloud/kcloud/versions")
      return JSON.stringify({ versions: [{ version, protocols, platforms }] });
    const [, , , , , os, arch] = parts;
    const filename = `${prefix}_${os}_${arch}.zip`;
    const shasum = sums.find(([, name]) => name === filename)?.[0];
    if (path !== `/v1/kcloud/kcloud/${version}/download/${os}/${arch}` || shasum === undefined)
      return undefined;
    return JSON.stringify({
      ...{ protocols, os, arch, filename, shasum },
      download_url: asset(filename),
      shasums_url: asset(`${prefix}_SHA256SUMS`),
      shasums_signature_url: asset(`${prefix}_SHA256SUMS.sig`),
      signing_keys: { gpg_public_keys: [{ key_id: "", ascii_armor: publicKey }] },
    });
  };
  const server = createServer((request, response) => {
    answer(request.url ?? "").then(
      (body) => {
        response.statusCode = body === undefined ? 404 : 200;
        if (typeof body === "string") response.setHeader("content-type", "application/json");
        response.end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    cliConfig: `host "registry.terraform.io" {\n  services = { "providers.v1" = "http://127.0.0.1:${port}/v1/" }\n}\n`,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
