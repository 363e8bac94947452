import { expect, test } from "@jest/globals";
import { actions, ephemerals, lookups } from "../../functions/index.ts";
import { resources } from "../../resources/index.ts";
import { listOperations, requestOf } from "../../tools/docs/operation.ts";
import { coveringOf, exceptions, partsOf } from "../../tools/operation-coverage.ts";
import { importsOf, sectionOf, text } from "./repository.ts";

/**
 * Compares the page of operations with the contract, and with the routes of the first three interface documents, which this
 * file lists independently.
 */

const routes = [
  // Texts and documents.
  "POST /api/v1/languagelabs/language-detection",
  "POST /api/v1/languagelabs/entity-extraction",
  "POST /api/v1/languagelabs/summarization",
  "POST /api/v1/languagelabs/translation",
  "POST /api/v1/languagelabs/sentiment-analysis",
  "POST /v1/document/extract_text",
  "POST /v1/document/extract_information",
  "POST /v1/document/doc_summarization",
  "POST /v1/document/PII_masking",
  "GET /v1/document/status",
  // Object storage.
  "GET /kos/v1/buckets",
  "POST /kos/v1/buckets",
  "GET /kos/v1/buckets/{}",
  "PUT /kos/v1/buckets/{}",
  "DELETE /kos/v1/buckets/{}",
  "GET /kos/v1/access_keys",
  "POST /kos/v1/access_keys",
  "DELETE /kos/v1/access_keys/{}",
  "DELETE /internal/kos/v1/access_keys_all",
  "GET /kos/v1/buckets/{}/lifecycle-rules",
  "POST /kos/v1/buckets/{}/lifecycle-rules",
  "GET /kos/v1/buckets/{}/lifecycle-rules/{}",
  "PUT /kos/v1/buckets/{}/lifecycle-rules/{}",
  "DELETE /kos/v1/buckets/{}/lifecycle-rules/{}",
  "GET /internal/kos/v1/policy",
  "POST /internal/kos/v1/policy",
  "POST /internal/kos/v1/policy/attach",
  "POST /internal/kos/v1/policy/detach",
  "GET /internal/kos/v1/policy/{}",
  "PUT /internal/kos/v1/policy/{}",
  "DELETE /internal/kos/v1/policy/{}",
  "POST /kos/v1/sessions/activate",
  "DELETE /kos/v1/sessions/deactivate/{}",
  "POST /kos/v1/sessions/refresh/{}",
  "GET /kos/v1/sessions/status/{}",
  "GET /kos/v1/buckets/{}/objects",
  "PUT /kos/v1/buckets/{}/objects",
  "POST /kos/v1/buckets/{}/objects/delete",
  "POST /kos/v1/buckets/{}/objects/download",
  "POST /kos/v1/buckets/{}/objects/metadata",
  "POST /kos/v1/buckets/{}/objects/move",
  "POST /kos/v1/buckets/{}/objects/rename",
  "GET /kos/v1/buckets/policy/{}",
  "POST /kos/v1/buckets/policy/{}",
  "PUT /kos/v1/buckets/policy/{}",
  "DELETE /kos/v1/buckets/policy/{}",
  // Inference.
  "GET /v1/inference/checkpoints",
  "GET /v1/inference/checkpoints/{}/del",
  "GET /v1/inference/tasks",
  "POST /v1/inference/tasks",
  "GET /v1/inference/tasks/{}",
  "GET /v1/inference/tasks/{}/cancel",
  // Infrastructure and sign-in.
  "POST /v1/highlvlvpc/create_vpc_async",
  "POST /v1/highlvlvpc/get_vpc_task_status",
  "POST /v1/highlvlvpc/get_vpc",
  "GET /v1/highlvlvpc/get_vpc_list",
  "DELETE /v1/highlvlvpc/delete_vpc",
  "POST /v1/highlvlvpc/create_subnet",
  "PUT /api/v1/ports/{}",
  "POST /securityGroup/v1",
  "GET /securityGroup/v1/{}",
  "DELETE /securityGroup/v1/{}",
  "POST /securityGroup/v1/rule",
  "POST /securityGroup/v1/attachrule",
  "POST /securityGroup/v1/deattachrule",
  "DELETE /securityGroup/v1/rule/{}",
  "POST /vm/v1/create_instance_async",
  "GET /vm/v1/search_instances",
  "GET /v1/highlvlvpc/instance",
  "DELETE /vm/v1/delete_instance_async",
  "POST /vm/v1/instance-templates/create",
  "GET /vm/v1/instance-templates/list",
  "GET /vm/v1/instance-templates/details",
  "DELETE /vm/v1/instance-templates/delete",
  "POST /vm/v1/batch-vm-create",
  "POST /kbs/v1/volumes",
  "GET /kbs/v1/volumes/{}",
  "GET /kbs/v1/volumes",
  "DELETE /kbs/v1/volumes/{}",
  "POST /kbs/v1/volumes/{}/action?op=attach",
  "POST /kbs/v1/volumes/{}/action?op=detach",
  "POST /iam/v1/signInAsRootUser",
  "POST /v1/kpod/pod",
  "PUT /v1/kpod/pod/{}",
  "DELETE /v1/kpod/pod/{}",
] as const;

/** Returns a route without the names of parameters. */
const withoutNames = (route: string): string => route.replace(/\{\w+\}/g, "{}");

/** Routes on the page. */
const listed = [...text("docs/operations.md").matchAll(/^\| `\w+` +\| `([A-Z]+ [^`]+)` +\|/gm)].map(
  ([, route = ""]) => withoutNames(route),
);

/** Operations of the interface documents. */
const operations = (await listOperations()).filter(({ source }) => source === "seed");

/** Returns the last segment of a path that is not a parameter. */
const lastSegment = (path: string): string =>
  path.split("/").findLast((part) => part !== "" && !part.startsWith("{")) ?? "";

const definitions = {
  resource: resources,
  "data source": lookups,
  action: actions,
  "ephemeral resource": ephemerals,
};

test("the page lists every route of the documents", () => {
  expect(routes.filter((route) => !listed.includes(route))).toEqual([]);
  expect(listed.toSorted()).toEqual(operations.map((one) => withoutNames(requestOf(one))).toSorted());
});

test("the contract documents each of these operations in the section that it names", () => {
  const missing = operations.filter(({ section, path }) => {
    const content = sectionOf("docs/contract.md", section);
    return !content.includes("documented") || !content.includes(lastSegment(path));
  });
  expect(missing.map(({ name, section }) => `${name} in docs/contract.md#${section}`)).toEqual([]);
});

test("each operation is covered by definitions that exist", () => {
  const unknown = operations
    .flatMap(coveringOf)
    .map(partsOf)
    .filter(({ kind, name }) => {
      const known: readonly { readonly name: string }[] = definitions[kind as keyof typeof definitions] ?? [];
      return kind !== "provider" && !known.some((definition) => definition.name === name);
    });
  expect(unknown).toEqual([]);
});

test("the table of exceptions lists no operation that only the resource of its kind sends", () => {
  const idle = Object.entries(exceptions).filter(([name, covering]) => {
    const kind = operations.find((operation) => operation.name === name)?.kind?.replaceAll("_", "-");
    return kind === undefined || covering.join() === `resource ${kind}`;
  });
  expect(idle.map(([name]) => name)).toEqual([]);
});

/** Returns the text of a file and of every file that it imports from these folders. */
function closure(file: string, seen = new Set<string>()): string {
  if (seen.has(file) || !/^(resources|functions|provider\/client\/auth)\//.test(file)) return "";
  seen.add(file);
  return [text(file), ...importsOf(file).map(({ to }) => closure(to, seen))].join("\n");
}

test("the file of a covering resource, or a file that it imports, contains the route", () => {
  const missing = operations.flatMap((operation) =>
    coveringOf(operation)
      .map(partsOf)
      .filter(
        ({ kind, name }) =>
          kind === "resource" && !closure(`resources/${name}.ts`).includes(lastSegment(operation.path)),
      )
      .map(({ name }) => `${name}: ${requestOf(operation)}`),
  );
  expect(missing).toEqual([]);
});
