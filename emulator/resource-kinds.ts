import { aiPodKind } from "./ai/ai-pod.ts";
import { aiPodCatalogueKind } from "./ai/ai-pod-catalogue.ts";
import { checkpointKind } from "./ai/checkpoint.ts";
import { documentKind } from "./ai/document.ts";
import { inferenceTaskKind } from "./ai/inference-task.ts";
import { textKind } from "./ai/text.ts";
import { signInKind } from "./auth/sign-in.ts";
import { backupKind } from "./block-storage/backup.ts";
import { snapshotKind } from "./block-storage/snapshot.ts";
import { volumeKind } from "./block-storage/volume.ts";
import { volumeAttachmentKind } from "./block-storage/volume-attachment.ts";
import { volumePolicyKind } from "./block-storage/volume-policy.ts";
import { flavorKind } from "./compute/flavor.ts";
import { imageKind } from "./compute/image.ts";
import { instanceKind } from "./compute/instance.ts";
import { instanceBatchKind } from "./compute/instance-batch.ts";
import { instanceTemplateKind } from "./compute/instance-template.ts";
import { sshKeyKind } from "./compute/ssh-key.ts";
import { accessKeyKind } from "./iam/access-key.ts";
import { accountPolicyKind } from "./iam/account-policy.ts";
import { accountPolicyAttachmentKind } from "./iam/account-policy-attachment.ts";
import type { ResourceKind } from "./model/resource-kind.ts";
import { floatingIpKind } from "./network/floating-ip.ts";
import { portKind } from "./network/port.ts";
import { portSecurityGroupsKind } from "./network/port-security-groups.ts";
import { securityGroupKind } from "./network/security-group.ts";
import { securityGroupRuleKind } from "./network/security-group-rule.ts";
import { subnetKind } from "./network/subnet.ts";
import { vpcKind } from "./network/vpc.ts";
import { bucketKind } from "./object-storage/bucket.ts";
import { bucketPolicyKind } from "./object-storage/bucket-policy.ts";
import { lifecycleRuleKind } from "./object-storage/lifecycle-rule.ts";
import { objectKind } from "./object-storage/object.ts";
import { objectSessionKind } from "./object-storage/object-session.ts";

/** Every implemented resource kind. Add a new one here and remove its lines in `model/not-implemented.ts`. */
export const resourceKinds: readonly ResourceKind[] = [
  signInKind,
  vpcKind,
  subnetKind,
  portKind,
  portSecurityGroupsKind,
  floatingIpKind,
  securityGroupKind,
  securityGroupRuleKind,
  sshKeyKind,
  imageKind,
  flavorKind,
  instanceKind,
  instanceTemplateKind,
  instanceBatchKind,
  volumeKind,
  volumeAttachmentKind,
  snapshotKind,
  backupKind,
  volumePolicyKind,
  bucketKind,
  bucketPolicyKind,
  lifecycleRuleKind,
  accessKeyKind,
  accountPolicyKind,
  accountPolicyAttachmentKind,
  objectSessionKind,
  objectKind,
  aiPodKind,
  aiPodCatalogueKind,
  inferenceTaskKind,
  checkpointKind,
  textKind,
  documentKind,
];
