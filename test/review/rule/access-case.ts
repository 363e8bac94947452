import { secret, UNKNOWN } from "../../../provider/core/value.ts";
import { changeOf, planOf, unchanged } from "../change-of.ts";
import type { RuleCase } from "./case.ts";

const bucket = { name: "site", anonymousAccess: false };
const open = { ...bucket, anonymousAccess: true };
const key = { name: "reports" };
const pod = { name: "train", encryptVolume: true };
const policy = { bucketId: "site", readOnlyIps: ["10.0.0.1"] };
const sshKey = { name: "deploy" };
const instance = { vpcId: "vpc-1", name: "web", sshkeyName: "deploy" };

export const accessCases: readonly RuleCase[] = [
  {
    rule: "PUB-01",
    name: "a bucket that becomes public",
    plans: [planOf([changeOf("bucket", bucket, open)])],
    finds: ['Everyone can read the objects of bucket "site"'],
  },
  {
    rule: "PUB-01",
    name: "a new public bucket",
    plans: [planOf([changeOf("bucket", undefined, open)])],
    finds: ["Everyone can read"],
  },
  {
    rule: "PUB-01",
    name: "a bucket that the apply may make public",
    plans: [planOf([changeOf("bucket", bucket, { ...bucket, anonymousAccess: UNKNOWN })])],
    finds: [{ confidence: "likely", text: "Everyone may be able to read" }],
  },
  {
    rule: "PUB-01",
    name: "a bucket that stays public",
    plans: [planOf([changeOf("bucket", open, { ...open, tags: { a: "b" } })])],
    finds: [],
  },
  {
    rule: "PUB-01",
    name: "a public bucket that is replaced",
    plans: [planOf([changeOf("bucket", open, { ...open, name: "other" })])],
    finds: [],
  },
  {
    rule: "PUB-01",
    name: "a bucket that is no longer public",
    plans: [planOf([changeOf("bucket", open, bucket)])],
    finds: [],
  },
  {
    rule: "PUB-01",
    name: "a new bucket without the flag",
    plans: [planOf([changeOf("bucket", undefined, { name: "site" })])],
    finds: [],
  },
  {
    rule: "PUB-01",
    name: "a public bucket that is imported",
    plans: [planOf([unchanged("bucket", open, { importedId: "site" })])],
    finds: [],
  },

  {
    rule: "PUB-02",
    name: "a public bucket whose name suggests backups",
    plans: [planOf([changeOf("bucket", undefined, { ...open, name: "db-backups" })])],
    finds: ['The name of bucket "db-backups"'],
  },
  {
    rule: "PUB-02",
    name: "a public bucket with another name",
    plans: [planOf([changeOf("bucket", undefined, open)])],
    finds: [],
  },
  {
    rule: "PUB-02",
    name: "a private bucket whose name suggests backups",
    plans: [planOf([changeOf("bucket", undefined, { ...bucket, name: "db-backups" })])],
    finds: [],
  },

  {
    rule: "SEC-01",
    name: "a deleted key",
    plans: [planOf([changeOf("access-key", key, undefined)])],
    finds: ['Access key "reports" is deleted, and no longer works.'],
  },
  {
    rule: "SEC-01",
    name: "a key that is replaced",
    plans: [planOf([changeOf("access-key", key, { ...key, rotateWhenChanged: { at: "2" } })])],
    finds: ["is replaced, and the old one no longer works"],
  },
  {
    rule: "SEC-01",
    name: "a forgotten key, which stays valid",
    plans: [planOf([changeOf("access-key", key, undefined, { action: "forget" })])],
    finds: [],
  },
  { rule: "SEC-01", name: "a new key", plans: [planOf([changeOf("access-key", undefined, key)])], finds: [] },

  {
    rule: "SEC-02",
    name: "a new key",
    plans: [planOf([changeOf("access-key", undefined, key)])],
    finds: ['The secret of access key "reports" is stored in the state.'],
  },
  {
    rule: "SEC-02",
    name: "a new key whose secret is encrypted",
    plans: [
      planOf([
        changeOf("access-key", undefined, { ...key, recipientPublicKey: "-----BEGIN PUBLIC KEY-----" }),
      ]),
    ],
    finds: [],
  },
  {
    rule: "SEC-02",
    name: "a deleted key",
    plans: [planOf([changeOf("access-key", key, undefined)])],
    finds: [],
  },
  {
    rule: "SEC-02",
    name: "an imported key, whose secret is unknown",
    plans: [planOf([unchanged("access-key", key, { importedId: "key-1" })])],
    finds: [],
  },

  {
    rule: "SEC-03",
    name: "a tag with a secret",
    plans: [
      planOf([
        changeOf(
          "bucket",
          bucket,
          { ...bucket, tags: { api_key: "x" } },
          { unmarkedSecrets: [["tags", "api_key"]] },
        ),
      ]),
    ],
    finds: ["has a value in tags.api_key that looks like a secret"],
  },
  {
    rule: "SEC-03",
    name: "a checksum that the API sets",
    plans: [
      planOf([changeOf("bucket", bucket, { ...bucket, tags: { a: "b" } }, { unmarkedSecrets: [["url"]] })]),
    ],
    finds: [],
  },
  {
    rule: "SEC-03",
    name: "an unchanged object",
    plans: [planOf([unchanged("bucket", bucket, { unmarkedSecrets: [["tags", "api_key"]] })])],
    finds: [],
  },

  {
    rule: "SEC-04",
    name: "a deleted SSH key that an instance names",
    plans: [planOf([changeOf("ssh-key", sshKey, undefined), unchanged("instance", instance)])],
    finds: ['instance "web" names it'],
  },
  {
    rule: "SEC-04",
    name: "a replaced SSH key",
    plans: [planOf([changeOf("ssh-key", sshKey, sshKey, { action: "replace" })])],
    finds: ["is replaced; existing machines keep the old key."],
  },
  {
    rule: "SEC-04",
    name: "a new SSH key",
    plans: [planOf([changeOf("ssh-key", undefined, sshKey)])],
    finds: [],
  },
  {
    rule: "SEC-04",
    name: "a forgotten SSH key",
    plans: [planOf([changeOf("ssh-key", sshKey, undefined, { action: "forget" })])],
    finds: [],
  },

  {
    rule: "SEC-05",
    name: "a pod that loses its encryption",
    plans: [planOf([changeOf("ai-pod", pod, { ...pod, encryptVolume: false })])],
    finds: ["is recreated without encryption"],
  },
  {
    rule: "SEC-05",
    name: "a new pod without encryption",
    plans: [planOf([changeOf("ai-pod", undefined, { name: "train", encryptVolume: false })])],
    finds: [{ severity: "low", text: "is created with encrypt_volume off" }],
  },
  {
    rule: "SEC-05",
    name: "a new pod with encryption",
    plans: [planOf([changeOf("ai-pod", undefined, pod)])],
    finds: [],
  },
  {
    rule: "SEC-05",
    name: "a new pod whose encryption is known only after the apply",
    plans: [planOf([changeOf("ai-pod", undefined, { ...pod, encryptVolume: UNKNOWN })])],
    finds: [{ severity: "low", confidence: "likely", text: "encrypt_volume is known only after the apply" }],
  },
  { rule: "SEC-05", name: "a deleted pod", plans: [planOf([changeOf("ai-pod", pod, undefined)])], finds: [] },

  {
    rule: "SEC-06",
    name: "a policy that changes",
    plans: [planOf([changeOf("bucket-policy", policy, { ...policy, readOnlyIps: ["10.0.0.2"] })])],
    finds: ["changes: "],
  },
  {
    rule: "SEC-06",
    name: "a new policy",
    plans: [planOf([changeOf("bucket-policy", undefined, policy)])],
    finds: ["is created"],
  },
  {
    rule: "SEC-06",
    name: "a deleted policy",
    plans: [planOf([changeOf("bucket-policy", policy, undefined)])],
    finds: ["is deleted"],
  },
  {
    rule: "SEC-06",
    name: "an unchanged policy",
    plans: [planOf([unchanged("bucket-policy", policy)])],
    finds: [],
  },
  {
    rule: "SEC-06",
    name: "a policy with a hidden value that stays",
    plans: [planOf([unchanged("account-policy", { policyKrn: secret("k") })])],
    finds: [],
  },
];
