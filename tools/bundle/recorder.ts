import { writeFileSync } from "node:fs";
import { join } from "node:path";
import v8 from "node:v8";
import vm from "node:vm";

/**
 * Module for `--import` that writes a code cache for each part that a program has run, when the program ends, into the
 * folder KCLOUD_CODE_CACHE. The cache contains the functions that were called.
 */

const { KCLOUD_CODE_CACHE: folder = "" } = process.env;
const scripts = new Map<string, vm.Script>();

vm.Script = class extends vm.Script {
  constructor(code: string, options: vm.ScriptOptions & { filename: string }) {
    super(code, { ...options, cachedData: undefined });
    scripts.set(options.filename, this);
  }
};
// V8 accepts a cache only with the same flags as when it was created.
v8.setFlagsFromString = () => {};

process.on("exit", () => {
  for (const [name, script] of scripts)
    writeFileSync(join(folder, encodeURIComponent(name)), script.createCachedData());
});
