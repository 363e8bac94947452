import { accessKeyNoun } from "./access-key.ts";
import { accountPolicyNoun } from "./account-policy.ts";
import { accountPolicyAttachmentNoun } from "./account-policy-attachment.ts";
import { aiPodNoun } from "./ai-pod.ts";
import { aiPodCatalogueNoun } from "./ai-pod-catalogue.ts";
import { backupNoun } from "./backup.ts";
import { bucketNoun } from "./bucket.ts";
import { bucketPolicyNoun } from "./bucket-policy.ts";
import { flavorNoun } from "./flavor.ts";
import { floatingIpNoun } from "./floating-ip.ts";
import { imageNoun } from "./image.ts";
import { instanceNoun } from "./instance.ts";
import { instanceBatchNoun } from "./instance-batch.ts";
import { instanceTemplateNoun } from "./instance-template.ts";
import { lifecycleRuleNoun } from "./lifecycle-rule.ts";
import type { Noun } from "./noun.ts";
import { objectNoun } from "./object.ts";
import { objectSessionNoun } from "./object-session.ts";
import { portNoun } from "./port.ts";
import { portSecurityGroupsNoun } from "./port-security-groups.ts";
import { securityGroupNoun } from "./security-group.ts";
import { securityGroupRuleNoun } from "./security-group-rule.ts";
import { signInNoun } from "./sign-in.ts";
import { snapshotNoun } from "./snapshot.ts";
import { sshKeyNoun } from "./ssh-key.ts";
import { subnetNoun } from "./subnet.ts";
import { volumeNoun } from "./volume.ts";
import { volumeAttachmentNoun } from "./volume-attachment.ts";
import { volumePolicyNoun } from "./volume-policy.ts";
import { vpcNoun } from "./vpc.ts";

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
