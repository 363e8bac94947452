import * as z from "zod/mini";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybeText } from "../../provider/definition/validator.ts";
import { operation } from "../operation.ts";
import { flagOf, optionalNumber, optionalText, requiredText, textList } from "../parameter.ts";

const section = "11";
const noHeader = { region: false } as const;

// The forms of the responses are not known (docs/contract.md#11).
const openObject = z.record(z.string(), z.unknown());
const optionalObject = z.optional(openObject);
const listOf = (name: string) => z.union([z.array(openObject), z.object({ [name]: z.array(openObject) })]);
const read = <const R extends `GET /${string}`, A>(route: R, answer: z.ZodMiniType<A>) =>
  endpoint("read", route, answer, noHeader);

const userKrn = requiredText("KRN of the user.");
const roleKrn = requiredText("KRN of the role.");
const groupKrn = requiredText("KRN of the group.");
const ofUser = {
  parameters: { userKrn },
  request: (at: { readonly userKrn: string }) => ({ path: { user: at.userKrn } }),
};
const ofRole = {
  parameters: { roleKrn },
  request: (at: { readonly roleKrn: string }) => ({ path: { role: at.roleKrn } }),
};
const ofGroup = {
  parameters: { groupKrn },
  request: (at: { readonly groupKrn: string }) => ({ path: { group: at.groupKrn } }),
};
const pages = {
  limit: optionalNumber("Number of rows.", 1),
  offset: optionalNumber("Number of rows before them."),
};

const credentials = z.object({
  accessKey: maybeText,
  access_key: maybeText,
  secretKey: maybeText,
  secret_key: maybeText,
});
const secrets = ["secretKey", "secret_key"];
const withKey = { ...noHeader, secrets, body: json<Record<string, never>>() };
const enable = endpoint("create", "POST /iam/v1/users/programmaticAccess/{user}", credentials, withKey);
const reset = endpoint("action", "POST /iam/v1/users/resetProgrammaticAccess/{user}", credentials, withKey);
const disable = endpoint("update", "PUT /iam/v1/users/disableProgrammaticAccess/{user}", optionalObject, {
  ...noHeader,
  body: json<Record<string, never>>(),
});
const keyOf = ({ userKrn }: { readonly userKrn: string }) => ({ path: { user: userKrn }, body: {} });

/** Operations of users, roles, groups and policies. */
export const iam = {
  createUser: operation(
    endpoint("create", "POST /iam/v1/user", openObject, {
      ...noHeader,
      body: json<{ user: { userName: string; email: string; password: string; consoleAccess: boolean } }>(),
    }),
    {
      section,
      about: "Creates a user of the account.",
      parameters: {
        userName: requiredText("Name of the user."),
        email: requiredText("E-mail address of the user."),
        password: requiredText("First password of the user.", { secret: true }),
        consoleAccess: flagOf("If true, the user can sign in to the console."),
      },
      request: (user) => ({ body: { user } }),
    },
  ),
  getUser: operation(read("GET /iam/v1/users/{user}", openObject), {
    section,
    about: "Returns a user.",
    ...ofUser,
  }),
  deleteUser: operation(endpoint("delete", "DELETE /iam/v1/users/{user}", optionalObject, noHeader), {
    section,
    about: "Deletes a user.",
    ...ofUser,
  }),
  listUsers: operation(read("GET /iam/v1/users", listOf("users")), {
    section,
    about: "Lists the users of the account.",
    listing: { rows: ["users"] },
  }),
  enableProgrammaticAccess: operation(enable, {
    section,
    about: "Creates the access key of a user and returns its secret, which no later response has.",
    parameters: { userKrn },
    request: keyOf,
  }),
  resetProgrammaticAccess: operation(reset, {
    section,
    about: "Replaces the access key of a user and returns the secret of the new one.",
    parameters: { userKrn },
    request: keyOf,
  }),
  disableProgrammaticAccess: operation(disable, {
    section,
    about: "Disables the access key of a user.",
    parameters: { userKrn },
    request: keyOf,
  }),
  listRoles: operation(read("GET /iam/v1/roles", listOf("roles")), {
    section,
    about: "Lists roles.",
    parameters: pages,
    request: (query) => ({ query }),
    listing: { rows: ["roles"], page: { offset: "offset" }, size: "limit" },
  }),
  getRole: operation(read("GET /iam/v1/roles/{role}", openObject), {
    section,
    about: "Returns a role.",
    ...ofRole,
  }),
  deleteRole: operation(endpoint("delete", "DELETE /iam/v1/roles/{role}", optionalObject, noHeader), {
    section,
    about: "Deletes a role.",
    ...ofRole,
  }),
  createRole: operation(
    endpoint("create", "POST /iam/v1/role/rolepolicies", openObject, {
      ...noHeader,
      body: json<{ Role: { Name: string; Description: string | undefined }; PolicyIDs: readonly string[] }>(),
    }),
    {
      section,
      about: "Creates a role with policies.",
      parameters: {
        name: requiredText("Name of the role."),
        description: optionalText("Free-text description of the role."),
        policyIds: textList("IDs of the policies."),
      },
      request: ({ name, description, policyIds }) => ({
        body: { Role: { Name: name, Description: description }, PolicyIDs: policyIds },
      }),
    },
  ),
  attachRolePolicies: operation(
    endpoint("update", "PUT /iam/v1/urgp/role/policy", optionalObject, {
      ...noHeader,
      body: json<{ roleId: string; policyIds: readonly string[] }>(),
    }),
    {
      section,
      about: "Attaches policies to a role.",
      parameters: { roleId: requiredText("ID of the role."), policyIds: textList("IDs of the policies.") },
      request: (body) => ({ body }),
    },
  ),
  assignRolesAndGroups: operation(
    endpoint("update", "PUT /iam/v1/urgp/user/role/group", optionalObject, {
      ...noHeader,
      body: json<{ userId: string; roleIds: readonly string[]; groupIds: readonly string[] }>(),
    }),
    {
      section,
      about: "Replaces all roles and groups of a user; empty lists remove them.",
      parameters: {
        userId: requiredText("ID of the user."),
        roleIds: textList("IDs of all roles."),
        groupIds: textList("IDs of all groups."),
      },
      request: (body) => ({ body }),
    },
  ),
  listPolicies: operation(read("GET /iam/v1/policies", listOf("policies")), {
    section,
    about: "Lists policies.",
    parameters: pages,
    request: (query) => ({ query }),
    listing: { rows: ["policies"], page: { offset: "offset" }, size: "limit" },
  }),
  listGroups: operation(read("GET /iam/v1/groups", listOf("groups")), {
    section,
    about: "Lists the groups of the account.",
    listing: { rows: ["groups"] },
  }),
  createGroup: operation(
    endpoint("create", "POST /iam/v1/group", openObject, {
      ...noHeader,
      body: json<{ name: string; description: string | undefined }>(),
    }),
    {
      section,
      about: "Creates a group.",
      parameters: {
        name: requiredText("Name of the group."),
        description: optionalText("Free-text description of the group."),
      },
      request: ({ name, description }) => ({ body: { name, description } }),
    },
  ),
  getGroup: operation(read("GET /iam/v1/groups/{group}", openObject), {
    section,
    about: "Returns a group.",
    ...ofGroup,
  }),
  deleteGroup: operation(endpoint("delete", "DELETE /iam/v1/groups/{group}", optionalObject, noHeader), {
    section,
    about: "Deletes a group.",
    ...ofGroup,
  }),
  listGroupRoles: operation(read("GET /iam/v1/grouproleinfo", z.array(openObject)), {
    section,
    about: "Lists the roles of a group.",
    parameters: { groupId: requiredText("ID of the group.") },
    request: (query) => ({ query }),
    listing: { rows: [] },
  }),
  listUserGroups: operation(read("GET /iam/v1/usergroup", z.array(openObject)), {
    section,
    about: "Lists the groups of a user.",
    parameters: { userId: requiredText("ID of the user.") },
    request: (query) => ({ query }),
    listing: { rows: [] },
  }),
  listUserRoles: operation(read("GET /iam/v1/userrole", z.array(openObject)), {
    section,
    about: "Lists the roles of a user.",
    parameters: { userId: requiredText("ID of the user.") },
    request: (query) => ({ query }),
    listing: { rows: [] },
  }),
};
