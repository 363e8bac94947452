import { expect, test } from "@jest/globals";
import { lookups } from "../../../functions/index.ts";
import { sensitive } from "../../../mcp/object/data.ts";
import { writtenValues } from "../../../mcp/object/shape.ts";
import { secret } from "../../../provider/core/value.ts";
import { resource } from "../../support/cloud.ts";

test("attributes have the names of Terraform, keys of maps stay as they are, secrets are masked", () => {
  const { fields } = resource("instance");
  const values = {
    instanceType: "c1.small",
    bootVolume: { sizeGb: 10, imageKrn: "krn" },
    tags: { costCenter: "a" },
    userData: "#!/bin/sh",
    name: secret("hidden"),
    status: null,
  };
  expect(writtenValues(fields, values)).toEqual({
    instance_type: "c1.small",
    boot_volume: { size_gb: 10, image_krn: "krn" },
    tags: { costCenter: "a" },
    user_data: sensitive,
    name: sensitive,
  });
});

test("a list of rows has the names of Terraform, too", () => {
  const volumes = lookups.find(({ name }) => name === "volumes");
  const row = { id: "v", sizeGb: 1, metadata: { aB: "c" } };
  expect(writtenValues(volumes?.fields ?? {}, { volumes: [row], region: "r" })).toEqual({
    volumes: [{ id: "v", size_gb: 1, metadata: { aB: "c" } }],
    region: "r",
  });
});
