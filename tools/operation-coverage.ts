import { terraformType } from "../provider/core/name.ts";

/** Maps the operations of the API's interface documents to the definitions that send them. */

/** Kind of a definition in Terraform, and its name in the sources. */
export type Covering =
  | "provider"
  | `${"resource" | "data source" | "action" | "ephemeral resource"} ${string}`;

const inSession = ["provider", "ephemeral resource object-session"] as const;

/** Covering definitions by operation; resources first. */
export const coverage: { readonly [operation: string]: readonly Covering[] } = {
  sign_in_root: ["provider", "ephemeral resource access-token"],
  create_vpc: ["resource vpc"],
  get_vpc_task_status: ["resource vpc"],
  get_vpc: ["resource vpc", "resource subnet"],
  get_vpc_list: ["resource vpc", "data source vpc", "data source vpcs"],
  delete_vpc: ["resource vpc"],
  create_subnet: ["resource subnet"],
  update_port_security_groups: ["resource port-security-groups"],
  create_security_group: ["resource security-group"],
  list_security_groups: ["resource security-group", "resource security-group-rule"],
  delete_security_group: ["resource security-group"],
  create_rule: ["resource security-group-rule"],
  attach_rule: ["resource security-group-rule"],
  detach_rule: ["resource security-group-rule"],
  delete_rule: ["resource security-group-rule"],
  create_instance: ["resource instance"],
  search_instances: ["resource instance", "resource instance-batch"],
  get_instance: ["resource instance"],
  delete_instance: ["resource instance", "resource instance-batch"],
  create_template: ["resource instance-template"],
  list_templates: ["resource instance-template"],
  get_template: ["resource instance-template"],
  delete_template: ["resource instance-template"],
  batch_create_instances: ["resource instance-batch"],
  create_volume: ["resource volume"],
  get_volume: ["resource volume", "resource volume-attachment"],
  list_volumes: ["resource volume", "data source volumes"],
  delete_volume: ["resource volume"],
  attach_volume: ["resource volume-attachment"],
  detach_volume: ["resource volume-attachment"],
  list_buckets: ["resource bucket", "data source buckets"],
  create_bucket: ["resource bucket"],
  get_bucket: ["resource bucket"],
  update_bucket: ["resource bucket"],
  delete_bucket: ["resource bucket"],
  list_access_keys: ["resource access-key", "action access-key-delete-all"],
  create_access_key: ["resource access-key"],
  delete_access_key: ["resource access-key"],
  delete_all_access_keys: ["action access-key-delete-all"],
  list_lifecycle_rules: ["resource lifecycle-rule"],
  create_lifecycle_rule: ["resource lifecycle-rule"],
  get_lifecycle_rule: ["resource lifecycle-rule"],
  update_lifecycle_rule: ["resource lifecycle-rule"],
  delete_lifecycle_rule: ["resource lifecycle-rule"],
  get_bucket_policy: ["resource bucket-policy"],
  create_bucket_policy: ["resource bucket-policy"],
  update_bucket_policy: ["resource bucket-policy"],
  delete_bucket_policy: ["resource bucket-policy"],
  list_account_policies: ["resource account-policy"],
  create_account_policy: ["resource account-policy"],
  get_account_policy: ["resource account-policy"],
  update_account_policy: ["resource account-policy"],
  delete_account_policy: ["resource account-policy"],
  attach_account_policy: ["resource account-policy-attachment"],
  detach_account_policy: ["resource account-policy-attachment"],
  activate_session: inSession,
  refresh_session: inSession,
  deactivate_session: inSession,
  get_session_status: inSession,
  list_objects: ["resource object", "data source objects"],
  upload_object: ["resource object"],
  delete_object: ["resource object"],
  download_object: ["data source object-content", "ephemeral resource object-address"],
  get_object_metadata: ["resource object", "data source object-content"],
  move_object: ["action object-move"],
  rename_object: ["resource object", "action object-rename"],
  create_pod: ["resource ai-pod"],
  update_pod: ["resource ai-pod", "action ai-pod-start", "action ai-pod-stop", "action ai-pod-restart"],
  delete_pod: ["resource ai-pod"],
  create_inference_task: ["resource inference-task"],
  list_inference_tasks: ["resource inference-task", "data source inference-tasks"],
  get_inference_task: ["resource inference-task", "data source inference-task"],
  cancel_inference_task: ["resource inference-task"],
  list_checkpoints: ["data source checkpoints", "action checkpoint-delete"],
  delete_checkpoint: ["action checkpoint-delete"],
  detect_language: ["resource text-language"],
  extract_entities: ["resource text-entities"],
  summarize: ["resource text-summary"],
  translate: ["resource text-translation"],
  analyze_sentiment: ["resource text-sentiment"],
  extract_document_text: ["resource document-text"],
  extract_document_information: ["resource document-information"],
  summarize_document: ["resource document-summary"],
  mask_document: ["resource document-masking"],
  get_document_status: [
    "resource document-text",
    "resource document-information",
    "resource document-summary",
    "resource document-masking",
    "data source document-result",
    "ephemeral resource document-result",
  ],
};

/** Splits a covering definition into its kind and its name. */
export function partsOf(covering: Covering): { readonly kind: string; readonly name: string } {
  const at = covering.lastIndexOf(" ");
  return at < 0
    ? { kind: covering, name: "" }
    : { kind: covering.slice(0, at), name: covering.slice(at + 1) };
}

/** Formats covering definitions for a page: `kcloud_volume`, then those of other kinds with their kind. */
export const coveringText = (covering: readonly Covering[]): string =>
  covering
    .map(partsOf)
    .map(({ kind, name }) =>
      kind === "provider"
        ? "the provider itself"
        : `${kind === "resource" ? "" : `${kind} `}\`${terraformType(name)}\``,
    )
    .join(", ");
