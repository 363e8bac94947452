import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "./platform.ts";
import { runtimePackage } from "./platform.ts";

/** Lists the packages that the executables contain: the bill of materials, and their licences. */

const root = join(import.meta.dirname, "../..");
const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));

/** Package from a registry. */
export interface Part {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Digest of the tarball, as in a lock file: `sha512-BASE64`. */
  readonly integrity: string;
  /** Folder below the checkout; undefined for a runtime. */
  readonly folder?: string;
}

interface Lock {
  readonly packages: Readonly<Record<string, Omit<Part, "name" | "folder">>>;
}

/** Returns the packages that contain one of these files, sorted by name. */
export function partsOf(inputs: readonly string[]): Part[] {
  const { packages } = read("package-lock.json") as Lock;
  const folders = inputs.flatMap((file) => {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
    return folder === undefined ? [] : [folder];
  });
  return [...new Set(folders)].toSorted().map((folder) => {
    const { version, license, integrity } = packages[folder] ?? {};
    if (version === undefined || license === undefined || integrity === undefined)
      throw new TypeError(`package-lock.json lacks version, license or integrity of ${folder}`);
    return { name: folder.replace(/^.*node_modules\//, ""), version, license, integrity, folder };
  });
}

/** Returns the identifier of an npm package, as the specification `purl` writes it. */
const purl = ({ name, version }: Pick<Part, "name" | "version">): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** Returns a licence in the form of CycloneDX: an expression is not an identifier. */
const licenseOf = (license: string) =>
  /\s/.test(license) ? { expression: license } : { license: { id: license } };

const component = (part: Part) => ({
  type: "library",
  "bom-ref": purl(part),
  name: part.name,
  version: part.version,
  purl: purl(part),
  licenses: [licenseOf(part.license)],
  hashes: [
    {
      alg: "SHA-512",
      content: Buffer.from(part.integrity.replace(/^sha512-/, ""), "base64").toString("hex"),
    },
  ],
});

/** Returns the bill of materials in the format CycloneDX 1.6, without a time and with an id derived from its content. */
export function billOfMaterials(parts: readonly Part[], platforms: readonly Platform[]): string {
  const { name, version, license, description } = read("package.json");
  const runtimes = platforms.map((platform) => runtimePackage(platform));
  const release = { name, version };
  const components = [...parts, ...runtimes].map(component);
  const content = {
    metadata: {
      component: {
        type: "application",
        "bom-ref": purl(release),
        ...release,
        description,
        purl: purl(release),
        licenses: [licenseOf(license)],
      },
    },
    components,
    dependencies: [
      { ref: purl(release), dependsOn: components.map((part) => part["bom-ref"]) },
      ...components.map((part) => ({ ref: part["bom-ref"] })),
    ],
  };
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  // A UUID of version 8, whose bits are free, and of the variant of RFC 9562.
  const id = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${id}`,
    version: 1,
    ...content,
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** Returns the licence of each package, with its name and version. */
const textsOf = (parts: readonly Part[]): string[] =>
  parts.map(({ name, version, license, folder = "" }) => {
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
    const text = file === undefined ? "" : `\n\n${readFileSync(join(root, folder, file), "utf8").trim()}`;
    return `${name} ${version}, ${license}${text}`;
  });

const joined = (texts: readonly string[]): string => `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;

/** Returns the licences of the packages in the programs of the npm package. */
export const programLicenses = (parts: readonly Part[]): string =>
  joined([
    "The programs in this folder contain parts of the following packages, each under its own licence.",
    ...textsOf(parts),
  ]);

/** Returns the licences of the packages in an executable, with the name of its runtime. */
export function licenseTexts(parts: readonly Part[], platform: Platform): string {
  const runtime = runtimePackage(platform);
  return joined([
    "This executable contains the following packages, each under its own licence.",
    [
      `${runtime.name} ${runtime.version}, ${runtime.license}: the runtime Bun, with the libraries that https://bun.com/docs/project/license names.`,
      "JavaScriptCore, one of them, is under the LGPL 2. To use another build of it, run `npm run release`, a command of",
      "the sources of this executable, with that build.",
    ].join("\n"),
    ...textsOf(parts),
  ]);
}
