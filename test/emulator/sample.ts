import { accountHeader, image, publicKey, region } from "./client.ts";

/**
 * One accepted request of each operation with every field of the contract, in an order in which each finds its objects. In the
 * names of fields, `?` marks an optional one, and `~` an optional one that may be an empty text. Texts such as `{subnet}` stand
 * for the KRN of the first object of a kind, `{volume data}` for the one of that name, `{vpc.routerKrn}` for one of its fields,
 * and `{create_vpc.task_id}` for a value in an earlier response.
 */

export type Fields = { readonly [name: string]: unknown };

/** Request of an operation, without its route. */
export type Sample = {
  readonly path?: Fields;
  readonly headers?: Fields;
  readonly query?: Fields;
  readonly body?: Fields;
  /** Fields of a multipart form; an object is a file with its name and text. */
  readonly form?: Fields;
  /** Content as the body. */
  readonly bytes?: string;
};

const regional = { headers: { "x-region": region } };
const tenant = { headers: { "k-tenant-id": "{vpc}", "x-region?": region } };
const anyTenant = { headers: { "k-tenant-id?": "{vpc}", "x-region?": region } };
const account = { headers: accountHeader };
const bucket = { headers: { ...accountHeader, "x-region-id?": region }, path: { bucket: "{bucket}" } };
const inSession = {
  path: bucket.path,
  headers: { ...bucket.headers, "x-session-token": "{activate_session.sessionToken}" },
};
const user = { headers: { "x-user": "ada" } };
const volume = { ...tenant, path: { volume: "{volume data}" } };
const customer = "00000000-0000-4000-8000-000000000000";
const subnet = { name: "lan-subnet", cidr: "10.0.0.0/24" };

const rule = {
  direction: "ingress",
  ethertypes: "ipv4",
  protocol: "tcp",
  portMinRange: 80,
  portMaxRange: 443,
  remoteIPPrefix: "0.0.0.0/0",
};

const machine = {
  instanceType: "c1.small",
  region,
  vpc_id: "{vpc}",
  subnet_id: "{subnet}",
  sshkey_name: "ci",
  security_groups: ["{security_group web}"],
  "user_data~": "#cloud-config",
  "isGpu?": false,
};

const instance = (instanceName: string) => ({
  ...machine,
  instanceName,
  "image_krn?": image,
  "volume_name?": `${instanceName}-disk`,
  "volume_size?": 50,
  "volumetype?": "ssd",
  "volumes?": [],
  "floating_ip?": true,
  "delete_on_termination?": true,
  "tags?": [{ key: "team", value: "web" }],
  "count?": 1,
  "port_krn~": "",
  "easydeploy_type~": "",
  "gateway_password~": "",
  "model_name~": "",
  "model_api_key~": "",
  "timeout?": 600,
});

const copy = { "description~": "before", volume_id: "{volume data}", "force?": true };
const policy = { "_id~": "p1", name: "readers", statements: "{}", "conditions~": "{}", "accountId~": "" };
const lifecycle = {
  name: "old",
  "attribute~": "logs/",
  "enabled?": true,
  "delete_incomplete_mpu?": 1,
  "newer_noncurrent_versions?": 2,
  "noncurrent_days?": 3,
  "expiration_days?": 4,
  "expired_obj_delete_marker?": false,
};
const hosts = { s3_read_write_ips: ["192.0.2.0/24"], s3_read_only_ips: ["198.51.100.7"] };
const document = { file_content: "TmFtZTogQWRh", language: "english", file_type: "Digital" };
const signed = (address: string) => ({
  query: { expires: `{${address}?expires}`, token: `{${address}?token}` },
});
const object = { bucket: "{bucket}", object: "a/b.txt" };

/** Requests by the name of their operation. A name with a word behind it repeats the operation for later ones. */
export const samples: Readonly<Record<string, Sample>> = {
  sign_in_root: { body: { email: "user@example.com", password: "emulator-password" } },
  sign_in_user: {
    body: { email: "user@example.com", password: "emulator-password", accountId: "000000000000" },
  },
  sign_in_programmatic: {
    body: { accountId: "000000000000", accessKey: "emulator-access-key", secretKey: "emulator-secret-key" },
  },
  create_api_key: {
    headers: { ...regional.headers, authorization: "Bearer {sign_in_root.access_token}" },
    body: { apiKeyName: "ci" },
  },
  create_vpc: {
    ...regional,
    body: {
      vpc: { name: "lan", "description~": "", "enabled?": true },
      network: { name: "lan-network", "admin_state_up?": true },
      subnet: {
        "name~": subnet.name,
        "cidr~": subnet.cidr,
        "gateway_ip~": "10.0.0.1",
        "description~": "",
        "ip_version?": 4,
        "ingress?": true,
        "egress?": false,
      },
      security_group: { name: "default", "description~": "" },
      security_group_rule: rule,
    },
  },
  "create_vpc other": {
    ...regional,
    body: { vpc: { name: "other" }, network: { name: "other" }, subnet: {} },
  },
  get_vpc_task_status: { ...regional, body: { task_id: "{create_vpc.task_id}" } },
  get_vpc: { ...regional, body: { "vpc_id?": "{vpc}", "vpc_name~": "lan" } },
  describe_vpc: { ...regional, query: { "vpc_id~": "{vpc}", "vpc_name~": "lan" } },
  get_vpc_list: regional,
  search_vpc: {
    headers: { "x-region?": region },
    query: { "page?": "1", "size?": "5", "name~": "la", "status~": "active" },
  },
  search_vpc_v2: {
    ...regional,
    query: { "name~": "", "status~": "", "count~": "true", "sort_by?": "createdAt", "order?": "desc" },
  },
  create_subnet: {
    ...regional,
    body: {
      vpc_id: "{vpc}",
      "router_krn?": "{vpc.routerKrn}",
      subnet_data: {
        name: "second",
        cidr: "10.0.1.0/24",
        ip_version: 4,
        "gateway_ip~": "10.0.1.9",
        "description~": "second",
        "ingress?": true,
        "egress?": true,
        "network_id?": "{network}",
      },
    },
  },
  search_subnet: { ...regional, query: { vpc_id: "{vpc}", "page?": "1", "size?": "9" } },
  search_network: { ...regional, query: { vpc_id: "{vpc}" } },
  create_security_group: {
    ...regional,
    body: { name: "web", "description~": "for the web", vpcid: "{vpc}", "type?": "custom" },
  },
  create_rule: { ...regional, body: { ...rule, "vpcid?": "{vpc}", "description~": "https" } },
  attach_rule: {
    ...regional,
    body: { ruleid: "{create_rule.result.id}", securityid: "{security_group web}", vpcid: "{vpc}" },
  },
  list_security_groups: {
    ...regional,
    path: { vpc: "{vpc}" },
    query: { "limit?": "5", "page?": "1", "sortBy?": "name", "sortOrder?": "desc" },
  },
  create_ssh_key: {
    headers: { ...regional.headers, "k-customer-id?": customer },
    body: { keyName: "ci", publicKey },
  },
  list_ssh_keys: {
    ...regional,
    path: { customer },
    query: { "sortBy?": "createdAt", "sortOrder?": "asc", "page?": "1", "limit?": "5" },
  },
  search_ssh_keys: { headers: { "x-region?": region }, query: { "keyName~": "ci" } },
  list_flavors: { ...regional, query: { "type?": "GPU" } },
  list_images: { path: { region }, query: { "region_id~": region, "page?": "1", "limit?": "1" } },
  list_disk_formats: {},
  import_image: {
    path: { region },
    form: { diskFormat: "qcow2", image: "https://images.example/debian.qcow2" },
  },
  upload_image: { path: { region }, form: { diskFormat: "raw", image: { filename: "own.raw", text: "x" } } },
  create_port: {
    ...regional,
    body: {
      name: "reserved",
      vpc_id: "{vpc}",
      network_id: "{network}",
      subnet_id: "{subnet}",
      floating_ip: true,
    },
  },
  create_instance: { ...regional, body: instance("vm") },
  get_instance_task_status: {
    headers: { "x-region?": region },
    query: { task_id: "{create_instance.task_id}" },
  },
  create_instance_sync: { body: { ...instance("sync"), "floating_ip?": false, "network_id~": "{network}" } },
  search_instances: {
    ...regional,
    query: {
      vpc_id: "{vpc}",
      "page?": "1",
      "limit?": "5",
      "krn~": "{instance}",
      "name~": "vm",
      "ip_fixed~": "10.0.0.3",
      "ip_floating~": "198.18.0.2",
    },
  },
  get_instance: { ...regional, query: { krn: "{instance}" } },
  list_running_instances: { ...regional, query: { vpc_id: "{vpc}", "page?": "1", "pageSize?": "5" } },
  control_instance: { ...regional, path: { instance: "{instance}" }, body: { action: "reboot" } },
  create_image: {
    ...regional,
    path: { instance: "{instance}" },
    body: { name: "golden", "instance_krn?": "{instance}", "description~": "" },
  },
  search_port: {
    ...regional,
    query: {
      "port_id~": "{port}",
      "name~": "reserved",
      "network_id~": "{network}",
      "vpc_id~": "{vpc}",
      "status~": "down",
      "page?": "1",
      "size?": "5",
    },
  },
  attach_floating_ip: {
    ...regional,
    body: { attach_port: "{port}", detach_port: "{create_instance_sync.port_krn}" },
  },
  update_port_security_groups: {
    ...regional,
    path: { port: "{port}" },
    body: { security_groups: ["{security_group web}"] },
  },
  list_floating_ips: { ...regional, query: { vpc_id: "{vpc}" } },
  detach_floating_ip: { ...regional, path: { port: "{create_instance_sync.port_krn}" } },
  delete_floating_ip: { ...regional, query: { floating_ip_krn: "{floating_ip}" } },
  create_template: {
    ...regional,
    body: {
      ...machine,
      name: "web",
      image_krn: image,
      volumetype: "ssd",
      volume_size: 50,
      volume_name: "web",
    },
  },
  list_templates: { ...regional, query: { "page?": "1", "limit?": "5" } },
  get_template: { ...regional, query: { template_krn: "{template}" } },
  batch_create_instances: {
    ...regional,
    body: { template_krn: "{template}", count: 2, instanceName: "web" },
  },
  create_volume: {
    ...anyTenant,
    body: {
      name: "data",
      size: 10,
      volumetype: "ssd",
      availability_zone: "nova",
      "multiattach?": true,
      "description~": "for data",
      "metadata?": { team: "web" },
      "qos?": {
        "bandwidth?": { "read_bytes_sec?": 1, "write_bytes_sec?": 2 },
        "iops?": { "read_iops_sec?": 3, "write_iops_sec?": 4 },
      },
      "source?": { id: image, type: "image" },
    },
  },
  list_volume_types: tenant,
  attach_volume: {
    ...volume,
    body: { input: { instanceId: "{instance}", "mountPartition?": "/dev/vdb" } },
  },
  get_volume: { ...anyTenant, path: volume.path },
  list_volumes: tenant,
  "get_instance attached": { ...regional, query: { krn: "{instance}" } },
  detach_volume: {
    ...volume,
    body: {
      input: { instanceId: "{instance}", attachment_id: "{get_volume.attachments.0.remote_attachment_id}" },
    },
  },
  update_volume: {
    ...volume,
    body: { volume: { "name?": "data", "description~": "new", "metadata?": { team: "db" } } },
  },
  extend_volume: { ...volume, body: { input: { newSize: 20 } } },
  change_volume_type: { ...volume, body: { volume_type: "HNSS_Encrypted" } },
  create_snapshot: { ...tenant, body: { name: "daily", ...copy } },
  list_snapshots: tenant,
  get_snapshot: { ...tenant, path: { snapshot: "{snapshot}" } },
  update_snapshot: {
    ...tenant,
    path: { snapshot: "{snapshot}" },
    body: { "name?": "daily-2", "description~": "after" },
  },
  delete_snapshot: { ...tenant, path: { snapshot: "{snapshot}" } },
  create_backup: { ...tenant, body: { name: "weekly", ...copy, "incremental?": true } },
  list_backups: tenant,
  get_backup: { ...tenant, path: { backup: "{backup}" } },
  restore_backup: {
    ...tenant,
    path: { backup: "{backup}" },
    body: { "volume_id?": "{volume data}", "name?": "again" },
  },
  delete_backup: { ...tenant, path: { backup: "{backup}" } },
  create_snapshot_policy: {
    ...volume,
    body: { name: "nightly", cron: "0 2 * * *", max_snapshots_allowed: 7 },
  },
  create_backup_policy: { ...volume, body: { name: "nightly", cron: "0 3 * * *", max_backups_allowed: 5 } },
  "get_volume changed": { ...anyTenant, path: volume.path },
  delete_snapshot_policy: volume,
  delete_backup_policy: volume,
  create_access_key: { ...account, body: { "key_name?": "ci", "region?": region } },
  list_access_keys: account,
  activate_session: {
    ...account,
    body: { accessKey: "{create_access_key.access_key}", secretKey: "{create_access_key.secret_key}" },
  },
  create_bucket: {
    headers: { ...bucket.headers, "x-tier?": "slow" },
    body: {
      name: "data",
      "description~": "for data",
      "tags?": { team: "web" },
      "versioning?": true,
      "anonymous_access?": false,
      "region?": region,
      "tier?": "fast",
    },
  },
  list_buckets: {
    ...account,
    query: { "page?": "1", "page_size?": "5", "name_filter~": "data", "refresh?": "true" },
  },
  get_bucket: { ...account, path: bucket.path },
  update_bucket: {
    ...bucket,
    body: { "tags?": { team: "db" }, "versioning?": false, "anonymous_access?": true },
  },
  create_bucket_policy: { ...bucket, body: hosts },
  get_bucket_policy: { ...account, path: bucket.path },
  update_bucket_policy: { ...bucket, body: hosts },
  delete_bucket_policy: bucket,
  create_lifecycle_rule: { ...bucket, body: lifecycle },
  list_lifecycle_rules: { ...account, path: bucket.path },
  get_lifecycle_rule: { ...account, path: { ...bucket.path, rule: "{create_lifecycle_rule.id}" } },
  update_lifecycle_rule: {
    ...account,
    path: { ...bucket.path, rule: "{create_lifecycle_rule.id}" },
    body: { ...lifecycle, name: "older", "enabled?": false },
  },
  delete_lifecycle_rule: { ...bucket, path: { ...bucket.path, rule: "{create_lifecycle_rule.id}" } },
  upload_object: { ...inSession, body: { prefix: object.object } },
  put_object_content: {
    headers: { "content-type?": "text/csv" },
    path: object,
    ...signed("upload_object.preSignedUrl"),
    bytes: "a,b",
  },
  list_objects: { ...inSession, query: { "prefix~": "a/" } },
  get_object_metadata: { ...inSession, body: { objectkey: object.object } },
  download_object: { ...inSession, body: { objectkey: object.object } },
  get_object_content: { path: object, ...signed("download_object.preSignedUrl") },
  presign_object: { ...inSession, body: { objectkey: object.object } },
  move_object: {
    ...inSession,
    body: { sourceKey: object.object, destinationKey: "a/c.txt", "action?": "copy" },
  },
  rename_object: { ...inSession, body: { oldKey: "a/c.txt", newKey: "d.txt" } },
  "list_objects all": { ...inSession, query: {} },
  delete_object: { ...inSession, body: { objectkey: "d.txt" } },
  "delete_object other": { ...inSession, body: { objectkey: object.object } },
  get_session_status: { path: { session_token: "{activate_session.sessionToken}" } },
  refresh_session: {
    path: { session_token: "{activate_session.sessionToken}" },
    body: { refreshToken: "{activate_session.refreshToken}" },
  },
  deactivate_session: { path: { session_token: "{refresh_session.sessionToken}" } },
  delete_bucket: { ...bucket, body: { otp: "{otp}" } },
  delete_access_key: {
    ...account,
    path: { access_key: "{create_access_key.access_key}" },
    body: { otp: "{otp}" },
  },
  delete_all_access_keys: account,
  create_account_policy: { ...account, body: { ...policy, "policyKRN~": "" } },
  list_account_policies: account,
  get_account_policy: { ...account, path: { policy: "{account_policy}" } },
  update_account_policy: { ...account, path: { policy: "{account_policy}" }, body: policy },
  attach_account_policy: { ...account, body: { policyKRNs: ["{account_policy}"] } },
  detach_account_policy: { ...account, body: { kcid: "me", policyKRNs: ["{account_policy}"] } },
  delete_account_policy: { ...account, path: { policy: "{account_policy}" } },
  list_pod_templates: {},
  list_pod_flavors: {},
  list_gpu_resources: {},
  list_sandbox_templates: {},
  create_pod: {
    body: {
      pod_name: "trainer",
      "pod_template_id?": 1,
      flavor_name: "p1.small",
      "sshkey_name~": "ci",
      "container_disk_size?": "20",
      "volume_disk_size?": "50",
      "volume_mount_path~": "/workspace",
      "expose_http_ports~": "8888",
      "expose_tcp_ports~": "22,80",
      "has_encrypt_volume?": false,
      "has_jupyter_notebook?": true,
      "has_ssh_access?": true,
      region,
      "environment_variables?": [{ name: "MODE", value: "fast" }],
      "category?": "aipod",
    },
  },
  get_pod: { path: { pod: "{ai_pod}" } },
  update_pod: { path: { pod: "{ai_pod}" }, body: { action: "restart" } },
  delete_pod: { path: { pod: "{ai_pod}" } },
  create_inference_task: {
    ...user,
    body: {
      "task_name?": "chat",
      "namespace?": "mine",
      "priority?": 3,
      "model?": "chat",
      "checkpoint?": "chat-small-001",
      "ngpu?": 1,
    },
  },
  list_inference_tasks: user,
  get_inference_task: { ...user, path: { task: "{create_inference_task.id}" } },
  cancel_inference_task: { ...user, path: { task: "{create_inference_task.id}" } },
  list_checkpoints: user,
  delete_checkpoint: { ...user, path: { checkpoint: "chat-small-002" } },
  "list_checkpoints fewer": user,
  detect_language: { body: { query: "नमस्ते दुनिया and hello" } },
  extract_entities: {
    body: {
      text: "Yesterday Ada Lovelace damn wrote to ada@example.org or +91 98765 43210?",
      lang_from: "hin",
      param_list: ["keywords", "profanity", "ner", "task_type", "pii"],
    },
  },
  summarize: {
    body: { text: "One two three. Four five. Six seven.", input_language: "eng", summary_size: 5 },
  },
  translate: { body: { text: "hello", src_language: "eng_Latn", tgt_language: "hin_Deva", model: "any" } },
  analyze_sentiment: { body: { text: "It is good, I love it", lang_from: "eng" } },
  extract_document_text: { body: document },
  extract_document_information: {
    body: { ...document, entities: ["PII", "NER", "key_value"], "keys_to_extract?": ["Name"] },
  },
  summarize_document: { body: { ...document, word_count_for_summarization: 1 } },
  mask_document: { body: { ...document, keys_to_mask: ["Name"] } },
  get_document_status: { query: { file_id: "{extract_document_information.data.file_id}" } },
  get_document_result: {
    path: { file: "{extract_document_information.data.file_id}" },
    ...signed("get_document_status.data.output_file"),
  },
  delete_image: { path: { image: "{image}" }, query: { "snapshot_krn~": "" } },
  delete_template: { ...regional, query: { template_krn: "{template}" } },
  delete_volume: { ...anyTenant, ...{ path: volume.path }, query: {} },
  delete_instance: { ...regional, query: { instanceKrn: "{instance}", "deleteVolume?": "true" } },
  delete_instance_sync: { query: { instanceKrn: "{instance sync}", "deleteVolume?": "false" } },
  delete_subnet: { ...regional, query: { vpc_id: "{vpc}", subnet_id: "{subnet second}" } },
  detach_rule: {
    ...regional,
    body: { ruleid: "{create_rule.result.id}", securityid: "{security_group web}", vpcid: "{vpc}" },
  },
  delete_rule: { ...regional, path: { rule: "{create_rule.result.id}" } },
  delete_ssh_key: {
    headers: { ...regional.headers, "k-customer-id?": customer },
    path: { uuid: "{create_ssh_key.uuid}" },
  },
  delete_security_group: { ...regional, path: { group: "{security_group default}" } },
  delete_vpc: { ...regional, query: { vpc_id: "{vpc other}" } },
};
