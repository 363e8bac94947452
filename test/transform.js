import { transformSync } from "esbuild";

export default {
  process(source, path) {
    return transformSync(source, {
      loader: "ts",
      format: "esm",
      target: "node22",
      sourcefile: path,
      sourcemap: "inline",
    });
  },
};
