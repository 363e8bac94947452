import type { Method, OperationName } from "./operation.ts";

/**
 * Operations of the contract that the emulator does not implement, by section: source, name, method, path. They return
 * 501. Remove the line of an operation when you implement it.
 */
const linesBySection: Readonly<Record<string, readonly string[]>> = {
  "11": [
    "client create_user POST /iam/v1/user",
    "client get_user GET /iam/v1/users/{user}",
    "client delete_user DELETE /iam/v1/users/{user}",
    "client list_users GET /iam/v1/users",
    "client enable_programmatic_access POST /iam/v1/users/programmaticAccess/{user}",
    "client reset_programmatic_access POST /iam/v1/users/resetProgrammaticAccess/{user}",
    "client disable_programmatic_access PUT /iam/v1/users/disableProgrammaticAccess/{user}",
    "client list_roles GET /iam/v1/roles",
    "client get_role GET /iam/v1/roles/{role}",
    "client delete_role DELETE /iam/v1/roles/{role}",
    "client create_role POST /iam/v1/role/rolepolicies",
    "client attach_role_policies PUT /iam/v1/urgp/role/policy",
    "client assign_roles_and_groups PUT /iam/v1/urgp/user/role/group",
    "client list_policies GET /iam/v1/policies",
    "client list_groups GET /iam/v1/groups",
    "client create_group POST /iam/v1/group",
    "client get_group GET /iam/v1/groups/{group}",
    "client delete_group DELETE /iam/v1/groups/{group}",
    "client list_group_roles GET /iam/v1/grouproleinfo",
    "client list_user_groups GET /iam/v1/usergroup",
    "client list_user_roles GET /iam/v1/userrole",
  ],
  "18": [
    "client create_load_balancer POST /v3/highlvl/create_load_balancer_orchestration",
    "client update_load_balancer PUT /v3/highlvl/update_load_balancer/{load_balancer}",
    "client delete_load_balancer DELETE /v3/highlvl/loadbalancer/{load_balancer}",
    "client list_load_balancers GET /v3/highlvl/get_lb_list_new/{vpc}",
    "client get_load_balancer GET /v3/highlvl/lb_details_new/{load_balancer}",
    "client get_load_balancer_payload GET /v3/highlvl/fetch_payload_multiple/{load_balancer}",
    "client get_load_balancer_task GET /v3/highlvl/task_status/{task}",
    "client create_target_group POST /v1/highlvl/create_target_group",
    "client update_target_group PUT /v1/highlvl/updatetg",
    "client list_target_groups GET /v1/highlvl/get_tg_list",
    "client get_target_groups GET /v1/highlvl/get_target_groups",
    "client list_target_group_names GET /v1/highlvl/get_target_group_names",
    "client delete_target_group DELETE /v1/highlvl/target_group",
    "client create_zone POST /dns/v1/zone",
    "client list_zones GET /dns/v1/zones",
    "client get_zone GET /dns/v1/zone/{zone}",
    "client delete_zone DELETE /dns/v1/zone/{zone}",
    "client create_record POST /dns/v1/record",
    "client list_records GET /dns/v1/records/{zone}",
    "client update_record PUT /dns/v1/record/{record}",
    "client delete_record DELETE /dns/v1/record/{record}",
    "client attach_zone_vpc POST /dns/v1/zone/{zone}/vpc",
    "client detach_zone_vpc DELETE /dns/v1/zone/{zone}/vpc",
    "client create_cluster POST /v1/kks/clusters",
    "client list_clusters GET /v1/kks/clusters",
    "client get_cluster GET /v1/kks/clusters/{cluster}",
    "client delete_cluster DELETE /v1/kks/clusters/{cluster}",
    "client import_certificate POST /kcm/v1/certs/import",
    "client list_certificates GET /kcm/v1/certs",
    "client update_certificate PUT /kcm/v1/certs/{certificate}",
    "client delete_certificate DELETE /kcm/v1/certs/{certificate}",
    "client create_scaling_group POST /asg/v1",
    "client get_scaling_group GET /asg/v1/retrieve_asg",
    "client delete_scaling_group DELETE /asg/v1/delete_asg/{scaling_group}",
    "client create_sandbox POST /omni/sandbox/v1/sandbox",
    "client list_sandboxes GET /omni/sandbox/v1/sandbox",
    "client get_sandbox GET /omni/sandbox/v1/sandbox/{sandbox}",
    "client delete_sandbox DELETE /omni/sandbox/v1/sandbox/{sandbox}",
  ],
};

function parseLine(section: string, line: string): OperationName {
  const [source = "", name = "", method = "", target = ""] = line.split(" ");
  const [path = "", query = ""] = target.split("?");
  const select = Object.fromEntries(new URLSearchParams(query));
  return {
    name,
    method: method as Method,
    path,
    ...(query !== "" && { select }),
    section,
    source: source === "seed" ? "seed" : "client",
  };
}

export const notImplemented: readonly OperationName[] = Object.entries(linesBySection).flatMap(
  ([section, lines]) => lines.map((line) => parseLine(section, line)),
);
