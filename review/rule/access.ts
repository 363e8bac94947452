import { attribute, attributes } from "../../provider/core/wording.ts";
import { hasShownOnce } from "../../provider/definition/resource.ts";
import { creates, destroys } from "../model/change.ts";
import { differencesOf } from "../model/difference.ts";
import { called, say, word } from "../model/sentence.ts";
import { withActions } from "./action.ts";
import { confidenceOfFlag, fateOf, flagOf, ifReplaced, listed, whyUnreadable, withMeaning } from "./fact.ts";
import { changeRule, type Rule } from "./rule.ts";

/** Rules about who gets access: keys, secrets and rights. */

const keyDies = changeRule(
  {
    id: "SEC-01",
    title: "A key stops working",
    severity: "high",
    confidence: "proven",
    about:
      "An access key is deleted or replaced. The API rejects requests that are signed with it from then on.",
    remedy: "Create the new key in one change, distribute it, and delete the old one in a later change.",
  },
  (change, context) => {
    if (!destroys(change) || change.resource?.grants !== "secret") return undefined;
    const users = context.relations.dependentsOf(change).direct.filter(({ action }) => action !== "delete");
    const used =
      users.length === 0
        ? say``
        : say` ${listed(users)} ${word(users.length === 1 ? "refers" : "refer")} to it.`;
    const subject = word(change.action === "replace" ? ", and the old one" : ", and");
    return {
      ...ifReplaced(change, context),
      text: say`${called(change)} ${fateOf(change, context)}${subject} no longer works.${used}`,
    };
  },
);

const secretStored = changeRule(
  {
    id: "SEC-02",
    title: "A secret is stored in the state",
    severity: "medium",
    confidence: "proven",
    about: "The API returns a secret only when the object is created, and the state stores it.",
    remedy:
      "Encrypt the state, restrict read access to it, or have the secret encrypted with your public key.",
  },
  (change) => {
    const { resource, after } = change;
    if (!creates(change) || resource === undefined || !hasShownOnce(resource)) return undefined;
    if ((after?.recipientPublicKey ?? null) !== null) return undefined;
    return { text: say`The secret of ${called(change)} is stored in the state.` };
  },
);

const loginChanged = changeRule(
  {
    id: "SEC-04",
    title: "A login key is deleted or replaced",
    severity: "high",
    confidence: "proven",
    about:
      "An SSH key is deleted or replaced. Existing instances keep the old key; new instances and replacements that name it fail or get the new one.",
    remedy: "Create a key with another name, and change the instances that need it one at a time.",
  },
  (change, context) => {
    if (!destroys(change) || change.resource?.grants !== "login") return undefined;
    const users = context.changes.filter(
      ({ before, after, action }) =>
        action !== "delete" && change.name !== undefined && (after ?? before)?.sshkeyName === change.name,
    );
    const used =
      users.length === 0 ? say`` : say` ${listed(users)} ${word(users.length === 1 ? "names" : "name")} it.`;
    return {
      ...ifReplaced(change, context),
      text: say`${called(change)} ${fateOf(change, context)}; existing machines keep the old key.${used}`,
    };
  },
);

const encryptionOff = changeRule(
  {
    id: "SEC-05",
    title: "Encryption is off",
    severity: "medium",
    confidence: "proven",
    about: "Encryption of a disk is switched off, or an object with a disk is created without it.",
    remedy: "Switch encryption on. It can be chosen only when the object is created.",
  },
  (change, context) => {
    if (change.action !== "update" && !creates(change)) return undefined;
    const [first] = withMeaning(change, "encrypts").flatMap((difference) => {
      const confidence = confidenceOfFlag(change, difference, false, context);
      return confidence === undefined ? [] : [{ ...difference, confidence }];
    });
    if (first === undefined) return undefined;
    const { path, before, confidence } = first;
    const wasOn = flagOf(before) === true;
    if (change.action === "update" && !wasOn) return undefined;
    const name = attribute(String(path.at(-1)));
    return {
      ...{ path, confidence },
      ...(wasOn ? {} : { severity: "low" as const }),
      text:
        confidence === "likely"
          ? say`${called(change)} may not be encrypted: ${name} ${whyUnreadable(change, path)}.`
          : wasOn
            ? say`${called(change)} is ${word(change.action === "update" ? "no longer encrypted" : "recreated without encryption")}.`
            : say`${called(change)} is created with ${name} off.`,
    };
  },
);

const rightsChanged = changeRule(
  {
    id: "SEC-06",
    title: "Permissions change",
    severity: "medium",
    confidence: "proven",
    about: "A policy that grants or denies permissions is created, changed or deleted.",
    remedy: "Have someone who knows the policy review the change.",
  },
  (change) => {
    if (change.resource?.grants !== "rights") return undefined;
    if (change.action === "update") {
      const names = differencesOf(change)
        .filter(({ field }) => field?.kind !== "computed")
        .map(({ path }) => String(path[0]));
      return names.length === 0
        ? undefined
        : { text: say`${called(change)} changes: ${word(attributes([...new Set(names)]))}.` };
    }
    const verbs = {
      create: "created",
      replace: "replaced",
      delete: "deleted",
      forget: "no longer managed",
    } as const;
    const done = verbs[change.action as keyof typeof verbs];
    return done === undefined ? undefined : { text: say`${called(change)} is ${word(done)}.` };
  },
);

export const accessRules: readonly Rule[] = [
  withActions(keyDies, "ends access"),
  secretStored,
  loginChanged,
  encryptionOff,
  rightsChanged,
];
