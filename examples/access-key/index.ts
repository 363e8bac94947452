// The secret is shown once, and kept in the state, encrypted. Whoever is to have it to himself gives recipientPublicKey.
// A change of rotateWhenChanged makes the new key before the old one goes, which takes a one-time password.
import { AccessKey } from "@kcloud/iac/pulumi";

const backup = new AccessKey("backup", { rotateWhenChanged: { quarter: "2026-4" } });

export const accessKey = backup.id;
export const secretKey = backup.secretKey;
