import { buildId } from "../../functions/build-id.ts";
import { parseId } from "../../functions/parse-id.ts";
import { subnets } from "../../functions/subnets.ts";
import { userData } from "../../functions/user-data.ts";
import { lifecycleCases } from "../adapter/lifecycle/lifecycle.ts";
import type { Case } from "./case.ts";
import { hclValue, providerBlock, resourceBlocks } from "./configuration.ts";
import { lifecycleEmulator, stackOf } from "./lifecycle.ts";

/** Cases of functions, ephemeral resources and actions. */

const call = (name: string, ...given: readonly (string | number)[]): string =>
  `provider::kcloud::${name}(${given.map(hclValue).join(", ")})`;

const outputs = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `output "${name}" {\n  value = ${value}\n}\n`)
    .join("");

const parts = {
  service: "vm",
  region: "In-Bangalore-1",
  account: "a",
  customer: "c",
  type: "image",
  uuid: "1",
};
const scripts = ["#!/bin/sh\ntrue\n", "#cloud-config\npackages: [nginx]\n"];

/** Functions return in HCL what they return in TypeScript. */
const functions: Case = {
  name: "feature/functions",
  emulator: {},
  steps: (url) => [
    {
      config:
        providerBlock(url) +
        outputs({
          ranges: call("subnets", "10.0.0.0/16", 24, 24, 20),
          id: call("build_id", ...Object.values(parts)),
          region: `${call("parse_id", buildId(parts))}.region`,
          first_start: call("user_data", ...scripts),
        }),
      outputs: {
        ranges: subnets("10.0.0.0/16", 24, 24, 20),
        id: buildId(parts),
        region: parseId(buildId(parts)).region,
        first_start: userData(...scripts),
      },
    },
  ],
};

/** Values of ephemeral resources by the echo provider of the harness, which shows each value that is stored nowhere. */
const ephemerals: readonly Case[] = [
  {
    name: "access-token",
    attribute: "token",
    blocks:
      'ephemeral "kcloud_access_token" "shown" {\n  email    = "user@example.com"\n  password = "emulator-password"\n}\n',
  },
  {
    name: "object-session",
    attribute: "token",
    blocks:
      'resource "kcloud_access_key" "reader" {\n  name = "reader"\n}\n' +
      'ephemeral "kcloud_object_session" "shown" {\n  access_key = kcloud_access_key.reader.id\n  secret_key = kcloud_access_key.reader.secret_key\n}\n',
  },
  {
    name: "object-address",
    attribute: "url",
    blocks:
      'resource "kcloud_bucket" "site" {\n  name = "site"\n}\n' +
      'resource "kcloud_object" "page" {\n  bucket_id = kcloud_bucket.site.id\n  key       = "page"\n  content   = "page"\n}\n' +
      'ephemeral "kcloud_object_address" "shown" {\n  bucket_id = kcloud_bucket.site.id\n  key       = kcloud_object.page.key\n}\n',
  },
].map(({ name, attribute, blocks }) => ({
  name: `ephemeral/${name}`,
  emulator: { taskMs: 20 },
  echo: true,
  steps: (url) => {
    const type = `kcloud_${name.replaceAll("-", "_")}`;
    const echo = `provider "echo" {\n  data = ephemeral.${type}.shown.${attribute}\n}\nresource "echo" "shown" {}\n`;
    return [{ config: providerBlock(url) + blocks + echo, values: { "echo.shown.data": null } }];
  },
}));

/** An action that a created resource triggers. */
const action: Case = {
  name: "feature/action",
  emulator: lifecycleEmulator,
  requires: "hasQueries",
  steps(url) {
    const found = lifecycleCases.find(({ resource }) => resource === "instance");
    const inputs = { ...found?.inputs };
    // Without a configured power state, the stop is no drift.
    delete inputs.powerState;
    const stack = stackOf("instance", found?.dependencies ?? [], inputs);
    const blocks = [
      'action "kcloud_instance_stop" "now" {',
      "  config {",
      "    instance_id = kcloud_instance.instance.id",
      "  }",
      "}",
      'resource "terraform_data" "trigger" {',
      "  lifecycle {",
      "    action_trigger {",
      "      events  = [after_create]",
      "      actions = [action.kcloud_instance_stop.now]",
      "    }",
      "  }",
      "}",
    ];
    const config = providerBlock(url) + resourceBlocks(stack);
    return [
      { config },
      { config: `${config}\n${blocks.join("\n")}\n` },
      { refresh: true, values: { "kcloud_instance.instance.status": "SHUTOFF" } },
    ];
  },
};

/** All cases of features. */
export const features: readonly Case[] = [functions, ...ephemerals, action];
