import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import { terraformSource, terraformType } from "../../provider/core/name.ts";
import { resources } from "../../resources/index.ts";
import type { StoredState } from "../adapter/state-golden.ts";
import { files, importsOf, local, nodes, ours, sources, text } from "./repository.ts";

/** Tests the rules of this repository. Each test collects the violations of its rule. */

test("the emulator imports nothing but Node and zod", () => {
  const packages = sources
    .filter((file) => file.startsWith("emulator/"))
    .flatMap(importsOf)
    .filter((found) => !local(found))
    .map(({ to }) => to)
    .filter((to) => !to.startsWith("node:") && to !== "zod");
  expect(packages).toEqual([]);
});

test("zod is imported as a namespace: its export `z` keeps the messages of all languages in every bundle", () => {
  const wrong = sources.filter((file) =>
    nodes(file).some(
      (node) =>
        ts.isImportDeclaration(node) &&
        ts.isStringLiteral(node.moduleSpecifier) &&
        /^zod(\/|$)/.test(node.moduleSpecifier.text) &&
        !(node.importClause?.namedBindings && ts.isNamespaceImport(node.importClause.namedBindings)),
    ),
  );
  expect(wrong).toEqual([]);
});

const banned = [
  "Date",
  "performance",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "fetch",
  "crypto",
];
/** Exceptions of the ban, each with its reason. The ban does not apply to the ports in `platform/`. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // These files only convert a time that they receive.
  "provider/core/time.ts": ["Date"],
  "provider/grpc/certificate.ts": ["Date"],
  "provider/terraform/log.ts": ["Date"],
  // The frames of one turn of the event loop are written at once.
  "provider/grpc/http2/stream.ts": ["setImmediate"],
};

/** Returns the names that a file declares itself: a parameter called `fetch` is not the global function. */
const declared = (file: string): Set<string> =>
  new Set(
    nodes(file).flatMap((node) =>
      (ts.isParameter(node) ||
        ts.isVariableDeclaration(node) ||
        ts.isFunctionDeclaration(node) ||
        ts.isBindingElement(node)) &&
      node.name !== undefined &&
      ts.isIdentifier(node.name)
        ? [node.name.text]
        : [],
    ),
  );

function bannedIn(file: string): string[] {
  const own = declared(file);
  return nodes(file).flatMap((node) => {
    if (ts.isPropertyAccessExpression(node)) {
      const access = `${node.expression.getText()}.${node.name.text}`;
      return ["Math.random", "AbortSignal.timeout", "process.hrtime"].includes(access) ? [access] : [];
    }
    if (!ts.isIdentifier(node) || !banned.includes(node.text) || own.has(node.text)) return [];
    const { parent } = node;
    const named =
      (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
      (ts.isPropertyAssignment(parent) && parent.name === node) ||
      (ts.isPropertySignature(parent) && parent.name === node) ||
      (ts.isMethodDeclaration(parent) && parent.name === node);
    return named ? [] : [node.text];
  });
}

const isOutsidePlatform = (file: string): boolean => !file.startsWith("provider/platform/");

test("time, network and randomness come only from the ports", () => {
  const wrong = ours
    .filter(isOutsidePlatform)
    .flatMap((file) =>
      [...new Set(bannedIn(file))]
        .filter((name) => !allowed[file]?.includes(name))
        .map((name) => `${file} uses ${name}`),
    );
  expect(wrong).toEqual([]);
});

test("no timer, no HTTP client and no random source is imported past the ports", () => {
  const packages = /^(node:)?(timers|timers\/promises|perf_hooks|http|https)$|^undici(\/|$)/;
  const imports = ours
    .filter(isOutsidePlatform)
    .flatMap(importsOf)
    .filter(({ to }) => packages.test(to) || to === "provider/platform/undici.ts")
    .map(({ from, to }) => `${from} imports ${to}`);
  const random = ours.flatMap((file) =>
    nodes(file)
      .filter((node) => ts.isImportSpecifier(node) && /^(random|getRandom|webcrypto)/.test(node.name.text))
      .map((node) => `${file} imports ${node.getText()}`),
  );
  expect([...imports, ...random]).toEqual([]);
});

/** Published sources, and the generator of pages; without the emulator, which shares no code with them. */
const shipped = sources.filter((file) =>
  /^(provider|resources|functions|account|review|command|tools\/docs)\//.test(file),
);

test.each([
  ["provider/platform/abort.ts", "subscribes to abort signals", /\.addEventListener\(\s*"abort"/],
  [
    "provider/core/name.ts",
    "converts names from one spelling to another",
    /\.charAt\(0\)\.toUpperCase\(\)|\.replaceAll\("-", "_"\)|\.replaceAll\("_", "-"\)/,
  ],
])("only %s %s", (place, _, pattern) => {
  expect(shipped.filter((file) => pattern.test(text(file)))).toEqual([place]);
});

/** Functions with more positional parameters than the rule allows: the interface of the package, and what will take an object. */
const longSignatures = ["provider/engine/engine.ts planFor", "provider/engine/engine.ts update"];

test("no function has more than four positional parameters", () => {
  const found = sources
    .filter((file) => /^(provider|resources|functions|account|review|command)\//.test(file))
    .flatMap((file) =>
      nodes(file).flatMap((node) => {
        if (!ts.isFunctionLike(node) || !("body" in node) || node.parameters.length <= 4) return [];
        const named = node.name === undefined ? node.parent : node;
        const name = "name" in named ? (named.name as ts.Node).getText() : "";
        return [`${file} ${name}`];
      }),
    );
  expect(found.toSorted()).toEqual(longSignatures);
});

test("files are named in kebab case, after their content", () => {
  const wrong = sources.filter(
    (file) => !/^([\w.-]+\/)*[a-z0-9]+(-[a-z0-9]+)*(\.(test|wire|config|d))?\.(ts|js)$/.test(file),
  );
  const vague = sources.filter((file) => /(^|\/)(utils?|helpers?|common|misc|shared|types)\.ts$/.test(file));
  expect([wrong, vague]).toEqual([[], []]);
});

/** Files of a resource, except the file in a folder of the emulator. */
const partsOf = (name: string): string[] => [
  `resources/${name}.ts`,
  `test/kind/${name}.ts`,
  ...["main.tf", "index.ts", "Pulumi.yaml"].map((file) => `examples/${name}/${file}`),
];

test("every resource has its file in each parallel folder", () => {
  const emulated = new Set(
    files.filter((file) => file.startsWith("emulator/")).map((file) => file.split("/").at(-1)),
  );
  const missing = resources.flatMap(({ name }) => [
    ...partsOf(name).filter((file) => !files.includes(file)),
    // The emulator has one file for the text services, and one for the document jobs.
    ...(emulated.has(`${name.replace(/^(text|document)-.*/, "$1")}.ts`) ? [] : [`emulator/…/${name}.ts`]),
  ]);
  expect(missing).toEqual([]);
});

test("every file in the parallel folders belongs to a resource in resources/index.ts", () => {
  const parts = /^(resources|test\/kind)\/([\w-]+)\.ts$/;
  const listed = new Set(["index", ...resources.map(({ name }) => name)]);
  const unlisted = sources.filter((file) => !listed.has(parts.exec(file)?.[2] ?? "index"));
  expect(unlisted).toEqual([]);
});

test("every resource has a stored state of Terraform in the golden file", () => {
  const stored: StoredState = JSON.parse(text("test/golden/state/terraform-0.json"));
  const types = new Set(stored.resources.map(({ type }) => type));
  const missing = resources.filter(({ name }) => !types.has(terraformType(name)));
  expect(missing.map(({ name }) => `npm run state -- ${name}`)).toEqual([]);
});

test("every folder of examples is a project that engines run as it is", () => {
  const folders = [...new Set(files.filter((file) => file.startsWith("examples/")).map(dirname))];
  const lacking = folders.flatMap((folder) => {
    const has = (name: string) => files.includes(`${folder}/${name}`);
    const isConfigured =
      !has("main.tf") || text(`${folder}/main.tf`).includes(`source = "${terraformSource}"`);
    return [
      ...(isConfigured ? [] : [`required_providers in ${folder}/main.tf`]),
      ...(has("index.ts") && !has("Pulumi.yaml") ? [`${folder}/Pulumi.yaml`] : []),
      ...((has("main.ts") || has("cdktf.ts")) && !has("cdktf.json") ? [`${folder}/cdktf.json`] : []),
    ];
  });
  expect(lacking).toEqual([]);
});

test("every resource kind of the emulator is in its list", () => {
  const listed = importsOf("emulator/resource-kinds.ts").map(({ to }) => to);
  const forgotten = sources.filter(
    (file) =>
      file.startsWith("emulator/") && /^export const \w+Kind\b/m.test(text(file)) && !listed.includes(file),
  );
  expect(forgotten).toEqual([]);
});

/**
 * Words that must not occur in the repository: the owner of the cloud, and tools that write text. Stored as digests, so
 * that this file does not contain them.
 */
const unnamed = new Set([
  "17bd921b4ab173bc",
  "00526ff020016527",
  "fb9e9411c9f964f8",
  "c857d09db23e6822",
  "c70eca6b0f88f44d",
  "60965168ce762e94",
  "7d3194f79e645c42",
  "3ea125d0bff386e6",
  "5d72436256ada538",
]);

test("nothing names the cloud's owner, a tool that writes, a machine's path or a registry", () => {
  const digest = (word: string) => createHash("sha256").update(word).digest("hex").slice(0, 16);
  const seen = new Map<string, boolean>();
  const forbidden = (word: string): boolean => {
    const known = seen.get(word) ?? unnamed.has(digest(word));
    seen.set(word, known);
    return known;
  };
  const places =
    /(^|[\s"'`(=])\/(work|root|Users)\/|registry\.npmjs|registry\.yarnpkg|pypi\.org|proxy\.golang|\/(artifactory|nexus|verdaccio)\//m;
  const wrong = files.flatMap((file) => {
    const content = text(file);
    const words = new Set(`${file} ${content}`.toLowerCase().match(/[a-z]{4,}/g) ?? []);
    return [
      ...[...words].filter(forbidden).map((word) => `${file}: ${word}`),
      ...(places.test(content) ? [`${file}: ${places.exec(content)?.[0]}`] : []),
    ];
  });
  expect(wrong).toEqual([]);
});

test("package.json alone names the project's address, so that an owner edits one file", () => {
  const { homepage, repository, bugs } = JSON.parse(text("package.json"));
  const host = new URL(homepage).hostname;
  for (const address of [repository.url, bugs.url, bugs.email]) expect(address).toContain(host);
  expect(files.filter((file) => text(file).includes(host))).toEqual(["package.json"]);
});
