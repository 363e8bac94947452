import { aiPodNoun } from "./ai/ai-pod.ts";
import { aiPodCatalogueNoun } from "./ai/ai-pod-catalogue.ts";
import { signInNoun } from "./auth/sign-in.ts";
import { backupNoun } from "./block-storage/backup.ts";
import { snapshotNoun } from "./block-storage/snapshot.ts";
import { volumeNoun } from "./block-storage/volume.ts";
import { volumeAttachmentNoun } from "./block-storage/volume-attachment.ts";
import { volumePolicyNoun } from "./block-storage/volume-policy.ts";
import { flavorNoun } from "./compute/flavor.ts";
import { imageNoun } from "./compute/image.ts";
import { instanceNoun } from "./compute/instance.ts";
import { instanceBatchNoun } from "./compute/instance-batch.ts";
import { instanceTemplateNoun } from "./compute/instance-template.ts";
import { sshKeyNoun } from "./compute/ssh-key.ts";
import { accessKeyNoun } from "./iam/access-key.ts";
import { accountPolicyNoun } from "./iam/account-policy.ts";
import { accountPolicyAttachmentNoun } from "./iam/account-policy-attachment.ts";
import type { Noun } from "./model/resource-kind.ts";
import { floatingIpNoun } from "./network/floating-ip.ts";
import { portNoun } from "./network/port.ts";
import { portSecurityGroupsNoun } from "./network/port-security-groups.ts";
import { securityGroupNoun } from "./network/security-group.ts";
import { securityGroupRuleNoun } from "./network/security-group-rule.ts";
import { subnetNoun } from "./network/subnet.ts";
import { vpcNoun } from "./network/vpc.ts";
import { bucketNoun } from "./object-storage/bucket.ts";
import { bucketPolicyNoun } from "./object-storage/bucket-policy.ts";
import { lifecycleRuleNoun } from "./object-storage/lifecycle-rule.ts";
import { objectNoun } from "./object-storage/object.ts";
import { objectSessionNoun } from "./object-storage/object-session.ts";

/** Every noun that is built; a new one is added here and loses its rows in `unbuilt.ts`. */
export const nouns: readonly Noun[] = [
  signInNoun,
  vpcNoun,
  subnetNoun,
  portNoun,
  portSecurityGroupsNoun,
  floatingIpNoun,
  securityGroupNoun,
  securityGroupRuleNoun,
  sshKeyNoun,
  imageNoun,
  flavorNoun,
  instanceNoun,
  instanceTemplateNoun,
  instanceBatchNoun,
  volumeNoun,
  volumeAttachmentNoun,
  snapshotNoun,
  backupNoun,
  volumePolicyNoun,
  bucketNoun,
  bucketPolicyNoun,
  lifecycleRuleNoun,
  accessKeyNoun,
  accountPolicyNoun,
  accountPolicyAttachmentNoun,
  objectSessionNoun,
  objectNoun,
  aiPodNoun,
  aiPodCatalogueNoun,
];
