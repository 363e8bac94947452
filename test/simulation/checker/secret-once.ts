import { digestOf } from "../../../emulator/auth/api-key.ts";
import { type Remedy, remedyText } from "../../../provider/core/remedy.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { reveal } from "../../../provider/core/value.ts";
import { inAllWords } from "../../../provider/core/wording.ts";
import { hasShownOnce } from "../../../provider/definition/resource.ts";
import { resource } from "../../support/cloud.ts";
import type { GroundTruth } from "../ground-truth.ts";
import type { Item } from "../item.ts";
import type { Row } from "../kind.ts";
import type { Report } from "../report.ts";
import { importedAs, nameOf } from "../row.ts";
import type { StoredObject } from "../state.ts";

/**
 * Checks objects whose secret only the create response has (I14): the secret is saved and refreshed in the state. If that
 * response is lost, the error asks to delete the object, and never one that is in the state.
 */
export interface SecretOnceChecker {
  made(address: string, state: ResourceState): void;
  refreshed(kept: StoredObject, state: ResourceState): void;
  /** `known` are the names of the objects in the state. */
  failed(item: Item, remedies: readonly Remedy[], known: ReadonlySet<string>): void;
}

/** Returns the ids of the objects that remedies ask to delete, as their secret is lost. */
const unusableIds = (remedies: readonly Remedy[]): string[] =>
  remedies.flatMap((remedy) =>
    remedy.code === "delete-unusable"
      ? remedy.importIds.map((importId) => importId.slice(importId.lastIndexOf(",") + 1))
      : [],
  );

const secretOf = ({ values }: ResourceState) => [values.secretKey, values.encryptedSecretKey].find(Boolean);

export function createSecretOnceChecker(truth: GroundTruth, report: Report): SecretOnceChecker {
  const unusable = new Set<string>();
  const reportViolation = (text: string) => report.violation("I14", text);
  return {
    made(address, state) {
      const { id = "", values } = state;
      if (!hasShownOnce(resourceAt(address))) return;
      if (unusable.has(id)) reportViolation(`${address} uses ${id}, which an error asked to delete`);
      const row = truth.rows().find((one) => importedAs(one) === id) as (Row & WithDigest) | undefined;
      const isMatching =
        values.secretKey === null ||
        row === undefined ||
        digestOf(String(reveal(values.secretKey ?? ""))) === row.digest;
      if (secretOf(state) === undefined || !isMatching)
        reportViolation(`${address} was created without its secret`);
    },
    refreshed({ address, state: before }, state) {
      if (
        hasShownOnce(resourceAt(address)) &&
        secretOf(before) !== undefined &&
        secretOf(state) === undefined
      )
        reportViolation(`${address} has lost its secret`);
    },
    failed({ address, resource: kind }, remedies, known) {
      if (!hasShownOnce(resource(kind))) return;
      if (remedies.some((remedy) => "importId" in remedy || remedy.code === "import-one-of"))
        reportViolation(
          `an error asks to import ${address}, which restores no secret: ${inAllWords(remedyText(remedies))}`,
        );
      for (const id of unusableIds(remedies)) {
        unusable.add(id);
        if (known.has(nameOf(kind, id, {})))
          reportViolation(
            `an error asks to delete ${id}, which is in the state: ${inAllWords(remedyText(remedies))}`,
          );
      }
    },
  };
}

interface WithDigest {
  readonly digest: string;
}

const resourceAt = (address: string) => resource(address.slice(0, address.indexOf(".")));
