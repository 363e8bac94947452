import { copyFileSync, type Dirent, mkdirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { provider } from "../../provider/core/name.ts";

/** Installed providers of Terraform and OpenTofu: `HOST/NAMESPACE/NAME/VERSION/PLATFORM` has the files of one. */

/** Number of folders above the files of a provider. */
const depth = 5;

/** Files of a provider: its program, the texts of which the lock file has a checksum, too, and what the plugin of this package has. */
const isOfProvider = (name: string): boolean =>
  /^terraform-provider-/.test(name) ||
  /^(LICENSE|README|CHANGELOG)(\.\w+)?$/i.test(name) ||
  [`${provider}-terraform.cache`, "package.json"].includes(name);

/**
 * Copies the providers in a folder. The last folder of a provider may be a link to a cache of the machine, of which the files of a
 * provider are copied. Other links are left out, since they may lead to any file.
 */
export function copyProviders(source: string, target: string, level = 0): void {
  mkdirSync(target, { recursive: true });
  for (const entry of entriesIn(source)) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) copyProviders(from, to, level + 1);
    else if (entry.isFile()) copyFileSync(from, to);
    else if (entry.isSymbolicLink() && level === depth - 1) copyCached(from, to);
  }
}

function copyCached(link: string, target: string): void {
  if (!statSync(link, { throwIfNoEntry: false })?.isDirectory()) return;
  const folder = realpathSync(link);
  mkdirSync(target);
  for (const entry of entriesIn(folder))
    if (entry.isFile() && isOfProvider(entry.name))
      copyFileSync(join(folder, entry.name), join(target, entry.name));
}

const entriesIn = (folder: string): Dirent[] => readdirSync(folder, { withFileTypes: true });
