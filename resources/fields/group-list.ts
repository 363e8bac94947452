import * as z from "zod/mini";
import { idProblem, sameRegionAndAccount } from "../../provider/core/krn.ts";
import { text } from "../../provider/definition/validator.ts";

/** The security groups of a port: a list that is always whole and never empty (docs/contract.md#2.3). */

/** At least one group, by id. */
export const groupList = z
  .array(text)
  .check(z.refine((ids) => ids.length > 0, { error: "must name at least one group" }));

/**
 * A group is of the same VPC, as far as ids tell: of the region and account of what the field `home` names
 * (docs/contract.md#1.4). The rest the cloud knows.
 */
export const groupsBeside = <const H extends string>(home: H, what: string) => ({
  needs: [home, "securityGroups"] as const,
  check(given: { readonly [K in H]: string } & { readonly securityGroups?: string[] | undefined }) {
    for (const [place, id] of (given.securityGroups ?? []).entries()) {
      const elsewhere = sameRegionAndAccount(id, given[home])
        ? undefined
        : `is of another region or account than ${what}`;
      const problem = idProblem(id, "security-group") ?? elsewhere;
      if (problem !== undefined) return { path: ["securityGroups", place], problem };
    }
    return undefined;
  },
});
