import { accessRules } from "./access.ts";
import { addressesShort } from "./address-range.ts";
import { contentRules } from "./content.ts";
import { dataRules } from "./data.ts";
import { detachmentRules } from "./detachment.ts";
import { foreignDestroyed } from "./foreign.ts";
import { networkRules } from "./network.ts";
import { openingRules } from "./opening.ts";
import { operationRules } from "./operation.ts";
import { planRules } from "./plan.ts";
import { publicationRules } from "./publication.ts";
import { secretPublished } from "./published-secret.ts";
import { rehearsalRules } from "./rehearsal.ts";
import { discardedEarlier } from "./retention.ts";
import type { Rule } from "./rule.ts";
import { unmarkedSecret } from "./unmarked-secret.ts";

/** Every built-in rule, by id. */
export const rules: readonly Rule[] = [
  ...dataRules,
  ...contentRules,
  discardedEarlier,
  ...openingRules,
  ...networkRules,
  ...detachmentRules,
  addressesShort,
  foreignDestroyed,
  secretPublished,
  ...accessRules,
  ...publicationRules,
  unmarkedSecret,
  ...operationRules,
  ...planRules,
  ...rehearsalRules,
].toSorted((a, b) => (a.id < b.id ? -1 : 1));
