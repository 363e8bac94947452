import * as z from "zod";
import { amount, milliseconds } from "../amount.ts";
import { aiAssumptions } from "./ai.ts";
import { podAssumptions } from "./ai-pod.ts";
import { storageAssumptions } from "./block-storage.ts";
import { templateAssumptions } from "./instance-template.ts";
import { networkAssumptions } from "./network.ts";
import { objectAssumptions } from "./object-storage.ts";

/**
 * Open questions of the contract as switches. Each description has the contract section, then the meaning. The defaults are the
 * assumptions of the contract. Set by `createEmulator({ assume })`, `--assume NAME=VALUE` or `PATCH /_emulator/settings`.
 */
export const assumptionSchema = z.strictObject({
  errorBody: z
    .enum(["message", "error-object", "error", "detail", "msg", "text"])
    .default("message")
    .describe("17.1: shape of an infrastructure error body"),
  regions: z
    .array(z.string().min(1))
    .default(["In-Bangalore-1", "In-Hyderabad-1"])
    .describe("17.1: the regions that exist, others get 404; an empty list accepts any well-formed name"),
  firewall: z
    .boolean()
    .default(false)
    .describe("1.1: bodies that contain raw shell text (; && ||) get 403 with an HTML page"),
  mfaEnabled: z
    .int()
    .min(0)
    .default(0)
    .describe("17.1: `mfaEnabled` in the response of a sign-in; above 0 the response has no token"),
  programmaticToken: z
    .enum(["token", "access_token"])
    .default("token")
    .describe("1.2: the field of the token in a programmatic sign-in"),
  equalNames: z
    .boolean()
    .default(true)
    .describe(
      "17.2: VPCs or pods of a region, subnets, groups, volumes or instances of a VPC, and ports of a subnet may have equal names; else 409",
    ),
  vpcCreateAnswersEmpty: z.boolean().default(false).describe("2.1: the 202 of a VPC create has no body"),
  vpcTaskShape: z
    .enum(["nested", "flat"])
    .default("nested")
    .describe("16: a VPC task returns `data.tasks[]`, or one `status` and `error` for all its parts"),
  vpcListKeepsDeadMs: milliseconds
    .default(0)
    .describe("17.2: time in ms for which the VPC list shows a deleted VPC, with the status `deleted`"),
  vpcListIgnoresRegion: z
    .boolean()
    .default(true)
    .describe("2.1: the VPC list ignores x-region and returns the VPCs of every region"),
  vpcSearchShape: z
    .enum(["flat", "data"])
    .default("flat")
    .describe("16: search_vpc returns `vpcs[]` with paging, or `data.vpcs[]`"),
  taskSuccessWord: z
    .enum(["success", "completed", "done", "active"])
    .default("success")
    .describe("17.2, 17.4: the status of a VPC or instance task that succeeded"),
  taskFailureWord: z
    .enum(["failed", "failure", "error", "cancelled"])
    .default("failed")
    .describe("17.2, 17.4: the status of a VPC or instance task that failed"),
  repeatedDelete: z
    .union([z.literal(202), z.literal(404), z.literal(409)])
    .default(409)
    .describe("unknown everywhere: the HTTP status of a delete of an object that is being deleted"),
  cidrHostBits: z
    .enum(["normalise", "refuse"])
    .default("normalise")
    .describe("2.2: a CIDR with host bits set is stored without them, or rejected with 400"),
  primarySubnetRefusal: z
    .union([z.literal(400), z.literal(403), z.literal(409)])
    .default(400)
    .describe("1.6: the HTTP status that rejects the delete of a primary subnet; only the text is known"),
  vpcNeedsGroup: z
    .boolean()
    .default(false)
    .describe("16: a VPC create without security_group and security_group_rule gets 400"),
  vpcDeleteWithGroups: z
    .enum(["conflict", "removes"])
    .default("conflict")
    .describe("2.1: the delete of a VPC with security groups gets 409, or deletes them too"),
  vpcMakesDefaultGroup: z
    .boolean()
    .default(false)
    .describe("2.1: a VPC create in the three-object form also creates the security group `default`"),
  groupCreateShape: z
    .enum(["top", "result", "named"])
    .default("result")
    .describe("3: a group create returns `id`, `result.id` or `securityGroupId`"),
  groupListShape: z
    .enum(["result", "items"])
    .default("result")
    .describe("16: the group list returns `result[]` with rule ids, or `items[]` with rule objects"),
  groupTotalSpelling: z
    .enum(["totalCount", "total_count"])
    .default("totalCount")
    .describe("3: spelling of the total in the group list's `pagination`"),
  groupPageDefault: amount.default(10).describe("3: groups per page without a limit in the request"),
  groupPageMax: amount.default(1000).describe("17.3: maximum number of groups per page"),
  groupHasDefaultRules: z.boolean().default(false).describe("17.3: a new group has a default rule"),
  ruleCreateShape: z
    .enum(["result", "top", "named"])
    .default("result")
    .describe("3: a rule create returns its ids in `result`, at the top, or as `ruleid` and `rulekrn`"),
  ruleId: z
    .enum(["krn", "uuid", "both"])
    .default("krn")
    .describe("16: a rule create returns as id the rule's KRN, its UUID, or the UUID together with the KRN"),
  ruleListId: z
    .enum(["krn", "uuid"])
    .default("krn")
    .describe("17.3: the group list has the KRNs or the UUIDs of rules"),
  ethertypeCase: z
    .enum(["any", "lower", "title"])
    .default("any")
    .describe("17.3: a rule create accepts any case, only `ipv4` and `ipv6`, or only `IPv4` and `IPv6`"),
  ruleProtocolAny: z.boolean().default(false).describe("16: a rule may have the protocol `any`; else 400"),
  rulePortZero: z
    .boolean()
    .default(false)
    .describe("3: a port range may begin at 0; else 400, even for icmp and all"),
  repeatedAttach: z
    .union([z.literal(200), z.literal(404), z.literal(409)])
    .default(409)
    .describe("unknown: the HTTP status of an attach or detach that changes nothing"),
  attachedRuleDelete: z
    .enum(["refuse", "detach"])
    .default("refuse")
    .describe("3: the delete of an attached rule gets 409, or detaches the rule first"),
  sshKeyNeedsCustomer: z
    .boolean()
    .default(false)
    .describe("16: the SSH key routes require the header k-customer-id"),
  instanceKrn: z
    .enum(["row", "active"])
    .default("row")
    .describe("6: an instance has its KRN from the start of its create, or only once it is ACTIVE"),
  instanceShowsTask: z
    .boolean()
    .default(true)
    .describe("17.4: an instance has the `task_id` of its create; else only its name identifies it"),
  instanceSpelling: z
    .enum(["current", "legacy"])
    .default("current")
    .describe("6: current field names, or the legacy ones (instanceName, instanceType, createdAt)"),
  instancePaging: z
    .enum(["snake", "camel"])
    .default("snake")
    .describe("17.0: spelling of the instance search's paging (`total_pages` or `totalPages`)"),
  instancePageDefault: amount.default(10).describe("6: instances per page without a limit in the request"),
  instancePageMax: amount.default(100).describe("17.2: maximum number of instances per page"),
  instanceListKeepsDeadMs: milliseconds
    .default(0)
    .describe("17.4: time in ms for which the search shows a deleted instance, with the status `deleted`"),
  searchShowsPorts: z
    .boolean()
    .default(false)
    .describe(
      "6: the instance search returns `network_ports` too; the seed document has them only in the read",
    ),
  networkPortsAfterMs: milliseconds
    .default(0)
    .describe("6: time in ms from ACTIVE until `network_ports` are filled"),
  buildingWord: z
    .enum(["BUILD", "build", "CREATING"])
    .default("BUILD")
    .describe("6: the status of an instance that is being created"),
  failedWord: z
    .enum(["ERROR", "failed"])
    .default("ERROR")
    .describe("6: the status of an instance whose create failed"),
  stoppedWord: z
    .enum(["SHUTOFF", "STOPPED", "SHUTDOWN"])
    .default("SHUTOFF")
    .describe("17.4: the status of a stopped instance"),
  repeatedPower: z
    .union([z.literal(202), z.literal(409)])
    .default(409)
    .describe("unknown: the HTTP status of starting a running instance or stopping a stopped one"),
  buildingDelete: z
    .enum(["refuse", "accept"])
    .default("refuse")
    .describe("unknown: the delete of an instance that is being created gets 409, or ends the create"),
  instancesProtected: z
    .boolean()
    .default(false)
    .describe("6: new instances have `delete_protection_status` set"),
  protectedDelete: z
    .union([z.literal(400), z.literal(403), z.literal(409)])
    .default(403)
    .describe("17.4: the HTTP status that rejects the delete of a protected instance"),
  userDataForm: z
    .enum(["any", "base64"])
    .default("any")
    .describe("16: user_data may be any text, or must be base64"),
  syncTimeoutMs: milliseconds
    .default(60_000)
    .describe("6: time in ms after which a synchronous create returns 504 and continues in the background"),
  ...networkAssumptions,
  ...templateAssumptions,
  ...storageAssumptions,
  ...objectAssumptions,
  ...podAssumptions,
  ...aiAssumptions,
  listingLagOf: z
    .enum(["all", "object", "request"])
    .default("all")
    .describe(
      "17.1: the listing lag is the same for all objects, or up to its value for each object or each request",
    ),
});

/** Values of all switches. */
export type Assumptions = z.output<typeof assumptionSchema>;

/** Returns one line per switch for `kcloud help emulator-reference`: name, default, meaning with its contract section. */
export function describeAssumptions(): string[] {
  const defaults: Record<string, unknown> = assumptionSchema.parse({});
  return Object.entries(assumptionSchema.shape).map(
    ([name, schema]) => `${name}=${JSON.stringify(defaults[name])}  ${schema.description ?? ""}`,
  );
}
