import * as z from "zod/mini";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybeText } from "../../provider/definition/validator.ts";
import { operation } from "../operation.ts";
import { maybeAmountOf, maybeWord, switchOf, word, words } from "../parameter.ts";

const section = "11";
const noHeader = { region: false } as const;

// The forms of the responses are not known (docs/contract.md#11).
const shown = z.record(z.string(), z.unknown());
const done = z.optional(shown);
const listOf = (name: string) => z.union([z.array(shown), z.object({ [name]: z.array(shown) })]);
const read = <const R extends `GET /${string}`, A>(route: R, answer: z.ZodMiniType<A>) =>
  endpoint("read", route, answer, noHeader);

const userKrn = word("KRN of the user.");
const roleKrn = word("KRN of the role.");
const groupKrn = word("KRN of the group.");
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
  limit: maybeAmountOf("Number of rows.", 1),
  offset: maybeAmountOf("Number of rows before them."),
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
const disable = endpoint("update", "PUT /iam/v1/users/disableProgrammaticAccess/{user}", done, {
  ...noHeader,
  body: json<Record<string, never>>(),
});
const keyOf = ({ userKrn }: { readonly userKrn: string }) => ({ path: { user: userKrn }, body: {} });

/** Operations of users, roles, groups and policies. */
export const iam = {
  createUser: operation(
    endpoint("create", "POST /iam/v1/user", shown, {
      ...noHeader,
      body: json<{ user: { userName: string; email: string; password: string; consoleAccess: boolean } }>(),
    }),
    {
      section,
      about: "Creates a user of the account.",
      parameters: {
        userName: word("Name of the user."),
        email: word("E-mail address of the user."),
        password: word("First password of the user.", { secret: true }),
        consoleAccess: switchOf("If true, the user can sign in to the console."),
      },
      request: (user) => ({ body: { user } }),
    },
  ),
  getUser: operation(read("GET /iam/v1/users/{user}", shown), {
    section,
    about: "Returns a user.",
    ...ofUser,
  }),
  deleteUser: operation(endpoint("delete", "DELETE /iam/v1/users/{user}", done, noHeader), {
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
  getRole: operation(read("GET /iam/v1/roles/{role}", shown), {
    section,
    about: "Returns a role.",
    ...ofRole,
  }),
  deleteRole: operation(endpoint("delete", "DELETE /iam/v1/roles/{role}", done, noHeader), {
    section,
    about: "Deletes a role.",
    ...ofRole,
  }),
  createRole: operation(
    endpoint("create", "POST /iam/v1/role/rolepolicies", shown, {
      ...noHeader,
      body: json<{ Role: { Name: string; Description: string | undefined }; PolicyIDs: readonly string[] }>(),
    }),
    {
      section,
      about: "Creates a role with policies.",
      parameters: {
        name: word("Name of the role."),
        description: maybeWord("Free-text description of the role."),
        policyIds: words("IDs of the policies."),
      },
      request: ({ name, description, policyIds }) => ({
        body: { Role: { Name: name, Description: description }, PolicyIDs: policyIds },
      }),
    },
  ),
  attachRolePolicies: operation(
    endpoint("update", "PUT /iam/v1/urgp/role/policy", done, {
      ...noHeader,
      body: json<{ roleId: string; policyIds: readonly string[] }>(),
    }),
    {
      section,
      about: "Attaches policies to a role.",
      parameters: { roleId: word("ID of the role."), policyIds: words("IDs of the policies.") },
      request: (body) => ({ body }),
    },
  ),
  assignRolesAndGroups: operation(
    endpoint("update", "PUT /iam/v1/urgp/user/role/group", done, {
      ...noHeader,
      body: json<{ userId: string; roleIds: readonly string[]; groupIds: readonly string[] }>(),
    }),
    {
      section,
      about: "Replaces all roles and groups of a user; empty lists remove them.",
      parameters: {
        userId: word("ID of the user."),
        roleIds: words("IDs of all roles."),
        groupIds: words("IDs of all groups."),
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
    endpoint("create", "POST /iam/v1/group", shown, {
      ...noHeader,
      body: json<{ name: string; description: string | undefined }>(),
    }),
    {
      section,
      about: "Creates a group.",
      parameters: {
        name: word("Name of the group."),
        description: maybeWord("Free-text description of the group."),
      },
      request: ({ name, description }) => ({ body: { name, description } }),
    },
  ),
  getGroup: operation(read("GET /iam/v1/groups/{group}", shown), {
    section,
    about: "Returns a group.",
    ...ofGroup,
  }),
  deleteGroup: operation(endpoint("delete", "DELETE /iam/v1/groups/{group}", done, noHeader), {
    section,
    about: "Deletes a group.",
    ...ofGroup,
  }),
  listGroupRoles: operation(read("GET /iam/v1/grouproleinfo", z.array(shown)), {
    section,
    about: "Lists the roles of a group.",
    parameters: { groupId: word("ID of the group.") },
    request: (query) => ({ query }),
    listing: { rows: [] },
  }),
  listUserGroups: operation(read("GET /iam/v1/usergroup", z.array(shown)), {
    section,
    about: "Lists the groups of a user.",
    parameters: { userId: word("ID of the user.") },
    request: (query) => ({ query }),
    listing: { rows: [] },
  }),
  listUserRoles: operation(read("GET /iam/v1/userrole", z.array(shown)), {
    section,
    about: "Lists the roles of a user.",
    parameters: { userId: word("ID of the user.") },
    request: (query) => ({ query }),
    listing: { rows: [] },
  }),
};
