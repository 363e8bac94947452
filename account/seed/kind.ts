import { aiPod, documentJob, inferenceTask } from "./ai.ts";
import { image, instance, instanceBatch, instanceTemplate, sshKey } from "./compute.ts";
import {
  floatingIp,
  port,
  portSecurityGroups,
  securityGroup,
  securityGroupRule,
  subnet,
  vpc,
} from "./network.ts";
import type { Convert } from "./row.ts";
import {
  accessKey,
  accountPolicy,
  accountPolicyAttachment,
  bucket,
  bucketPolicy,
  lifecycleRule,
  object,
  volume,
  volumeAttachment,
} from "./storage.ts";

/** Nothing: the object exists in the state alone. */
const stateOnly: Convert = () => ({});

/** Conversion of each kind of object. */
export const conversions: Readonly<Record<string, Convert>> = {
  vpc,
  subnet,
  "security-group": securityGroup,
  "security-group-rule": securityGroupRule,
  port,
  "floating-ip": floatingIp,
  "ssh-key": sshKey,
  volume,
  instance,
  "instance-template": instanceTemplate,
  "instance-batch": instanceBatch,
  "volume-attachment": volumeAttachment,
  "port-security-groups": portSecurityGroups,
  image,
  "ai-pod": aiPod,
  bucket,
  "bucket-policy": bucketPolicy,
  "lifecycle-rule": lifecycleRule,
  object,
  "access-key": accessKey,
  "account-policy": accountPolicy,
  "account-policy-attachment": accountPolicyAttachment,
  "inference-task": inferenceTask,
  "document-text": documentJob("extract_text"),
  "document-information": documentJob("extract_information"),
  "document-summary": documentJob("doc_summarization"),
  "document-masking": documentJob("PII_masking"),
  "text-entities": stateOnly,
  "text-language": stateOnly,
  "text-sentiment": stateOnly,
  "text-summary": stateOnly,
  "text-translation": stateOnly,
};
