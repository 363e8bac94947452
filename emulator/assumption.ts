import { z } from "zod";

const seconds = z.int().min(0);

/**
 * What the contract leaves open, as switches: the contract section first, then what the switch says. The defaults are
 * the assumptions that the contract names. Set by `createEmulator({ assume })`, `--assume NAME=VALUE` or
 * `PATCH /_emulator/settings`.
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
  equalNames: z
    .boolean()
    .default(true)
    .describe(
      "17.2: two VPCs, two subnets of a VPC or two volumes of a VPC may bear the same name; else 409",
    ),
  vpcCreateAnswersEmpty: z.boolean().default(false).describe("2.1: the 202 of a VPC create has no body"),
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
  volumeCreateShape: z
    .enum(["nested", "flat"])
    .default("nested")
    .describe("8: a volume create answers `volume.id`, or `id` at the top"),
  volumeSpelling: z
    .enum(["current", "alias"])
    .default("current")
    .describe(
      "8: the volume's fields, or their other spellings (Name, volumetype, multi_attached_enabled, id = uuid)",
    ),
  volumeStatus: z
    .enum(["state", "last-action"])
    .default("state")
    .describe(
      "8: `status` repeats the state, or holds the last action's result while `state` holds the state",
    ),
});

/** The switches, all set. */
export type Assumptions = z.output<typeof assumptionSchema>;

/** One line a switch, for `kcloud emulator --help`: name, default, meaning with its contract section. */
export function describeAssumptions(): string[] {
  const defaults: Record<string, unknown> = assumptionSchema.parse({});
  return Object.entries(assumptionSchema.shape).map(
    ([name, schema]) => `${name}=${JSON.stringify(defaults[name])}  ${schema.description ?? ""}`,
  );
}
