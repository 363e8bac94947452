import { expect, test } from "@jest/globals";
import { showsSecret } from "../../call/secret-response.ts";
import type { Operation } from "../../operation/operation.ts";
import { allOperations } from "../../operation/operations.ts";

test("a field with a secret is one in any spelling, and one that is only new; a known field is none", () => {
  const operationOf = (name: string) =>
    allOperations().find((row) => row.name === name)?.operation as Operation;
  const shows = (name: string, field: string) => showsSecret(operationOf(name), field);
  for (const [name, field] of [
    ["create_access_key", "secret_key"],
    ["create_access_key", "secretKey"],
    ["sign_in_programmatic", "data.refresh_token"],
    ["get_template", "config.user_data"],
    ["get_vpc", "data.client_secret"],
  ] as const)
    expect([field, shows(name, field)]).toEqual([field, true]);
  for (const [name, field] of [
    ["create_access_key", "access_key"],
    ["list_access_keys", "0.access_key"],
    ["get_vpc", "data.tasks.0.krn"],
  ] as const)
    expect([field, shows(name, field)]).toEqual([field, false]);
});

test("the operations whose response has a secret are those of keys, sessions, sign-ins and pre-signed URLs", () => {
  const names = allOperations().flatMap(({ name, operation }) =>
    showsSecret(operation, undefined) ? [name] : [],
  );
  expect(names).toEqual([
    "sign_in_root",
    "sign_in_user",
    "sign_in_programmatic",
    "create_api_key",
    "create_access_key",
    "activate_session",
    "refresh_session",
    "upload_object",
    "download_object",
    "presign_object",
    "get_document_status",
    "enable_programmatic_access",
    "reset_programmatic_access",
  ]);
});
