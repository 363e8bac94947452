import { expect, test } from "@jest/globals";
import { showsSecret } from "../../call/secret-response.ts";
import { allOperations } from "../../operation/operations.ts";

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
