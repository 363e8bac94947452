import { expect, test } from "@jest/globals";
import { checkSettings } from "../../../provider/config/config.ts";
import {
  checkpointOf,
  referenceTo,
  refusalOf,
  replacementOf,
  replacementsFor,
  stackIn,
} from "../../../rehearse/folder/stack.ts";

const access = { url: "http://127.0.0.1:9", key: "emulator-key" };
const urn = (type: string, name: string, stack = "dev::proj") => `urn:pulumi:${stack}::${type}::${name}`;
const root = { urn: urn("pulumi:pulumi:Stack", "proj-dev"), type: "pulumi:pulumi:Stack", custom: false };
const row = (type: string, more: object = {}) => ({ urn: urn(type, "x"), type, custom: true, ...more });
const stackOf = (rows: readonly object[], more: object = {}) =>
  stackIn({ version: 3, deployment: { manifest: {}, resources: [root, ...rows], ...more } }, access);
const sealed = (text: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: text,
});

test("name and project are those of the rows, of which all must agree; a checkpoint is an export, too", () => {
  expect(stackOf([])).toMatchObject({ name: "dev", project: "proj", refused: [], encryptedBy: undefined });
  expect(stackIn({ deployment: { resources: [] } }, access)).toMatchObject({
    name: undefined,
    project: undefined,
  });
  expect(stackIn({ checkpoint: { latest: { resources: [root] } } }, access).name).toBe("dev");
  const stranger = { ...row("kcloud:index:Vpc"), urn: urn("kcloud:index:Vpc", "x", "prod::proj") };
  expect(stackOf([stranger]).refused).toEqual([
    "urn:pulumi:prod::proj::kcloud:index:Vpc::x is of another stack than the first row",
  ]);
});

test.each([
  [row("kcloud:index:Vpc"), undefined],
  [row("pulumi:providers:kcloud"), undefined],
  [{ ...row("my:component:Net"), custom: false }, undefined],
  [
    row("pulumi-nodejs:dynamic/kcloud:Vpc", {
      inputs: { __provider: 'exports.handler=()=>require("@kcloud/iac/p").Vpc' },
    }),
    undefined,
  ],
  [
    row("pulumi-nodejs:dynamic/kcloud:Vpc", { outputs: { __provider: "exports.handler=()=>evil" } }),
    "has code of a dynamic provider that is not that of this package",
  ],
  [row("pulumi-nodejs:dynamic:Resource"), "is a dynamic resource, whose code no emulator confines"],
  [row("pulumi-python:dynamic:Resource"), "is a dynamic resource, whose code no emulator confines"],
  [row("pulumi:pulumi:StackReference"), "reads another stack, whose outputs are not known"],
  [row("random:index/randomPet:RandomPet"), "is an object of the package random, which no emulator confines"],
  [row("command:local:Command"), "is an object of the package command, which no emulator confines"],
  [row("pulumi:providers:docker"), "is the provider docker, which no emulator confines"],
  [
    { ...row("eks:index:Cluster"), custom: false, provider: "urn:x" },
    "is an object of the package eks, which no emulator confines",
  ],
  [{ ...row("kcloud:index:Vpc"), type: "command:local:Command" }, "has a type that its URN does not have"],
])("a row %j is refused: %s", (one, reason) => {
  const { type } = one;
  const address = String(one.urn).split("::").slice(2).join("::");
  expect(stackOf([one]).refused).toEqual(reason === undefined ? [] : [`${address} ${reason}`]);
  if (type === "kcloud:index:Vpc") expect(refusalOf(type)).toBeUndefined();
});

test("a reference to a stack whose outputs are known is none of the refused rows", () => {
  const other = {
    urn: urn("pulumi:pulumi:Stack", "net-prod", "prod::net"),
    type: "pulumi:pulumi:Stack",
    outputs: { id: "x" },
  };
  const vpc = { ...row("kcloud:index:Vpc"), urn: urn("kcloud:index:Vpc", "x", "prod::net") };
  const known = referenceTo({ version: 3, deployment: { resources: [other, vpc] } });
  expect(known).toMatchObject({
    name: "prod",
    project: "net",
    stack: { deployment: { resources: [other] } },
  });
  expect(referenceTo({ version: 3, deployment: { resources: [] } })).toBeUndefined();
  const reference = (name: string) => row("pulumi:pulumi:StackReference", { inputs: { name } });
  const refusedOf = (name: string) =>
    stackIn({ version: 3, deployment: { resources: [root, reference(name)] } }, access, known ? [known] : [])
      .refused;
  expect([refusedOf("organization/net/prod"), refusedOf("organization/net/dev")]).toEqual([
    [],
    ["pulumi:pulumi:StackReference::x reads another stack, whose outputs are not known"],
  ]);
});

test("a default provider of the state has the emulator, others their own settings", () => {
  const inputs = { baseUrl: "https://real", password: sealed("x"), region: "In-Bangalore-1" };
  const provider = (name: string) => ({
    ...row("pulumi:providers:kcloud", { inputs, outputs: inputs }),
    urn: urn("pulumi:providers:kcloud", name),
  });
  const host = {
    ...row("pulumi:providers:pulumi-nodejs", { inputs: { "kcloud:apiKey": "real", "proj:a": "b" } }),
    urn: urn("pulumi:providers:pulumi-nodejs", "default"),
  };
  const { deployment, encryptedBy } = stackOf([provider("default_1_0_0"), host]);
  const replaced = { baseUrl: access.url, password: "rehearsal", region: "In-Bangalore-1" };
  expect([deployment.resources, encryptedBy]).toMatchObject([
    [
      root,
      { inputs: replaced, outputs: replaced },
      { inputs: { "kcloud:apiKey": "emulator-key", "proj:a": "b" } },
    ],
    undefined,
  ]);
  expect(stackOf([provider("own")])).toMatchObject({
    encryptedBy: "an unknown key",
    deployment: { resources: [root, { inputs }] },
  });
});

test("the replacements are valid settings, whose key in a configuration is that of the provider", () => {
  const { apiKey, ...login } = replacementsFor(access);
  expect([checkSettings({ apiKey }), checkSettings(login)]).toEqual([[], []]);
  expect(
    ["kcloud:apiKey", "kcloud:config:baseUrl", "kcloud:region", "proj:apiKey"].map((key) =>
      replacementOf(key, access),
    ),
  ).toEqual([...["emulator-key", access.url, undefined, undefined]]);
});

test("a checkpoint has the passphrase of the copy", () => {
  const secrets = { type: "cloud", state: { url: "awskms://x" } };
  const stack = stackOf([row("kcloud:index:Vpc", { outputs: { a: sealed("x") } })], {
    secrets_providers: secrets,
  });
  expect([stack.encryptedBy, stack.salt]).toEqual(["cloud", undefined]);
  const checkpoint = JSON.parse(checkpointOf(stack, { name: "dev", project: "proj", salt: "v1:a" }));
  expect(checkpoint).toMatchObject({
    version: 3,
    checkpoint: {
      stack: "organization/proj/dev",
      latest: { manifest: {}, secrets_providers: { type: "passphrase", state: { salt: "v1:a" } } },
    },
  });
  expect(checkpoint.checkpoint.latest.resources).toHaveLength(2);
  const next = { version: 4, features: ["x"], deployment: { resources: [] } };
  const newer = checkpointOf(stackIn(next, access), { name: "dev", project: "proj", salt: "" });
  expect(JSON.parse(newer)).toMatchObject({ version: 4, features: ["x"] });
});
