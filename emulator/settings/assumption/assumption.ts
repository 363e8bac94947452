import * as z from "zod";
import { aiAssumptions } from "./ai.ts";
import { podAssumptions } from "./ai-pod.ts";
import { storageAssumptions } from "./block-storage.ts";
import { templateAssumptions } from "./instance-template.ts";
import { networkAssumptions } from "./network.ts";
import { objectAssumptions } from "./object-storage.ts";

const seconds = z.int().min(0);
const size = z.int().min(1);

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
    .default([])
    .describe("17.1: the regions that exist; an empty list accepts any well-formed name"),
  firewall: z
    .boolean()
    .default(false)
    .describe("1.1: bodies that hold raw shell text (; && ||) get 403 with an HTML page"),
  mfaEnabled: z
    .int()
    .min(0)
    .default(0)
    .describe("17.1: what a sign-in says of a second factor; above 0 it gives no token"),
  programmaticToken: z
    .enum(["token", "access_token"])
    .default("token")
    .describe("1.2: the field of the token in a programmatic sign-in"),
  equalNames: z
    .boolean()
    .default(true)
    .describe(
      "17.2: two VPCs, or two subnets, groups, volumes or machines of a VPC, ports of a subnet or pods of a region may bear the same name; else 409",
    ),
  vpcCreateAnswersEmpty: z.boolean().default(false).describe("2.1: the 202 of a VPC create has no body"),
  vpcTaskShape: z
    .enum(["nested", "flat"])
    .default("nested")
    .describe("16: a VPC task answers `data.tasks[]`, or one `status` of all its parts and their `error`"),
  vpcListKeepsDeadMs: seconds
    .default(0)
    .describe("17.2: how long the VPC list keeps a dead row, with the status `deleted`"),
  vpcListIgnoresRegion: z
    .boolean()
    .default(true)
    .describe("2.1: the VPC list returns the rows of every region, whatever x-region says"),
  vpcSearchShape: z
    .enum(["flat", "data"])
    .default("flat")
    .describe("16: search_vpc answers `vpcs[]` with paging, or `data.vpcs[]`"),
  taskSuccessWord: z
    .enum(["success", "completed", "done", "active"])
    .default("success")
    .describe("17.2, 17.4: what a VPC or instance task is called that succeeded"),
  taskFailureWord: z
    .enum(["failed", "failure", "error", "cancelled"])
    .default("failed")
    .describe("17.2, 17.4: what a VPC or instance task is called that failed"),
  repeatedDelete: z
    .union([z.literal(202), z.literal(404), z.literal(409)])
    .default(409)
    .describe("unknown everywhere: the answer to deleting what is being deleted"),
  cidrHostBits: z
    .enum(["normalise", "refuse"])
    .default("normalise")
    .describe("2.2: a CIDR with host bits set is stored without them, or refused with 400"),
  primarySubnetRefusal: z
    .union([z.literal(400), z.literal(403), z.literal(409)])
    .default(400)
    .describe("1.6: the status of refusing to delete a primary subnet; only the text is known"),
  vpcNeedsGroup: z
    .boolean()
    .default(false)
    .describe("16: a VPC create without security_group and security_group_rule is a 400"),
  vpcDeleteWithGroups: z
    .enum(["conflict", "removes"])
    .default("conflict")
    .describe("2.1: deleting a VPC that still has security groups is a 409, or takes them with it"),
  vpcMakesDefaultGroup: z
    .boolean()
    .default(false)
    .describe("2.1: a VPC create in the three-object form also makes the security group `default`"),
  groupCreateShape: z
    .enum(["top", "result", "named"])
    .default("result")
    .describe("3: a group create answers `id`, `result.id` or `securityGroupId`"),
  groupListShape: z
    .enum(["result", "items"])
    .default("result")
    .describe("16: the group list answers `result[]` with rule ids, or `items[]` with rule objects"),
  groupTotalSpelling: z
    .enum(["totalCount", "total_count"])
    .default("totalCount")
    .describe("3: spelling of the total in the group list's `pagination`"),
  groupPageDefault: size.default(10).describe("3: groups on a page when the request names no limit"),
  groupPageMax: size.default(1000).describe("17.3: the most groups that a page holds"),
  groupHasDefaultRules: z.boolean().default(false).describe("17.3: a new group comes with a rule of its own"),
  ruleCreateShape: z
    .enum(["result", "top", "named"])
    .default("result")
    .describe("3: a rule create answers below `result`, at the top, or as `ruleid` and `rulekrn`"),
  ruleId: z
    .enum(["krn", "uuid", "both"])
    .default("krn")
    .describe("16: a rule create answers the rule's KRN, its UUID, or the UUID as id beside the KRN"),
  ruleListId: z
    .enum(["krn", "uuid"])
    .default("krn")
    .describe("17.3: the group list names rules by KRN or by UUID"),
  ethertypeCase: z
    .enum(["any", "lower", "title"])
    .default("any")
    .describe("17.3: a rule create takes any case, only `ipv4` and `ipv6`, or only `IPv4` and `IPv6`"),
  ruleProtocolAny: z.boolean().default(false).describe("16: a rule may have the protocol `any`; else 400"),
  rulePortZero: z
    .boolean()
    .default(false)
    .describe("3: a port range may begin at 0; else 400, for icmp and all too"),
  repeatedAttach: z
    .union([z.literal(200), z.literal(404), z.literal(409)])
    .default(409)
    .describe("unknown: the answer to attaching what is attached and to detaching what is not"),
  attachedRuleDelete: z
    .enum(["refuse", "detach"])
    .default("refuse")
    .describe("3: deleting a rule that is attached is a 409, or detaches it first"),
  sshKeyNeedsCustomer: z
    .boolean()
    .default(false)
    .describe("16: the SSH key routes demand the header k-customer-id"),
  instanceKrn: z
    .enum(["row", "active"])
    .default("row")
    .describe("6: a machine has its KRN as soon as it has a row, or only once it is ACTIVE"),
  instanceShowsTask: z
    .boolean()
    .default(true)
    .describe("17.4: a machine shows the `task_id` of its making; else it is found by name alone"),
  instanceSpelling: z
    .enum(["current", "legacy"])
    .default("current")
    .describe("6: a machine's fields, or their legacy spellings (instanceName, instanceType, createdAt)"),
  instancePaging: z
    .enum(["snake", "camel"])
    .default("snake")
    .describe("17.0: spelling of the instance search's paging (`total_pages` or `totalPages`)"),
  instancePageDefault: size.default(10).describe("6: machines on a page when the request names no limit"),
  instancePageMax: size.default(100).describe("17.2: the most machines that a page holds"),
  instanceListKeepsDeadMs: seconds
    .default(0)
    .describe("17.4: how long the instance search keeps a dead row, with the status `deleted`"),
  searchShowsPorts: z
    .boolean()
    .default(false)
    .describe("6: rows of the instance search hold `network_ports` too; the seed names them for the read"),
  networkPortsAfterMs: seconds
    .default(0)
    .describe("6: how long after ACTIVE a machine's `network_ports` are filled"),
  buildingWord: z
    .enum(["BUILD", "build", "CREATING"])
    .default("BUILD")
    .describe("6: the status of a machine that is being made"),
  failedWord: z
    .enum(["ERROR", "failed"])
    .default("ERROR")
    .describe("6: the status of a machine whose making failed"),
  stoppedWord: z
    .enum(["SHUTOFF", "STOPPED", "SHUTDOWN"])
    .default("SHUTOFF")
    .describe("17.4: the status of a stopped machine"),
  repeatedPower: z
    .union([z.literal(202), z.literal(409)])
    .default(409)
    .describe("unknown: the answer to starting what runs and to stopping what is stopped"),
  buildingDelete: z
    .enum(["refuse", "accept"])
    .default("refuse")
    .describe("unknown: deleting a machine that is being made is a 409, or ends the making"),
  instancesProtected: z
    .boolean()
    .default(false)
    .describe("6: new machines have `delete_protection_status` set"),
  protectedDelete: z
    .union([z.literal(400), z.literal(403), z.literal(409)])
    .default(403)
    .describe("17.4: the status of refusing to delete a protected machine"),
  userDataForm: z
    .enum(["any", "base64"])
    .default("any")
    .describe("16: user_data is taken as it comes, or must be base64"),
  syncTimeoutMs: seconds
    .default(60_000)
    .describe("6: a synchronous create that takes longer is answered 504 and goes on"),
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
      "17.1: the listing lag is the same for all, or anything up to it for each object, or for each request",
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
