import type { Resource } from "../provider/definition/resource.ts";
import { accessKey } from "./access-key.ts";
import { accountPolicy } from "./account-policy.ts";
import { accountPolicyAttachment } from "./account-policy-attachment.ts";
import { aiPod } from "./ai-pod.ts";
import { bucket } from "./bucket.ts";
import { bucketPolicy } from "./bucket-policy.ts";
import { documentInformation } from "./document-information.ts";
import { documentMasking } from "./document-masking.ts";
import { documentSummary } from "./document-summary.ts";
import { documentText } from "./document-text.ts";
import { floatingIp } from "./floating-ip.ts";
import { image } from "./image.ts";
import { inferenceTask } from "./inference-task.ts";
import { instance } from "./instance.ts";
import { instanceBatch } from "./instance-batch.ts";
import { instanceTemplate } from "./instance-template.ts";
import { lifecycleRule } from "./lifecycle-rule.ts";
import { object } from "./object.ts";
import { port } from "./port.ts";
import { portSecurityGroups } from "./port-security-groups.ts";
import { securityGroup } from "./security-group.ts";
import { securityGroupRule } from "./security-group-rule.ts";
import { sshKey } from "./ssh-key.ts";
import { subnet } from "./subnet.ts";
import { textEntities } from "./text-entities.ts";
import { textLanguage } from "./text-language.ts";
import { textSentiment } from "./text-sentiment.ts";
import { textSummary } from "./text-summary.ts";
import { textTranslation } from "./text-translation.ts";
import { volume } from "./volume.ts";
import { volumeAttachment } from "./volume-attachment.ts";
import { vpc } from "./vpc.ts";

/** All managed resources: the list for all adapters, generators and tests. */
export const resources: readonly Resource[] = [
  vpc,
  subnet,
  port,
  portSecurityGroups,
  floatingIp,
  securityGroup,
  securityGroupRule,
  sshKey,
  volume,
  instance,
  volumeAttachment,
  image,
  instanceTemplate,
  instanceBatch,
  aiPod,
  bucket,
  bucketPolicy,
  lifecycleRule,
  object,
  accessKey,
  accountPolicy,
  accountPolicyAttachment,
  inferenceTask,
  textLanguage,
  textEntities,
  textSummary,
  textTranslation,
  textSentiment,
  documentText,
  documentInformation,
  documentSummary,
  documentMasking,
];
