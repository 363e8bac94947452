import { publicKey } from "../client.ts";
import { scenario } from "../tour.ts";

const elsewhere = { "x-region": "In-Hyderabad-1" };
const names = (...list: readonly string[]) =>
  Object.fromEntries([
    ["sshKeys.length", list.length],
    ...list.map((name, i) => [`sshKeys.${i}.keyName`, name]),
  ]);

scenario("a key exists at once in its region, is unique there, and is deleted by its bare UUID", [
  "create_ssh_key",
  ["create_ssh_key", {}, "409 SSH key ci already exists"],
  ["create_ssh_key", { keyName: "demo-key" }, "409 SSH key demo-key already exists"],
  ["create_ssh_key", { keyName: "a-error-503" }, "503 refused because of the name a-error-503"],
  ["create_ssh_key", { publicKey: `x ${publicKey}` }, "400 publicKey: must be an OpenSSH public key such…"],
  [
    "create_ssh_key",
    { publicKey: "-----BEGIN OPENSSH PRIVATE KEY-----" },
    "400 publicKey: must be an OpenSSH public key such as ssh-ed25519 AAAA...",
  ],
  ["create_ssh_key", { keyName: "ci-2", publicKey: "ecdsa-sha2-nistp256 AAAA==" }, 201],
  ["create_ssh_key", elsewhere, { region: "In-Hyderabad-1" }],
  ["search_ssh_keys", {}, names("ci", "ci-2")],
  ["search_ssh_keys", { keyName: "" }, names("demo-key", "ci", "ci-2")],
  ["search_ssh_keys", { keyName: "", "x-region": undefined }, names("ci", "ci-2", "ci")],
  ["list_ssh_keys", { sortOrder: undefined }, names("ci-2", "ci", "demo-key")],
  ["list_ssh_keys", { page: "2", limit: "2" }, names("ci-2")],
  ["delete_ssh_key", { uuid: "{ssh_key}" }, "400 uuid: must be the bare UUID, not a KRN"],
  ["delete_ssh_key", { uuid: "00000000-0000-4000-8000-000000000301" }, "403 SSH key demo-key belongs to…"],
  ["delete_ssh_key", {}, "404 SSH key … not found"],
  ["delete_ssh_key", elsewhere, 204],
  ["search_ssh_keys", elsewhere, names()],
  { listingLagMs: 1000 },
  ["create_ssh_key", elsewhere, 201],
  ["search_ssh_keys", elsewhere, names()],
  1000,
  ["search_ssh_keys", elsewhere, names("ci")],
]);

scenario("a given customer is that of the account, and is required if a switch is set", [
  ["create_ssh_key", { "k-customer-id": "x" }, "403 header k-customer-id: another account's"],
  ["list_ssh_keys", { customer: "x" }, "403 header k-customer-id: another account's"],
  ["delete_ssh_key", { "k-customer-id": "x", uuid: "x" }, "403 header k-customer-id: another account's"],
  [
    "create_ssh_key",
    { "k-customer-id": undefined },
    "400 header k-customer-id: required",
    { sshKeyNeedsCustomer: true },
  ],
  ["create_ssh_key", {}, 201, { sshKeyNeedsCustomer: true }],
]);
