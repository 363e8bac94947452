/**
 * Module for `--import` that writes to standard error each part that a bundled program loads, with the origin of its code
 * (compiled, cached, or a rejected cache), and each V8 flag that the program sets.
 */
export const traceLoads = `data:text/javascript,${encodeURIComponent(`
  import v8 from "node:v8";
  import vm from "node:vm";
  vm.Script = class extends vm.Script {
    constructor(code, options) {
      super(code, options);
      const how = options.cachedData === undefined ? "compiled" : this.cachedDataRejected ? "rejected" : "cached";
      process.stderr.write("loads " + options.filename + ", " + how + "\\n");
    }
  };
  v8.setFlagsFromString = (flag) => process.stderr.write("sets " + flag + "\\n");`)}`;
