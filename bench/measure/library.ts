import { join } from "node:path";
import { bundle } from "../../tools/bundle.ts";
import { inFolder } from "../folder.ts";
import { interleave, type Measure, over } from "../measure.ts";
import { root } from "../plugin.ts";
import { untilExit } from "../process.ts";

/**
 * Programs, one for each library that a plugin loads. A program assigns its results to `globalThis`, so that the bundler does
 * not remove them as unused.
 */
const programs = {
  "the gRPC server, a key and its certificate": `
    import { grpcServer } from "./provider/grpc/grpc.ts";
    import { makeCertificate } from "./provider/grpc/certificate.ts";
    import { listenSecurely } from "./provider/grpc/secure.ts";
    const { accept } = grpcServer({ route: async () => undefined, onError: () => {} });
    const own = makeCertificate(Date.now());
    const options = { own, client: own.cert, onError: () => {} };
    listenSecurely({ host: "127.0.0.1", port: 0 }, accept, options).then(({ close }) => close());`,
  "the same on `node:http2`": `
    import { createSecureServer } from "node:http2";
    import { makeCertificate } from "./provider/grpc/certificate.ts";
    createSecureServer({ ...makeCertificate(Date.now()) }).close();`,
  "codecs of the protocol (ts-proto)": `
    import { ProviderDefinition } from "./provider/terraform/tfplugin6/tfplugin6.ts";
    globalThis.kept = ProviderDefinition;`,
  "`zod/mini`, nothing defined": `
    import { object, string, optional } from "zod/mini";
    globalThis.kept = object({ name: optional(string()) });`,
  "all definitions, `zod/mini` among them": `
    import { resources } from "./resources/index.ts";
    import { lookups } from "./functions/index.ts";
    globalThis.kept = [resources, lookups];`,
  "undici's pool": `import { send } from "./provider/platform/undici.ts"; globalThis.kept = send;`,
  "`@grpc/grpc-js`": `import { Server } from "@grpc/grpc-js"; globalThis.kept = new Server();`,
  "Pulumi's messages (google-protobuf)": `
    import proto from "@pulumi/pulumi/proto/provider_pb.js";
    import service from "@pulumi/pulumi/proto/provider_grpc_pb.js";
    globalThis.kept = [proto, service];`,
} as const;

/** Duration in ms that each library adds to a process that loads it and exits. */
export const library: Measure = {
  name: "library",
  about: "duration that each library adds to a start",
  run: (bench) =>
    inFolder(async (folder) => {
      const names = Object.keys(programs) as (keyof typeof programs)[];
      const files = new Map(names.map((name, at) => [name, join(folder, `${at}.cjs`)]));
      for (const [name, outfile] of files)
        await bundle(
          { absWorkingDir: root, stdin: { contents: programs[name], resolveDir: root, loader: "ts" } },
          outfile,
        );
      const rounds = bench.rounds(25);
      bench.step(`${rounds} rounds of ${names.length + 1} starts`);
      const samples = await interleave<string>(rounds, {
        floor: () => untilExit(process.execPath, ["-e", "0"]),
        ...Object.fromEntries(
          [...files].map(([name, file]) => [name, () => untilExit(process.execPath, [file])]),
        ),
      });
      for (const name of names)
        bench.report({
          what: `library: ${name}`,
          unit: "ms",
          samples: over(samples[name] ?? [], samples.floor ?? []),
        });
    }),
};
