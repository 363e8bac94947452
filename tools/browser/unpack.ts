import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { modules, unpacked } from "./browser.ts";

/**
 * `npm run browser`, after `npm ci` of this folder: unpacks the Chromium of `@sparticuz/chromium` into `node_modules`, so that
 * an installation of another version removes it. Does nothing if `KCLOUD_CHROMIUM` names another Chromium. Needs Linux on x64
 * with glibc 2.34; the package includes the libraries and a font that Chromium needs.
 */

interface Package {
  /** Unpacks an archive into the folder of temporary files; returns its path. */
  inflate(file: string): Promise<string>;
}

async function unpack(): Promise<void> {
  const { platform, arch } = process;
  if (platform !== "linux" || arch !== "x64")
    throw new Error(`there is no Chromium for ${platform} ${arch}: set KCLOUD_CHROMIUM to the path of one`);
  const home = join(modules, "@sparticuz/chromium");
  await mkdir(modules, { recursive: true });
  const draft = await mkdtemp(`${unpacked}-`);
  // The package unpacks into this folder and treats existing files as complete, so the folder must be new.
  process.env.TMPDIR = draft;
  const { inflate } = (await import(join(home, "build/index.js"))) as Package;
  for (const archive of ["chromium.br", "fonts.tar.br", "al2023.tar.br"])
    await inflate(join(home, "bin", archive));
  await writeFile(
    join(draft, "fonts.conf"),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(unpacked, "fonts")}</dir><cachedir>${join(unpacked, "cache")}</cachedir></fontconfig>
`,
  );
  await rm(unpacked, { recursive: true, force: true });
  await rename(draft, unpacked);
}

if (!process.env.KCLOUD_CHROMIUM) await unpack();
