import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import { resources } from "../../resources/index.ts";
import { files, importsOf, lines, local, nodes, ours, sources, text } from "./repository.ts";

/** The rules of this repository, held by tests: each collects what breaks its rule. */

/** Of the core, what an adapter may stand on; the rest is the engine's own business. */
const foundation =
  /^provider\/(check|config|define|define-function|engine|ephemeral|errors|import|import-id|list|memory|names|observe|operation|plan|ports|runtime|session|setting|setting-rule|shape|upgrade|value)\.ts$/;
const lists = /^(resources|functions)\/index\.ts$/;

/** Who may import what, by the first line that fits. */
const arrows: readonly { readonly of: RegExp; readonly may: readonly RegExp[] }[] = [
  { of: /^emulator\//, may: [/^emulator\//] },
  {
    of: /^resources\//,
    may: [
      /^resources\//,
      /^provider\/(address|client|content|define|endpoint|errors|krn|type|verb|word)\.ts$/,
    ],
  },
  // The lookups of the resources are made where the list of all is.
  {
    of: /^functions\/index\.ts$/,
    may: [/^functions\//, /^resources\/index\.ts$/, /^provider\/(define-function|resource-lookup)\.ts$/],
  },
  {
    of: /^functions\//,
    may: [
      /^functions\//,
      /^resources\/[\w-]+\.wire\.ts$/,
      /^provider\/(address|choose|client|define|define-function|endpoint|errors|krn|object-session-route|type)\.ts$/,
    ],
  },
  { of: /^provider\/terraform\//, may: [/^provider\/terraform\//, foundation, lists] },
  { of: /^provider\/pulumi\//, may: [/^provider\/pulumi\//, foundation, lists, /^package\.json$/] },
  // Two faces of the same engine: values, states and texts are the same.
  { of: /^provider\/dynamic\//, may: [/^provider\/(dynamic|pulumi)\//, foundation, lists] },
  // Bindings are made from the schema that Terraform is told.
  {
    of: /^provider\/cdktf\//,
    may: [
      /^provider\/cdktf\//,
      /^provider\/terraform\/(schema|function|proto\/plugin)\.ts$/,
      foundation,
      lists,
    ],
  },
  { of: /^provider\/[\w-]+\.ts$/, may: [/^provider\/[\w-]+\.ts$/, /^package\.json$/] },
];

test("imports follow the arrows of the design", () => {
  const wrong = sources
    .flatMap(importsOf)
    .filter(local)
    .filter(({ from, to }) => {
      const rule = arrows.find(({ of }) => of.test(from));
      return rule !== undefined && !rule.may.some((target) => target.test(to));
    });
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("of the client the definitions know the types alone", () => {
  const wrong = sources
    .filter((file) => /^(resources|functions)\//.test(file))
    .flatMap(importsOf)
    .filter(({ to, typeOnly }) => to === "provider/client.ts" && !typeOnly)
    .map(({ from }) => from);
  expect(wrong).toEqual([]);
});

test("nothing but tests, tools, measures, entries and the adapters themselves imports an adapter", () => {
  const wrong = sources
    .filter((file) => !/^(test|tools|bench|provider\/(terraform|pulumi|dynamic|cdktf)|examples)\//.test(file))
    .flatMap(importsOf)
    .filter(({ to }) => /^provider\/(terraform|pulumi|dynamic|cdktf)\//.test(to));
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("the emulator stands on Node and zod alone", () => {
  const packages = sources
    .filter((file) => file.startsWith("emulator/"))
    .flatMap(importsOf)
    .filter((found) => !local(found))
    .map(({ to }) => to)
    .filter((to) => !to.startsWith("node:") && to !== "zod");
  expect(packages).toEqual([]);
});

const doors = [
  "Date",
  "performance",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "fetch",
  "crypto",
];
/** Named exceptions of the ban, each with its reason. */
const doorways: Readonly<Record<string, readonly string[]>> = {
  // The doors themselves.
  "provider/ports.ts": ["Date", "performance", "setTimeout", "Math.random"],
  // Both write down a time that they are given.
  "provider/terraform/certificate.ts": ["Date"],
  "provider/terraform/log.ts": ["Date"],
};

/** Names that a file declares itself: a parameter called `fetch` is no door. */
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

function doorsOf(file: string): string[] {
  const own = declared(file);
  return nodes(file).flatMap((node) => {
    if (ts.isPropertyAccessExpression(node)) {
      const access = `${node.expression.getText()}.${node.name.text}`;
      return ["Math.random", "AbortSignal.timeout", "process.hrtime"].includes(access) ? [access] : [];
    }
    if (!ts.isIdentifier(node) || !doors.includes(node.text) || own.has(node.text)) return [];
    const { parent } = node;
    const named =
      (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
      (ts.isPropertyAssignment(parent) && parent.name === node) ||
      (ts.isPropertySignature(parent) && parent.name === node) ||
      (ts.isMethodDeclaration(parent) && parent.name === node);
    return named ? [] : [node.text];
  });
}

test("time, network and chance come in by the ports alone", () => {
  const wrong = ours.flatMap((file) =>
    [...new Set(doorsOf(file))]
      .filter((door) => !doorways[file]?.includes(door))
      .map((door) => `${file} uses ${door}`),
  );
  expect(wrong).toEqual([]);
});

test("no timer, no HTTP client and no draw is imported past the ports", () => {
  const banned = /^(node:)?(timers|timers\/promises|perf_hooks|http|https)$|^undici(\/|$)/;
  const imports = ours
    .flatMap(importsOf)
    .filter(
      ({ from, to }) =>
        (banned.test(to) && !/^provider\/(undici|undici-pool\.d|tunnel|memory)\.ts$/.test(from)) ||
        (to === "provider/undici.ts" && from !== "provider/ports.ts"),
    )
    .map(({ from, to }) => `${from} imports ${to}`);
  const draws = ours.flatMap((file) =>
    nodes(file)
      .filter((node) => ts.isImportSpecifier(node) && /^(random|getRandom|webcrypto)/.test(node.name.text))
      .map((node) => `${file} imports ${node.getText()}`),
  );
  expect([...imports, ...draws]).toEqual([]);
});

test("no hand-written file is longer than one sitting", () => {
  const long = sources.filter((file) => lines(file) > 300).map((file) => `${file}: ${lines(file)}`);
  expect(long).toEqual([]);
  const program = sources
    .filter((file) => !file.startsWith("test/"))
    .map(lines)
    .toSorted((a, b) => a - b);
  expect(program[Math.floor(program.length / 2)]).toBeLessThan(120);
});

test("files are named in kebab case, and by what they hold", () => {
  const wrong = sources.filter(
    (file) => !/^([\w.-]+\/)*[a-z0-9]+(-[a-z0-9]+)*(\.(test|wire|config|d))?\.(ts|js)$/.test(file),
  );
  const vague = sources.filter((file) => /(^|\/)(utils?|helpers?|common|misc|shared|types)\.ts$/.test(file));
  expect([wrong, vague]).toEqual([[], []]);
});

test("every resource stands on every rail under its own name", () => {
  const wrong = resources.flatMap(({ name }) => [
    ...[`resources/${name}.ts`, `emulator/${name}.ts`, `test/lifecycle/${name}.ts`].filter(
      (file) => !files.includes(file),
    ),
    ...(files.some((file) => file.startsWith(`examples/${name}/`)) ? [] : [`examples/${name}/`]),
  ]);
  expect(wrong).toEqual([]);
});

test("every noun of the emulator is in its list", () => {
  const listed = importsOf("emulator/nouns.ts").map(({ to }) => to);
  const forgotten = sources.filter(
    (file) =>
      file.startsWith("emulator/") && /^export const \w+Noun\b/m.test(text(file)) && !listed.includes(file),
  );
  expect(forgotten).toEqual([]);
});

/** Names that nobody may read here: the cloud's owner, and tools that write. Kept as digests, so not even here. */
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
