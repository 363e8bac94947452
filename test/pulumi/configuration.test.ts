import { status } from "@grpc/grpc-js";
import { expect, test } from "@jest/globals";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import manifest from "../../package.json" with { type: "json" };
import { call, failureOf, type Properties, toStruct } from "../support/pulumi/call.ts";
import { type Driver, withDriver } from "../support/pulumi/driver.ts";

const urn = "urn:pulumi:dev::proj::pulumi:providers:kcloud::default";

async function checkConfig({ client }: Driver, news: Properties) {
  const request = new proto.CheckRequest().setUrn(urn).setNews(toStruct(news));
  const answer = await call(client, client.checkConfig, request);
  const failures = answer.getFailuresList().map((failure) => failure.toObject());
  return { inputs: answer.getInputs()?.toJavaScript(), failures };
}

async function diffConfig({ client }: Driver, olds: Properties, news: Properties) {
  const request = new proto.DiffRequest()
    .setOlds(toStruct(olds))
    .setOldInputs(toStruct(olds))
    .setNews(toStruct(news));
  const answer = await call(client, client.diffConfig, request);
  return {
    same: answer.getChanges() === proto.DiffResponse.DiffChanges.DIFF_NONE,
    replaces: answer.getReplacesList(),
    diffs: answer.getDiffsList(),
  };
}

test("the handshake says what the plugin takes", () =>
  withDriver(async ({ client }) => {
    const answer = await call(client, client.handshake, new proto.ProviderHandshakeRequest());
    expect(answer.toObject()).toEqual({
      acceptSecrets: true,
      acceptResources: false,
      acceptOutputs: false,
      supportsAutonamingConfiguration: true,
      acceptsByteString: false,
    });
    const info = await call(client, client.getPluginInfo, new empty.Empty());
    expect(info.getVersion()).toBe(manifest.version);
  }));

test("what no face needs is unimplemented, not a crash", () =>
  withDriver(async ({ client }) => {
    const calls = [
      call(client, client.parameterize, new proto.ParameterizeRequest()),
      call(client, client.getMapping, new proto.GetMappingRequest()),
      call(client, client.getMappings, new proto.GetMappingsRequest()),
      call(client, client.construct, new proto.ConstructRequest()),
      call(client, client.call, new proto.CallRequest()),
    ];
    for (const each of calls) expect((await failureOf(each)).code).toBe(status.UNIMPLEMENTED);
  }));

test("settings come back as they were given: nothing of the environment gets into the state", () =>
  withDriver(async (driver) => {
    const given = { version: "1.2.3", apiKey: "secret-key", adoptExisting: "true" };
    expect(await checkConfig(driver, given)).toEqual({ inputs: given, failures: [] });
  }));

test.each<[string, Properties, { property: string; reason: string }]>([
  [
    "an address that is none",
    { baseUrl: "cloud" },
    { property: "baseUrl", reason: "is not an address such as https://cloud.example" },
  ],
  [
    "an address without encryption",
    { baseUrl: "http://cloud.example" },
    {
      property: "baseUrl",
      reason: "must begin with https:// (http:// is taken for a loopback address only)",
    },
  ],
  [
    "a key with its header's word, unprinted",
    { apiKey: "Bearer abc" },
    { property: "", reason: "apiKey: must be the bare key, without the word Bearer" },
  ],
  [
    "a key with a line break, unprinted",
    { apiKey: "abc\ndef" },
    { property: "", reason: "apiKey: holds a line break" },
  ],
])("%s is refused", (_, settings, failure) =>
  withDriver(async (driver) => {
    expect((await checkConfig(driver, settings)).failures).toEqual([failure]);
  }),
);

test("a setting nobody knows is a warning with the nearest one", () =>
  withDriver(async (driver) => {
    expect((await checkConfig(driver, { regoin: "x" })).failures).toEqual([]);
    expect(driver.logged).toEqual([
      {
        severity: "WARNING",
        message: "regoin is not a setting of the provider; did you mean region?",
        urn,
        ephemeral: false,
      },
    ]);
  }));

test("any change of the settings is a change, and none replaces", () =>
  withDriver(async (driver) => {
    expect(await diffConfig(driver, { region: "a" }, { region: "a" })).toEqual({
      same: true,
      replaces: [],
      diffs: [],
    });
    expect(await diffConfig(driver, { apiKey: "old" }, { apiKey: "new" })).toEqual({
      same: false,
      replaces: [],
      diffs: ["apiKey"],
    });
    // What comes from the dynamic face is the whole stack's configuration.
    expect(await diffConfig(driver, { "kcloud:region": "a" }, { region: "a" })).toEqual({
      same: false,
      replaces: [],
      diffs: ["kcloud:region", "region"],
    });
  }));

test("missing settings are named, so that the engine prints how to set them", () =>
  withDriver(async (driver) => {
    const { code, missing } = await failureOf(driver.configure({ baseUrl: null, apiKey: null }));
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(Object.keys(missing ?? {})).toEqual(["kcloud:baseUrl", "kcloud:apiKey"]);
    expect(missing?.["kcloud:apiKey"]).toContain("SERVICE_API_KEY");
    expect(missing?.["kcloud:apiKey"]).toContain("kcloud emulator -- …");
  }));

test("half a sign-in asks for the other half by name", () =>
  withDriver(async (driver) => {
    const { missing } = await failureOf(driver.configure({ apiKey: null, email: "user@example.com" }));
    expect(Object.keys(missing ?? {})).toEqual(["kcloud:password"]);
  }));

test("a key beside an email is refused before anything is configured, unprinted", () =>
  withDriver(async (driver) => {
    expect((await checkConfig(driver, { apiKey: "key", email: "user@example.com" })).failures).toEqual([
      { property: "", reason: "apiKey: is set beside email or password: keep one of the two ways" },
    ]);
  }));

test("a setting that cannot be taken is told with its name", () =>
  withDriver(async (driver) => {
    const { message, missing } = await failureOf(driver.configure({ maxRequestsPerSecond: "ten" }));
    expect(missing).toBeUndefined();
    expect(message).toBe(
      "This configuration cannot be taken\nmaxRequestsPerSecond: must be a whole number, 0 or more",
    );
  }));

test("a secret key is taken out of its envelope, and configuring sends nothing", () =>
  withDriver(async (driver) => {
    const envelope = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: "emulator-key",
    };
    await driver.configure({ apiKey: envelope });
    expect(driver.emulator.log.entries()).toEqual([]);
    expect((await driver.invoke("kcloud:index:getVpcs", {})).result).toEqual({
      vpcs: [],
      region: "In-Bangalore-1",
    });
  }));

test("a secret password is taken out of its envelope, and signs in with the first request", () =>
  withDriver(async (driver) => {
    const envelope = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: "emulator-password",
    };
    await driver.configure({ apiKey: null, email: "user@example.com", password: envelope });
    expect(driver.emulator.log.entries()).toEqual([]);
    for (const region of ["In-Bangalore-1", "In-Hyderabad-1"])
      await driver.invoke("kcloud:index:getVpcs", { region });
    const operations = driver.emulator.log.entries().map(({ operation }) => operation);
    expect(operations).toEqual(["sign_in_root", "get_vpc_list", "get_vpc_list"]);
    expect(JSON.stringify(driver.logged)).not.toContain("emulator-password");
  }));

test("without a configuration nothing is done", () =>
  withDriver(async (driver) => {
    const failed = await failureOf(driver.create("Vpc", { name: "net" }));
    expect(failed).toEqual({
      code: status.FAILED_PRECONDITION,
      message: "The provider is not configured",
    });
  }));

test("an engine that attaches is the one that is talked to", () =>
  withDriver(async (driver) => {
    const { client } = driver;
    await call(client, client.attach, new plugin.PluginAttach().setAddress("127.0.0.1:1"));
    await checkConfig(driver, { regoin: "x" });
    expect(driver.logged).toEqual([]);
  }));

test("a token of another plugin is named, with the nearest of this one", () =>
  withDriver(async (driver) => {
    const { code, message } = await failureOf(driver.check("Volum", {}));
    expect(code).toBe(status.NOT_FOUND);
    expect(message).toBe(
      `kcloud:index:Volum is not of this plugin, version ${manifest.version}; did you mean kcloud:index:Volume?`,
    );
  }));
