import { expect, test } from "@jest/globals";
import { snakeCase } from "../../../provider/core/name.ts";
import { UNKNOWN, type Value, type Values } from "../../../provider/core/value.ts";
import type { Fields } from "../../../provider/definition/field.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { resourceShape } from "../../../provider/terraform/codec/schema.ts";
import { encode } from "../../../provider/terraform/codec/value.ts";
import { writeOnlyProblems } from "../../../provider/terraform/codec/write-only.ts";
import { resources } from "../../../resources/index.ts";
import { live, openCloud, requests } from "../../support/cloud.ts";
import { type Kept, openProvider, texts } from "../../support/engine/provider.ts";
import { instance, openNetwork } from "../../support/instance-world.ts";

/** Opens a provider with a network; `sent` has the `model_api_key` of each instance create. */
async function withNetwork(answered = (body: string) => body) {
  const sent: unknown[] = [];
  const wrap = (transport: Transport): Transport => ({
    async send(request, signal) {
      if (request.url.includes("create_instance"))
        sent.push((JSON.parse(request.body ?? "{}") as { model_api_key?: string }).model_api_key);
      const reply = await transport.send(request, signal);
      return reply.kind === "answer" ? { ...reply, body: answered(reply.body) } : reply;
    },
  });
  const { cloud, written } = await openNetwork({}, {}, { wrap });
  const provider = openProvider(cloud);
  expect(await provider.configure()).toEqual([]);
  const config = (more: Values): Values => ({
    deleteOnTermination: null,
    floatingIp: null,
    isGpu: null,
    ...written,
    ...more,
  });
  return {
    cloud,
    sent,
    provider,
    plan: (more: Values, prior?: Kept) => provider.plan("instance", config(more), prior),
    apply: (more: Values, prior?: Kept) => provider.apply("instance", config(more), prior),
    validate: async (more: Values, writeOnlyAttributesAllowed = true) => {
      const answer = await provider.one("validateResourceConfig", {
        typeName: "kcloud_instance",
        config: encode(config(more), resourceShape(instance)),
        clientCapabilities: { writeOnlyAttributesAllowed },
      });
      return texts(answer.diagnostics);
    },
  };
}

const secret = (modelApiKeyWo: string, modelApiKeyWoVersion = 1): Values => ({
  modelApiKeyWo,
  modelApiKeyWoVersion,
});
const versionOf = ({ values }: { values: Values | undefined }) => values?.modelApiKeyWoVersion;
const textOf = (kept: Kept) =>
  `${JSON.stringify(kept.values)} ${Buffer.from(kept.private ?? []).toString()} ${kept.diagnostics.join()}`;

test("a write-only secret is sent, and is in no plan, no state and no private state", async () => {
  const { sent, plan, apply, provider } = await withNetwork();
  const planned = await plan(secret("canary-1"));
  expect(planned.diagnostics).toEqual([]);
  expect(planned.values).toMatchObject({
    modelApiKey: null,
    modelApiKeyWo: null,
    modelApiKeyWoVersion: 1,
  });
  const made = await apply(secret("canary-1"));
  expect(made.diagnostics).toEqual([]);
  expect(sent).toEqual(["canary-1"]);
  const read = await provider.read("instance", made);
  for (const kept of [made, read]) {
    expect(versionOf(kept)).toBe(1);
    expect(textOf(kept)).not.toContain("canary");
  }
});

test("another secret with the same version is no change; another version is a change, with its reason", async () => {
  const { plan, apply, cloud } = await withNetwork();
  const made = await apply(secret("canary-1"));
  const same = await plan(secret("canary-2"), made);
  expect([same.replaces, same.diagnostics, same.values]).toEqual([[], [], made.values]);
  const later = await plan(secret("canary-2", 2), made);
  expect(later.replaces).toEqual(["model_api_key_wo_version"]);
  expect(later.diagnostics.join()).toContain(
    'warning: The change of model_api_key_wo_version replaces the instance "web"',
  );
  const changed = await apply({ ...secret("canary-1"), powerState: "stopped" }, made);
  expect(changed.diagnostics).toEqual([]);
  expect(changed.values).toMatchObject({ powerState: "stopped", modelApiKey: null, modelApiKeyWoVersion: 1 });
  expect(live(cloud, "instance")).toHaveLength(1);
  expect((await plan({}, made)).replaces).toEqual(["model_api_key_wo_version"]);
});

test("changing to the write-only form of the same secret needs no replacement", async () => {
  const { sent, plan, apply } = await withNetwork();
  const made = await apply({ modelApiKey: "canary-1" });
  expect(textOf(made)).toContain("canary-1");
  expect((await plan(secret("canary-2"), made)).replaces).toEqual(["model_api_key_wo_version"]);
  const moved = await apply(secret("canary-1"), made);
  expect([moved.diagnostics, versionOf(moved)]).toEqual([[], 1]);
  expect(textOf(moved)).not.toContain("canary");
  expect(sent).toEqual(["canary-1"]);
});

test("a value that an import could not read is recorded by one update that sends no request", async () => {
  const { cloud, sent, provider, plan, apply } = await withNetwork();
  const made = await apply({});
  const id = [made.values?.vpcId, made.values?.id].map(String).join();
  const typeName = "kcloud_instance";
  const { importedResources = [] } = await provider.one("importResourceState", { typeName, id });
  const [imported] = importedResources;
  const kept: Kept = { values: made.values, private: imported?.private, diagnostics: [] };
  expect((await plan(secret("canary-1"), kept)).replaces).toEqual([]);
  const before = cloud.emulator.log.entries().length;
  const recorded = await apply(secret("canary-1"), kept);
  expect([recorded.diagnostics, versionOf(recorded)]).toEqual([[], 1]);
  const changing = cloud.emulator.log.entries().slice(before);
  expect(changing.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(sent).toEqual([undefined]);
});

test("a failed create stores no write-only secret", async () => {
  const { cloud, apply } = await withNetwork();
  cloud.emulator.faults.add({ target: "get_instance", kind: "403" });
  cloud.emulator.faults.add({ target: "search_instances", kind: "403", from: 2 });
  const failed = await apply(secret("canary-1"));
  expect(failed.diagnostics.some((text) => text.startsWith("error"))).toBe(true);
  expect(textOf(failed)).not.toContain("canary");
});

test("a refresh does not record a failure reason that may quote a write-only secret: the reason of the create stays", async () => {
  const { provider, apply, cloud } = await withNetwork((body) =>
    body.replaceAll("failed because of the name", "no access with canary-1, ask for another"),
  );
  const made = await apply({ ...secret("canary-1"), name: "web-fails" });
  const reason = "boot: no access with ***, ask for another web-fails";
  expect(made.values?.failureReason).toBe(reason);
  const next = openProvider(cloud);
  await next.configure();
  for (const { read } of [provider, next])
    for (const failureReason of [reason, null]) {
      const seen = await read("instance", { ...made, values: { ...made.values, failureReason } });
      expect(seen.values).toEqual({ ...made.values, failureReason });
    }
});

test("both forms at once, a form without its version, and an engine without write-only support are rejected", async () => {
  const { cloud, validate } = await withNetwork();
  const before = cloud.emulator.log.entries().length;
  const refused = (text: string) => [`error: Invalid value for ${text.slice(0, text.indexOf(":"))}: ${text}`];
  expect(await validate(secret("canary"))).toEqual([]);
  expect(await validate({ modelApiKeyWo: UNKNOWN, modelApiKeyWoVersion: UNKNOWN })).toEqual([]);
  expect(await validate({ ...secret("canary"), modelApiKey: "canary" })).toEqual(
    refused("model_api_key_wo: conflicts with model_api_key: set only one of them (at model_api_key_wo)"),
  );
  expect(await validate({ modelApiKeyWo: "canary" })).toEqual(
    refused("model_api_key_wo_version: is required with model_api_key_wo (at model_api_key_wo_version)"),
  );
  expect(await validate({ modelApiKeyWoVersion: 1 })).toEqual(
    refused("model_api_key_wo: is required with model_api_key_wo_version (at model_api_key_wo)"),
  );
  expect(await validate({ userDataBase64Wo: "?", userDataBase64WoVersion: 1 })).toEqual(
    refused("user_data_base64_wo: must be base64 (at user_data_base64_wo)"),
  );
  expect(await validate(secret("canary"), false)).toEqual(
    refused(
      "model_api_key_wo: needs Terraform 1.11 or OpenTofu 1.11; with this version set model_api_key (at model_api_key_wo)",
    ),
  );
  expect(await validate({ modelApiKey: "canary" }, false)).toEqual([]);
  expect(cloud.emulator.log.entries()).toHaveLength(before);
});

test.each([405, "pod"] as const)(
  "several secrets in one map are also only sent, even if a read returns them (podRead is %s)",
  async (podRead) => {
    const cloud = openCloud({ taskMs: 0, assume: { podRead } });
    const provider = openProvider(cloud);
    await provider.configure();
    const config = (word: string, environmentVariablesWoVersion = 1): Values => ({
      ...{ name: "train", templateId: 1, instanceType: "p1.small", sshkeyName: "demo-key" },
      ...{ volumeDiskSizeGb: 50, encryptVolume: null, jupyterNotebook: null, sshAccess: null },
      environmentVariablesWo: { MODEL_KEY: word },
      environmentVariablesWoVersion,
    });
    const made = await provider.apply("ai-pod", config("canary-1"));
    expect(requests(cloud, "create_pod")[0]?.body).toMatchObject({
      environment_variables: [{ name: "MODEL_KEY", value: "canary-1" }],
    });
    const read = await provider.read("ai-pod", made);
    for (const kept of [made, read]) {
      expect(kept.values).toMatchObject({ environmentVariables: null, environmentVariablesWoVersion: 1 });
      expect(textOf(kept)).not.toContain("canary");
    }
    const same = await provider.plan("ai-pod", config("canary-2"), read);
    expect([same.replaces, same.values]).toEqual([[], read.values]);
    expect((await provider.plan("ai-pod", config("canary-2", 2), read)).replaces).toEqual([
      "environment_variables_wo_version",
    ]);
  },
);

/** Configuration of one secret at a path of groups, in an otherwise empty object. */
const nested = (path: readonly string[], values: Values): Values =>
  path.reduceRight<Values>((inner, name) => ({ [name]: inner }), values);

/** Secrets of all definitions, with the groups that contain them. */
function secretsOf(fields: Fields, path: readonly string[] = []): (readonly [readonly string[], string])[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind === "group") return secretsOf(field.fields, [...path, name]);
    return field.kind === "field" && field.options.secret === true ? [[path, name] as const] : [];
  });
}

const pairs = resources.flatMap((resource) =>
  secretsOf(resource.fields).map(([path, name]) => [resource, path, name] as const),
);

test("no form of a secret conflicts with another one while it is unknown", () => {
  expect(pairs.length).toBeGreaterThanOrEqual(20);
  for (const [{ fields }, path, name] of pairs) {
    const [plain, writeOnly, version] = [name, `${name}Wo`, `${name}WoVersion`];
    const problems = (values: Values) =>
      writeOnlyProblems(fields, nested(path, values), true).map(({ problem }) => problem);
    const accepted: Values[] = [
      { [plain]: UNKNOWN, [writeOnly]: UNKNOWN },
      { [plain]: UNKNOWN, [writeOnly]: UNKNOWN, [version]: UNKNOWN },
      { [plain]: "known", [writeOnly]: UNKNOWN, [version]: UNKNOWN },
      { [plain]: "known", [writeOnly]: null, [version]: UNKNOWN },
      { [plain]: UNKNOWN, [writeOnly]: "known", [version]: 1 },
      { [writeOnly]: UNKNOWN },
    ];
    for (const values of accepted) expect([name, values, problems(values)]).toEqual([name, values, []]);
    expect(problems({ [plain]: "a", [writeOnly]: "b", [version]: 1 })).toEqual([
      `conflicts with ${snakeCase(plain)}: set only one of them`,
    ]);
    expect(problems({ [plain]: UNKNOWN, [writeOnly]: "b" })).toEqual([
      `is required with ${snakeCase(writeOnly)}`,
    ]);
    expect(problems({ [plain]: "a", [version]: 1 })).toEqual([`is required with ${snakeCase(version)}`]);
  }
});

test("forms of a secret that are unknown at first can be planned and, once known, applied", async () => {
  const forms = (modelApiKey: Value, modelApiKeyWo: Value, modelApiKeyWoVersion: Value): Values => ({
    modelApiKey,
    modelApiKeyWo,
    modelApiKeyWoVersion,
  });
  for (const [unknown, known, secret] of [
    [forms(UNKNOWN, UNKNOWN, UNKNOWN), forms("plain-1", null, null), "plain-1"],
    [forms(UNKNOWN, UNKNOWN, UNKNOWN), forms(null, "canary-1", 1), "canary-1"],
    [forms("plain-1", UNKNOWN, UNKNOWN), forms("plain-1", null, null), "plain-1"],
    [forms(UNKNOWN, "canary-1", 1), forms(null, "canary-1", 1), "canary-1"],
    [forms(null, UNKNOWN, UNKNOWN), forms(null, null, null), undefined],
  ] as const) {
    const { sent, plan, apply, validate } = await withNetwork();
    expect(await validate(unknown)).toEqual([]);
    const planned = await plan(unknown);
    expect([unknown, planned.diagnostics]).toEqual([unknown, []]);
    expect(textOf({ ...planned, private: undefined })).not.toContain("canary");
    expect(planned.values).toMatchObject({ ...unknown, modelApiKeyWo: null });
    const made = await apply(known);
    expect([made.diagnostics, sent]).toEqual([[], [secret]]);
    expect(made.values).toMatchObject({ ...known, modelApiKeyWo: null });
    expect((await plan(forms(UNKNOWN, UNKNOWN, UNKNOWN), made)).diagnostics.join()).not.toContain("error");
  }
  const { plan } = await withNetwork();
  expect((await plan(forms("plain-1", "canary-1", 1))).diagnostics).toEqual([
    "error: Invalid value for model_api_key_wo: model_api_key_wo: conflicts with model_api_key: set only one of them (at model_api_key_wo)",
  ]);
});
