import { readdirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";

/** Part that a rehearsal does not run or copy. */
export interface Refusal {
  /** File, with its line for a part of it. */
  readonly place: string;
  readonly reason: string;
}

/** Entries of a folder that cannot be copied: links that lead out of it, or back to the original, and what is no file. */

/** Folders whose content is copied as files, linked, or left out. */
const others = /(^|\/)(\.git|\.pulumi|__pycache__|node_modules)$|(^|\/)\.terraform\/providers$/;

/** Returns the refused entries of a folder; `isOther` is true for the paths inside of it that are not copied as they are. */
export function refusedEntries(root: string, isOther: (path: string) => boolean = () => false): Refusal[] {
  const refusals: Refusal[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const place = relative(root, path);
      if (others.test(place) || isOther(place)) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isSymbolicLink()) refusals.push(...refusedLink(root, path));
      else if (!entry.isFile()) refusals.push({ place, reason: "is neither a file nor a folder" });
    }
  };
  visit(root);
  return refusals;
}

/** Returns the refusal of a link, if it leads out of the folder or is absolute. */
export function refusedLink(root: string, path: string): Refusal[] {
  const place = relative(root, path);
  const target = readlinkSync(path);
  const leadsOut = { place, reason: `is a link to ${target}, which is outside of the copied folder` };
  if (isAbsolute(target))
    return [{ place, reason: `is a link to ${target}: only relative links are copied` }];
  if (!isWithin(root, resolve(dirname(path), target))) return [leadsOut];
  try {
    return isWithin(realpathSync(root), realpathSync(path)) ? [] : [leadsOut];
  } catch {
    // A link without a target leads nowhere.
    return [];
  }
}

/** Returns true for a path inside of a folder, and for the folder. */
export const isWithin = (root: string, path: string): boolean => {
  const inner = relative(root, path);
  return inner === "" || (!/^\.\.([\\/]|$)/.test(inner) && !isAbsolute(inner));
};
