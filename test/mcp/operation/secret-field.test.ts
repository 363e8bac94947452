import { expect, test } from "@jest/globals";
import { sensitive } from "../../../mcp/object/data.ts";
import { withoutSecretFields } from "../../../mcp/operation/secret-field.ts";

test("fields that are secret in some request or response are masked in every response", () => {
  const value = {
    name: "web",
    config: [{ user_data: "#cloud-config", gatewayPassword: "p", modelApiKey: "k", otp: "" }],
    preSignedUrl: "https://storage.example/?signature=x",
    secret_key: null,
    address: "10.0.0.1",
  };
  expect(withoutSecretFields(value)).toEqual({
    name: "web",
    config: [{ user_data: sensitive, gatewayPassword: sensitive, modelApiKey: sensitive, otp: "" }],
    preSignedUrl: sensitive,
    secret_key: null,
    address: "10.0.0.1",
  });
});
