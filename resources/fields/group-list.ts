import * as z from "zod/mini";
import { idProblem, sameRegionAndAccount } from "../../provider/core/krn.ts";
import { text } from "../../provider/definition/validator.ts";

/** Security groups of a port: the list is always complete and never empty (docs/contract.md#2.3). */

/** Non-empty list of security group ids. */
export const groupList = z
  .array(text)
  .check(z.refine((ids) => ids.length > 0, { error: "must name at least one group" }));

/**
 * Returns a rule: every element must be the id of a security group in the region and account of the id in the field
 * `home` (docs/contract.md#1.4). An id does not contain the VPC of a group, which the API checks.
 */
export const groupsInRegionOf = <const H extends string>(home: H, what: string) => ({
  needs: [home, "securityGroups"] as const,
  check(inputs: { readonly [K in H]: string } & { readonly securityGroups?: string[] | undefined }) {
    for (const [place, id] of (inputs.securityGroups ?? []).entries()) {
      const elsewhere = sameRegionAndAccount(id, inputs[home])
        ? undefined
        : `belongs to another region or account than ${what}`;
      const problem = idProblem(id, "security-group") ?? elsewhere;
      if (problem !== undefined) return { path: ["securityGroups", place], problem };
    }
    return undefined;
  },
});
