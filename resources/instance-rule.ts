import { isBeside, misfit } from "../provider/krn.ts";

/** What the fields of an instance may not be together, each with the place of what is wrong. */

/** It boots from a new volume or from an existing one (contract 6). */
export function oneBoot({ bootVolume, volumeId }: { bootVolume?: unknown; volumeId?: unknown }) {
  if (bootVolume === undefined && volumeId === undefined)
    return { path: ["bootVolume"], problem: "is required where no existing volume is given" };
  return bootVolume !== undefined && volumeId !== undefined
    ? { path: ["volumeId"], problem: "cannot stand beside a new boot volume: it boots from one of both" }
    : undefined;
}

/** What it did not make, it does not delete (contract 6). */
export const existingStays = (given: { volumeId?: unknown; deleteOnTermination?: unknown }) =>
  given.volumeId !== undefined && given.deleteOnTermination === true
    ? { path: ["deleteOnTermination"], problem: "must be false with an existing volume, which stays" }
    : undefined;

/** User data comes in one form. */
export const oneUserData = (given: { userData?: unknown; userDataBase64?: unknown }) =>
  given.userData !== undefined && given.userDataBase64 !== undefined
    ? { path: ["userDataBase64"], problem: "cannot stand beside plain user data: give one of both" }
    : undefined;

/** A group is of the VPC, as far as ids tell: of its region and account (contract 1.4). The rest the cloud knows. */
export function groupsBeside({ vpcId, securityGroups }: { vpcId: string; securityGroups: string[] }) {
  for (const [place, id] of securityGroups.entries()) {
    const elsewhere = isBeside(id, vpcId) ? undefined : "is of another region or account than the VPC";
    const problem = misfit(id, "security-group") ?? elsewhere;
    if (problem !== undefined) return { path: ["securityGroups", place], problem };
  }
  return undefined;
}
