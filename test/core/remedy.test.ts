import { describe, expect, test } from "@jest/globals";
import {
  type GivenRemedy,
  type RemedyCode,
  remediesOf,
  remedyCodes,
  remedyText,
} from "../../provider/core/remedy.ts";
import { inWordsOf, type Words } from "../../provider/core/wording.ts";

/** Tests the text of each remedy, which must contain a command, an attribute, a variable, or the action of the user. */

const vpc = { resource: "vpc", importId: "In-Noida-1,krn:vpc:3" };
const objects = [{ kind: "volume", name: "data", id: "krn:kbs:4" }];
const named = 'the volume "data" (krn:kbs:4)';
const imports = {
  terraform: ["terraform import kcloud_vpc.NAME 'In-Noida-1,krn:vpc:3'", "tofu import"],
  pulumi: ["pulumi import kcloud:index:Vpc NAME 'In-Noida-1,krn:vpc:3'"],
};
const removals = {
  terraform: ["terraform state rm kcloud_vpc.NAME", "tofu state rm kcloud_vpc.NAME"],
  pulumi: ["pulumi state delete URN"],
};
const both = (...words: readonly string[]) => ({ terraform: words, pulumi: words });
const together = (...all: readonly (typeof imports)[]) => ({
  terraform: all.flatMap(({ terraform }) => terraform),
  pulumi: all.flatMap(({ pulumi }) => pulumi),
});
const tainted = ["next apply", "replaces it", "`terraform untaint ADDRESS`", "`tofu untaint ADDRESS`"];
const applies = (name: string, value: string) => ({
  terraform: [`${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} = ${value}`],
  pulumi: [`${name}: ${value}`],
});
const runs = { terraform: ["terraform apply (or tofu apply)"], pulumi: ["pulumi up"] };

interface Case {
  /** Remedy, if its code has parameters. */
  readonly remedy?: GivenRemedy;
  readonly contains: { readonly [W in Words]: readonly string[] };
}

const cases: { readonly [C in RemedyCode]: Case } = {
  "run-again": { contains: both("run again") },
  "run-again-later": { contains: both("run again in a few minutes") },
  "lower-rate": { contains: { terraform: ["max_requests_per_second"], pulumi: ["maxRequestsPerSecond"] } },
  "longer-timeout": { contains: { terraform: ["(timeouts)"], pulumi: ["(customTimeouts)"] } },
  "set-api-key": {
    contains: { terraform: ["api_key", "SERVICE_API_KEY"], pulumi: ["apiKey", "SERVICE_API_KEY"] },
  },
  "use-api-key": {
    contains: { terraform: ["api_key", "SERVICE_API_KEY"], pulumi: ["apiKey", "SERVICE_API_KEY"] },
  },
  "set-password": {
    contains: {
      terraform: ["email", "password", "account_id", "account_user"],
      pulumi: ["email", "password", "accountId", "accountUser"],
    },
  },
  "set-access-key": {
    contains: {
      terraform: ["access_key", "secret_key", "SERVICE_ACCESS_KEY", "SERVICE_SECRET_KEY"],
      pulumi: ["accessKey", "secretKey", "SERVICE_ACCESS_KEY", "SERVICE_SECRET_KEY"],
    },
  },
  "separate-access-key": { contains: both("a separate access key for each run") },
  "set-account-id": { contains: { terraform: ["account_id"], pulumi: ["accountId"] } },
  "use-account": {
    remedy: { code: "use-account", account: "000000000007" },
    contains: both("account 000000000007"),
  },
  "check-base-url": { contains: { terraform: ["base_url"], pulumi: ["baseUrl"] } },
  "new-password": {
    remedy: { code: "new-password", isSpent: true },
    contains: {
      terraform: ["one-time password", "SERVICE_OTP", "otp_command", "cannot be used again"],
      pulumi: ["one-time password", "SERVICE_OTP", "otpCommand", "cannot be used again"],
    },
  },
  "correct-request": { contains: both("what the API rejected") },
  "choose-other-value": { contains: both("another value") },
  "choose-other-name": { contains: both("another name") },
  "delete-first": {
    contains: { terraform: ["remove create_before_destroy"], pulumi: ["deleteBeforeReplace: true"] },
  },
  "let-leave": { contains: { terraform: ["run again"], pulumi: ["deleteBeforeReplace: true", "run again"] } },
  "keep-addresses": { contains: { terraform: ["for_each", "moved"], pulumi: ["by key", "aliases"] } },
  "if-replaced": {
    contains: {
      terraform: ["if this run replaces it", "remove create_before_destroy"],
      pulumi: ["if this run replaces it", "deleteBeforeReplace: true"],
    },
  },
  "match-configuration": { contains: both("change the configuration") },
  "remove-duplicate": { contains: both("one of the two resources") },
  "set-adopt-existing": { contains: applies("adoptExisting", "true") },
  "set-force-destroy": { contains: together(applies("forceDestroy", "true"), runs) },
  "unset-deletion-protection": { contains: together(applies("deletionProtection", "false"), runs) },
  "start-instead": {
    remedy: { code: "start-instead", resource: "ai-pod" },
    contains: both("start the AI pod instead"),
  },
  "start-first": { contains: applies("powerState", '"running"') },
  "set-fields": {
    remedy: { code: "set-fields", fields: ["conditions", "sizeGb"] },
    contains: {
      terraform: ["set conditions and size_gb first"],
      pulumi: ["set conditions and sizeGb first"],
    },
  },
  "check-object": { contains: both("check the object") },
  "check-id": { contains: both("ID", "region", "account") },
  "check-access-keys": { contains: both("access keys") },
  "choose-one-of": {
    remedy: { code: "choose-one-of", labels: ["a (1)", "b (2)"] },
    contains: both("a (1), b (2)"),
  },
  "delete-object": { contains: both("delete it in the cloud's console") },
  "delete-objects": { remedy: { code: "delete-objects", objects }, contains: both("delete", named) },
  "delete-others": { contains: both("delete the others") },
  "delete-unusable": {
    remedy: { code: "delete-unusable", resource: "access-key", importIds: ["1", "2"] },
    contains: both("delete these objects", "secret is lost", "'1', '2'"),
  },
  "delete-if-exists": { contains: both("if it exists, delete it there") },
  "delete-if-listed": { contains: both("delete it") },
  "resolve-conflict": { contains: both("remove the conflicting object or wait") },
  "remove-conflicts": {
    remedy: { code: "remove-conflicts", objects, by: "name" },
    contains: both("remove or detach the conflicting objects", named),
  },
  "remove-dependents": {
    remedy: { code: "remove-dependents", objects },
    contains: both("remove or detach the objects that use it", named),
  },
  "restore-value": { contains: both("the value in the state") },
  import: { remedy: { code: "import", ...vpc }, contains: imports },
  "import-if-unmanaged": {
    remedy: { code: "import-if-unmanaged", ...vpc },
    contains: together(imports, both("if nothing manages it") as never),
  },
  "import-one-of": {
    remedy: { code: "import-one-of", resource: "vpc", importIds: ["In-Noida-1,krn:vpc:3", "krn:vpc:4"] },
    contains: {
      terraform: ["terraform import kcloud_vpc.NAME 'ID'", "'In-Noida-1,krn:vpc:3', 'krn:vpc:4'"],
      pulumi: ["pulumi import kcloud:index:Vpc NAME 'ID'", "'In-Noida-1,krn:vpc:3', 'krn:vpc:4'"],
    },
  },
  "import-by-full-id": {
    remedy: { code: "import-by-full-id", ...vpc },
    contains: together(imports, both("full ID") as never),
  },
  "import-if-yours": {
    remedy: { code: "import-if-yours", ...vpc },
    contains: together(imports, both("if it belongs to this resource", "before the next run") as never),
  },
  "import-if-exists": {
    remedy: { code: "import-if-exists", ...vpc },
    contains: together(imports, both("if it exists", "before the next run") as never),
  },
  "import-if-listed": {
    remedy: { code: "import-if-listed", ...vpc, isRecreated: true },
    contains: together(imports, both("if it appears later", "before the next run") as never),
  },
  "import-listed": { remedy: { code: "import-listed", ...vpc }, contains: together(imports, removals) },
  "forget-one": {
    remedy: { code: "forget-one", ...vpc, id: "krn:vpc:3" },
    contains: {
      terraform: ["terraform state rm ADDRESS", "tofu state rm ADDRESS", "lifecycle { destroy = false }"],
      pulumi: ["pulumi state delete URN"],
    },
  },
  "forget-part": {
    contains: {
      terraform: ["terraform state rm ADDRESS", "tofu state rm ADDRESS"],
      pulumi: ["pulumi state delete URN"],
    },
  },
  "restore-size": { contains: { terraform: ["size_gb"], pulumi: ["sizeGb"] } },
  "import-with-region": { contains: both("region", "comma") },
  "create-instead": { contains: both("create it with this configuration") },
  refresh: {
    contains: {
      terraform: ["terraform apply -refresh-only", "tofu apply -refresh-only"],
      pulumi: ["pulumi refresh"],
    },
  },
  replace: {
    contains: {
      terraform: ["terraform apply -replace=ADDRESS", "tofu apply -replace=ADDRESS"],
      pulumi: ["pulumi up --replace URN"],
    },
  },
  "remove-from-state": {
    remedy: { code: "remove-from-state", resource: "vpc", object: { kind: "vpc", id: "krn:vpc:3" } },
    contains: together(removals, both("delete the VPC (krn:vpc:3)") as never),
  },
  "leave-to-vpc": {
    contains: { terraform: ["terraform state rm kcloud_subnet.NAME"], pulumi: ["pulumi state delete URN"] },
  },
  "import-first-subnet": {
    remedy: { code: "import-first-subnet", name: "web", importId: "krn:vpc:1,krn:subnet:2" },
    contains: { terraform: ["terraform import kcloud_subnet.NAME"], pulumi: ["pulumi import"] },
  },
  "leave-unmanaged": { remedy: { code: "leave-unmanaged", resource: "vpc" }, contains: removals },
  "next-replaces": { contains: { terraform: tainted, pulumi: ["next `pulumi up` replaces it"] } },
  "next-resumes": { contains: { terraform: tainted, pulumi: ["next `pulumi up` resumes it"] } },
  "next-searches": {
    contains: { terraform: ["searches for it", ...tainted], pulumi: ["next `pulumi up` searches for it"] },
  },
  "next-creates-another": { contains: both("creates another one") },
  "next-is-billed": { contains: both("billed again") },
};

describe.each(["terraform", "pulumi"] as const)("in the spelling of %s", (words) => {
  test.each(remedyCodes)("the text of %s contains its command, attribute or variable", (code) => {
    const { remedy = { code } as GivenRemedy, contains } = cases[code];
    const text = inWordsOf(words, remedyText(remediesOf([remedy])));
    const lower = text.charAt(0).toLowerCase() + text.slice(1);
    const missing = contains[words].filter((part) => !text.includes(part) && !lower.includes(part));
    expect([text, missing]).toEqual([text, []]);
    const other = words === "terraform" ? /pulumi|customTimeouts/ : /terraform|tofu|\btimeouts/;
    expect(text).not.toMatch(other);
  });
});

const textOf = (given: readonly GivenRemedy[], words: Words = "terraform") =>
  inWordsOf(words, remedyText(remediesOf(given)));

test("phrases are alternatives, a last run-again follows them, and sentences come after them", () => {
  expect(textOf(["run-again"])).toBe("Run again");
  expect(textOf(["set-api-key", "run-again"])).toBe(
    "Set a valid api_key (or SERVICE_API_KEY), then run again",
  );
  expect(textOf(["next-is-billed", "choose-other-name", "match-configuration", "run-again"])).toBe(
    "Choose another name, or change the configuration to match the object, then run again. Another run sends the request again, which is billed again",
  );
});

test("a remedy for the users of one engine is only in the text for that engine", () => {
  const given: readonly GivenRemedy[] = [
    { code: "next-searches", only: "terraform" },
    { code: "run-again", only: "pulumi" },
  ];
  expect(textOf(given)).toMatch(/^The next apply searches for it and replaces it; `terraform untaint/);
  expect(textOf(given, "pulumi")).toBe("Run again");
});

test("names and ids are truncated, and at most five objects are named", () => {
  const many = Array.from({ length: 7 }, (_, at) => ({
    kind: "volume",
    name: "x".repeat(3_000),
    id: `${at}`,
  }));
  const text = textOf([{ code: "remove-dependents", objects: many }]);
  expect(text).toMatch(/ and 2 more$/);
  expect(text.length).toBeLessThan(5_200);
});
