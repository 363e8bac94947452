import { expect, test } from "@jest/globals";
import * as z from "zod/mini";
import { ephemerals } from "../../../functions/index.ts";
import { UNKNOWN, type Values } from "../../../provider/core/value.ts";
import { computed, field } from "../../../provider/definition/field.ts";
import { defineEphemeral, type Ephemeral } from "../../../provider/definition/function.ts";
import { definitionShape } from "../../../provider/terraform/codec/schema.ts";
import { decodeRecord, encode } from "../../../provider/terraform/codec/value.ts";
import { ephemeralHandlers } from "../../../provider/terraform/rpc/open-ephemeral-resource.ts";
import { type Cloud, openCloud, requests } from "../../support/cloud.ts";
import { defaults, openProvider, texts } from "../../support/engine/provider.ts";

const [accessToken] = ephemerals;
if (accessToken === undefined) throw new Error("no ephemeral resource");
const shape = definitionShape(accessToken);
const typeName = "kcloud_access_token";

const [email, password] = ["ops@cloud.example", "canary-password"];
const signedIn = { ...defaults, SERVICE_API_KEY: "", SERVICE_EMAIL: email, SERVICE_PASSWORD: password };

/** Opens a provider; returns a function that opens an access token. */
async function withProvider(environment: NodeJS.ProcessEnv) {
  const cloud = openCloud({ email, password });
  const provider = openProvider(cloud, environment);
  expect(await provider.configure()).toEqual([]);
  const open = async (written: Values) => {
    const config = encode(written, shape);
    const answer = await provider.one("openEphemeralResource", { typeName, config });
    return { ...answer, values: decodeRecord(answer.result, shape), errors: texts(answer.diagnostics) };
  };
  return { cloud, provider, open };
}

const signIns = (cloud: Cloud) => requests(cloud, "sign_in_root").length;

test("an access token is requested with the provider's credentials, and is neither renewed nor closed", async () => {
  const { cloud, open } = await withProvider(signedIn);
  const [first, second] = [await open({}), await open({})];
  expect(first.errors).toEqual([]);
  expect(first.values).toMatchObject({ email: null, password: null, token: expect.stringMatching(/.{20}/) });
  expect(second.values?.token).not.toBe(first.values?.token);
  expect([first.renewAt, first.private]).toEqual([undefined, undefined]);
  expect(signIns(cloud)).toBe(2);
});

test("an access token with its own email and password needs no other credentials", async () => {
  const { cloud, open } = await withProvider(defaults);
  const { values, errors } = await open({ email, password });
  expect(errors).toEqual([]);
  expect(values?.token).toEqual(expect.stringMatching(/.{20}/));
  expect(signIns(cloud)).toBe(1);
});

test("a provider with an API key issues no access token without credentials", async () => {
  const { cloud, open } = await withProvider(defaults);
  const { errors, values } = await open({});
  expect(errors).toEqual([
    "error: Invalid value for email: email: is required with the password: the provider has an API key, which gives no token (at email)",
  ]);
  expect([values, cloud.emulator.log.entries()]).toEqual([undefined, []]);
});

test("a rejected sign-in does not show the password", async () => {
  const { open } = await withProvider(defaults);
  const { errors } = await open({ email, password: "canary-mistyped" });
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(/^error: Opening the access token failed: /);
  expect(errors[0]).not.toContain("canary");
});

test("incomplete credentials are rejected before the first request, and unknown values are valid", async () => {
  const { cloud, provider } = await withProvider(defaults);
  const said = async (written: Values) => {
    const config = encode(written, shape);
    return texts((await provider.one("validateEphemeralResourceConfig", { typeName, config })).diagnostics);
  };
  expect(await said({})).toEqual([]);
  expect(await said({ email: UNKNOWN })).toEqual([]);
  expect(await said({ email })).toEqual([
    "error: Invalid value for password: password: is required with an email (at password)",
  ]);
  expect(await said({ password })).toEqual([
    "error: Invalid value for email: email: is required with a password (at email)",
  ]);
  expect(await said({ accountId: "42" })).toEqual([
    "error: Invalid value for email: email: is required with an account (at email)",
  ]);
  expect(cloud.emulator.log.entries()).toEqual([]);
});

/** Returns an ephemeral resource that is renewed after 60 s and then every 30 s, and a log of its calls. */
function leased(): { ephemeral: Ephemeral; done: string[] } {
  const done: string[] = [];
  const ephemeral = defineEphemeral({
    name: "lease",
    category: "provider",
    about: "A lease.",
    fields: {
      of: field(z.string(), "What of."),
      secret: computed(z.string(), "A secret.", { secret: true }),
    },
  })({
    async open({ inputs, region }) {
      done.push(`open ${inputs.of} in ${region}`);
      return { values: { secret: "canary" }, lease: { key: { id: 1 }, renewAfter: 60 } };
    },
    async renew({ key, region }) {
      done.push(`renew ${String(key.id)} in ${region}`);
      return { key: { id: Number(key.id) + 1 }, renewAfter: 30 };
    },
    async close({ key, region }) {
      done.push(`close ${String(key.id)} in ${region}`);
    },
  });
  return { ephemeral, done };
}

test("a lease is renewed at renew_at, and closed with the private bytes of the engine", async () => {
  const { ephemeral, done } = leased();
  const cloud = openCloud();
  const handlers = ephemeralHandlers([ephemeral], { session: () => cloud.session });
  const call = { signal: cloud.call.stop, connection: {} };
  const typeName = "kcloud_lease";
  const of = definitionShape(ephemeral);
  const now = cloud.session.ports.clock.wall();
  const config = encode({ of: "x", region: "In-Hyderabad-1" }, of);
  const opened = await cloud.run(handlers.openEphemeralResource({ typeName, config }, call));
  if (!("private" in opened)) throw new Error("no private bytes");
  expect(decodeRecord(opened.result, of)).toEqual({ of: "x", secret: "canary", region: "In-Hyderabad-1" });
  expect(opened.renewAt?.seconds).toBe(Math.floor(now / 1000) + 60);
  expect(Buffer.from(opened.private ?? []).toString()).toBe('{"region":"In-Hyderabad-1","key":{"id":1}}');
  const kept = { typeName, private: opened.private };
  const renewed = await cloud.run(handlers.renewEphemeralResource(kept, call));
  if (!("private" in renewed)) throw new Error("no private bytes");
  expect(renewed.renewAt?.seconds).toBe(Math.floor(now / 1000) + 30);
  // Terraform closes with the private bytes of the open, OpenTofu with those of the last renewal.
  await cloud.run(handlers.closeEphemeralResource(kept, call));
  await cloud.run(handlers.closeEphemeralResource({ typeName, private: renewed.private }, call));
  expect(done).toEqual([
    "open x in In-Hyderabad-1",
    "renew 1 in In-Hyderabad-1",
    "close 1 in In-Hyderabad-1",
    "close 2 in In-Hyderabad-1",
  ]);
});

test("an unknown ephemeral resource is rejected by name", async () => {
  const provider = openProvider(openCloud());
  const { diagnostics } = await provider.one("closeEphemeralResource", { typeName: "kcloud_none" });
  expect(texts(diagnostics)).toEqual([
    "error: No such ephemeral resource: This provider has no ephemeral resource kcloud_none.",
  ]);
});
