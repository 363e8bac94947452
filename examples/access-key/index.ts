// The API returns the secret once; the state stores it encrypted, with recipientPublicKey for its owner alone. A change
// of rotateWhenChanged creates the new key before it deletes the old one, which requires a one-time password.
import { AccessKey } from "@kcloud/iac/pulumi";

const backup = new AccessKey("backup", { rotateWhenChanged: { quarter: "2026-4" } });

export const accessKey = backup.id;
export const secretKey = backup.secretKey;
