import manifest from "../../package.json" with { type: "json" };
import { provider } from "../../provider/core/name.ts";

/** Package of a program: its dependencies, with the versions with which this version is tested. */

const { name, version, peerDependencies, devDependencies } = manifest;

/** Name of the package, the Pulumi project or the stack of CDKTF. */
export const programName = "account";

/** Folder of the Pulumi plugin in the folder of the program. */
export const pluginFolder = `./node_modules/${name}/dist`;

/** Returns a value as the text of a JSON file. */
export const jsonFile = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Returns `package.json` of a program that needs these peers of the package. */
export const packageFile = (
  peers: readonly (keyof typeof peerDependencies)[],
  isTypescript: boolean,
): string =>
  jsonFile({
    name: programName,
    private: true,
    ...(isTypescript && { type: "module" }),
    dependencies: {
      [name]: `^${version}`,
      ...Object.fromEntries(peers.map((peer) => [peer, peerDependencies[peer]])),
    },
    ...(isTypescript && {
      devDependencies: {
        "@types/node": `^${devDependencies["@types/node"]}`,
        typescript: `^${devDependencies.typescript}`,
      },
    }),
  });

/** Content of `tsconfig.json`: Node runs the program as it is, and `npx tsc` checks its types. */
export const tsconfigFile = jsonFile({
  compilerOptions: {
    target: "es2024",
    module: "nodenext",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
  },
});

/** File of a release with the SDK for Python. */
export const pythonWheel = `pulumi_${provider}-${version}-py3-none-any.whl`;

/** Content of `requirements.txt`: Pulumi of the same major version, and the SDK, which no index of packages has. */
export const requirementsFile = [
  `pulumi>=${peerDependencies["@pulumi/pulumi"].replace("^", "")},<4.0.0`,
  "# The file of the release, in the folder of the program.",
  `./${pythonWheel}`,
  "",
].join("\n");
