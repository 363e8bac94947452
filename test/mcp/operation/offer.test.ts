import { expect, test } from "@jest/globals";
import { offerOf, operationNamed } from "../../../mcp/operation/offer.ts";
import { effectOfCall } from "../../../operation/destruction/destruction.ts";
import { allOperations, clientOperations } from "../../../operation/operations.ts";
import { secretParameters } from "../../../operation/secret-field.ts";

const hasPasswords = true;
const offered = allOperations().filter((row) => "tools" in offerOf(row, { hasPasswords }));
const reasons = allOperations().flatMap((row) => {
  const offer = offerOf(row, { hasPasswords });
  return "reason" in offer ? [[row.name, offer.reason] as const] : [];
});

test("operations with secrets, contents, unknown requests or unreadable objects are not offered, each with the reason", () => {
  const known = new Set(clientOperations().map(({ name }) => name));
  const untried = "Neither the documents nor the emulator have it, and its request was never tried.";
  expect(reasons.filter(([name]) => !known.has(name)).every(([, reason]) => reason === untried)).toBe(true);
  expect(Object.fromEntries(reasons.filter(([name]) => known.has(name)))).toEqual({
    activate_session: "Its response contains a secret.",
    create_access_key: "Its response contains a secret.",
    create_api_key: "Its response contains a secret.",
    deactivate_session: "It needs a secret.",
    delete_all_access_keys:
      "It deletes every access key of the account, which a person has to confirm: use kcloud call.",
    delete_rule:
      "The API shows a rule only while it is attached to a group, and a rule is deleted when it is not.",
    detach_account_policy:
      "No operation shows to whom a policy is attached, and none attaches it to another one.",
    download_object: "Its response contains a secret.",
    extract_document_information: "It transfers a content.",
    extract_document_text: "It transfers a content.",
    get_document_result: "It needs a secret.",
    get_document_status: "Its response contains a secret.",
    get_object_content: "It needs a secret.",
    get_session_status: "It needs a secret.",
    mask_document: "It transfers a content.",
    presign_object: "Its response contains a secret.",
    put_object_content: "It needs a secret.",
    refresh_session: "Its response contains a secret.",
    sign_in_programmatic: "Its response contains a secret.",
    sign_in_root: "Its response contains a secret.",
    sign_in_user: "Its response contains a secret.",
    summarize_document: "It transfers a content.",
    upload_image: "It transfers a content.",
    upload_object: "Its response contains a secret.",
  });
  expect(offered.length + reasons.length).toBe(allOperations().length);
});

test("no tool for changes is offered for an operation that destroys with all arguments", () => {
  for (const row of offered) {
    const offer = offerOf(row, { hasPasswords });
    const tools = "tools" in offer ? offer.tools : [];
    if (effectOfCall(row, {}) === "destroys" && row.name !== "update_pod")
      expect(tools).not.toContain("change");
    expect(tools.length).toBeGreaterThan(0);
  }
});

test("a delete with a one-time password is offered if the server has a setting for one", () => {
  for (const name of ["delete_bucket", "delete_access_key"]) {
    const row = operationNamed(name);
    if (row === undefined) throw new TypeError(name);
    expect(offerOf(row, { hasPasswords: true })).toEqual({ tools: ["preview_destruction", "destroy"] });
    expect(offerOf(row, { hasPasswords: false })).toEqual({
      reason: "It needs a one-time password, and the server has no setting for one.",
    });
  }
});

test("optional secrets are no parameters of a tool", () => {
  const secrets = (name: string) => {
    const row = operationNamed(name);
    return row && secretParameters(row);
  };
  expect(secrets("create_instance")).toEqual(["userData", "gatewayPassword", "modelApiKey"]);
  expect(secrets("createPod")).toEqual(["environmentVariables"]);
  expect([secrets("create_volume"), operationNamed("none")]).toEqual([[], undefined]);
});
