import { status } from "@grpc/grpc-js";
import { expect, test } from "@jest/globals";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { createEmulator } from "../../emulator/emulator.ts";
import manifest from "../../package.json" with { type: "json" };
import { call, failureOf, type Properties, toStruct } from "../../tools/plugin/pulumi.ts";
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

test("the handshake names the features of the plugin", () =>
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

test("methods that no adapter needs return UNIMPLEMENTED", () =>
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

test("settings are returned unchanged: no value of the environment is written to the state", () =>
  withDriver(async (driver) => {
    const given = { version: "1.2.3", apiKey: "secret-key", adoptExisting: "true" };
    expect(await checkConfig(driver, given)).toEqual({ inputs: given, failures: [] });
  }));

test.each<[string, Properties, { property: string; reason: string }]>([
  [
    "an invalid address",
    { baseUrl: "cloud" },
    { property: "baseUrl", reason: "is not an address such as https://cloud.example" },
  ],
  [
    "an address without TLS",
    { baseUrl: "http://cloud.example" },
    {
      property: "baseUrl",
      reason: "must begin with https:// (http:// is accepted for a loopback address only)",
    },
  ],
  [
    "a key with the prefix Bearer, without its value,",
    { apiKey: "Bearer abc" },
    { property: "", reason: 'apiKey: must be the raw API key, without the "Bearer " prefix' },
  ],
  [
    "a key with a line break, without its value,",
    { apiKey: "abc\ndef" },
    { property: "", reason: "apiKey: contains a line break" },
  ],
])("%s is rejected", (_, settings, failure) =>
  withDriver(async (driver) => {
    expect((await checkConfig(driver, settings)).failures).toEqual([failure]);
  }),
);

test("an unknown setting is a warning with the most similar one", () =>
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

test("any change of the settings is an update, and none replaces", () =>
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
    // The state of a dynamic provider has the whole stack's configuration.
    expect(await diffConfig(driver, { "kcloud:region": "a" }, { region: "a" })).toEqual({
      same: false,
      replaces: [],
      diffs: ["kcloud:region", "region"],
    });
  }));

test("missing settings are listed, so that the engine prints the commands that set them", () =>
  withDriver(async (driver) => {
    const { code, missing } = await failureOf(driver.configure({ baseUrl: null, apiKey: null }));
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(Object.keys(missing ?? {})).toEqual(["kcloud:baseUrl", "kcloud:apiKey"]);
    expect(missing?.["kcloud:apiKey"]).toContain("SERVICE_API_KEY");
    expect(missing?.["kcloud:apiKey"]).toContain("kcloud emulator -- …");
  }));

test("an email without a password reports the missing password", () =>
  withDriver(async (driver) => {
    const { missing } = await failureOf(driver.configure({ apiKey: null, email: "user@example.com" }));
    expect(Object.keys(missing ?? {})).toEqual(["kcloud:password"]);
  }));

test("a key together with an email is rejected by CheckConfig, without its value", () =>
  withDriver(async (driver) => {
    expect((await checkConfig(driver, { apiKey: "key", email: "user@example.com" })).failures).toEqual([
      { property: "", reason: "apiKey: conflicts with email and password: set only one of the two" },
    ]);
  }));

test("an invalid setting is reported with its name", () =>
  withDriver(async (driver) => {
    const { message, missing } = await failureOf(driver.configure({ maxRequestsPerSecond: "ten" }));
    expect(missing).toBeUndefined();
    expect(message).toBe(
      "Invalid value for maxRequestsPerSecond\nmaxRequestsPerSecond: must be a whole number, 0 or more",
    );
  }));

test("a secret key is unwrapped, and Configure sends no request", () =>
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

test("a secret password is unwrapped, and the first request signs in", () =>
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

test("the first configuration applies: the key is sent to no other address, and an equal configuration changes nothing", () =>
  withDriver(
    async (driver) => {
      const other = createEmulator();
      const { url, close } = await other.listen();
      await driver.configure({ apiKey: null });
      const { session, stop } = driver.plugin.context;
      await driver.configure({ apiKey: null });
      expect(await failureOf(driver.configure({ apiKey: null, baseUrl: url }))).toEqual({
        code: status.PERMISSION_DENIED,
        message:
          "This plugin was configured with other settings and keeps them\nEach run of Pulumi starts a plugin of its own. To use one plugin for several runs, start it yourself and set PULUMI_DEBUG_PROVIDERS.",
      });
      expect(driver.plugin.context).toMatchObject({ session, stop });
      await driver.invoke("kcloud:index:getVpcs", {});
      expect(other.log.entries()).toEqual([]);
      expect(driver.emulator.log.entries()).toHaveLength(1);
      await close();
    },
    {},
    { environment: { SERVICE_API_KEY: "emulator-key" } },
  ));

test("a plugin that was started for debugging uses the configuration of each run", () =>
  withDriver(
    async (driver) => {
      await driver.configure({ region: "In-Bangalore-1" });
      await driver.configure({ region: "In-Hyderabad-1" });
      expect(driver.plugin.context.session?.settings.region).toBe("In-Hyderabad-1");
    },
    {},
    { debugged: true },
  ));

test("a create before Configure is rejected", () =>
  withDriver(async (driver) => {
    const failure = await failureOf(driver.create("Vpc", { name: "net" }));
    expect(failure).toEqual({
      code: status.FAILED_PRECONDITION,
      message: "The provider is not configured",
    });
  }));

test("log messages go to the engine that attached last", () =>
  withDriver(async (driver) => {
    const { client } = driver;
    await call(client, client.attach, new plugin.PluginAttach().setAddress("127.0.0.1:1"));
    await checkConfig(driver, { regoin: "x" });
    expect(driver.logged).toEqual([]);
  }));

test("an unknown token is reported with the most similar one", () =>
  withDriver(async (driver) => {
    const { code, message } = await failureOf(driver.check("Volum", {}));
    expect(code).toBe(status.NOT_FOUND);
    expect(message).toBe(
      `kcloud:index:Volum is not of this plugin, version ${manifest.version}; did you mean kcloud:index:Volume?`,
    );
  }));
