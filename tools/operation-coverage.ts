import { hyphenated, terraformType } from "../provider/core/name.ts";
import { resources } from "../resources/index.ts";

/** Maps the operations of the API's interface documents to the definitions that send them. */

/** Kind of a definition in Terraform, and its name in the sources. */
export type Covering =
  | "provider"
  | `${"resource" | "data source" | "action" | "ephemeral resource"} ${string}`;

const inSession = ["provider", "ephemeral resource object-session"] as const;

/**
 * Covering definitions by operation, resources first. An operation that is not listed is sent by the resource of its kind
 * alone.
 */
export const exceptions: { readonly [operation: string]: readonly Covering[] } = {
  sign_in_root: ["provider", "ephemeral resource access-token"],
  get_vpc: ["resource vpc", "resource subnet"],
  get_vpc_list: ["resource vpc", "data source vpc", "data source vpcs"],
  list_security_groups: ["resource security-group", "resource security-group-rule"],
  search_instances: ["resource instance", "resource instance-batch"],
  delete_instance: ["resource instance", "resource instance-batch"],
  get_volume: ["resource volume", "resource volume-attachment"],
  list_volumes: ["resource volume", "data source volumes"],
  list_buckets: ["resource bucket", "data source buckets"],
  list_access_keys: ["resource access-key", "action access-key-delete-all"],
  delete_all_access_keys: ["action access-key-delete-all"],
  activate_session: inSession,
  refresh_session: inSession,
  deactivate_session: inSession,
  get_session_status: inSession,
  list_objects: ["resource object", "data source objects"],
  download_object: ["data source object-content", "ephemeral resource object-address"],
  get_object_metadata: ["resource object", "data source object-content"],
  move_object: ["action object-move"],
  rename_object: ["resource object", "action object-rename"],
  update_pod: ["resource ai-pod", "action ai-pod-start", "action ai-pod-stop", "action ai-pod-restart"],
  list_inference_tasks: ["resource inference-task", "data source inference-tasks"],
  get_inference_task: ["resource inference-task", "data source inference-task"],
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

/**
 * Returns the definitions that send an operation, `name`, of a resource kind of the emulator, as `ssh_key`. Throws if no
 * resource has the name of the kind, and the operation is not listed above.
 */
export function coveringOf({ name, kind = "" }: { readonly name: string; readonly kind?: string }) {
  const resource = hyphenated(kind);
  const covering: readonly Covering[] | undefined =
    exceptions[name] ??
    (resources.some((one) => one.name === resource) ? [`resource ${resource}`] : undefined);
  if (covering === undefined)
    throw new Error(`no definition is named for ${name} in tools/operation-coverage.ts`);
  return covering;
}

/** Splits a covering definition into its kind and its name. */
export function partsOf(covering: Covering): { readonly kind: string; readonly name: string } {
  const space = covering.lastIndexOf(" ");
  return space < 0
    ? { kind: covering, name: "" }
    : { kind: covering.slice(0, space), name: covering.slice(space + 1) };
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
