import { expect, test } from "@jest/globals";
import { actions, ephemerals, lookups } from "../../functions/index.ts";
import { resources } from "../../resources/index.ts";
import { coverage, partsOf } from "../../tools/operation-coverage.ts";
import { importsOf, text } from "./repository.ts";

/** Compares the page of operations with the routes of the three interface documents, which this file lists independently. */

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

/** Operations of the page with their routes, without the names of parameters. */
const listed = [...text("docs/operations.md").matchAll(/^\| `(\w+)` +\| `([A-Z]+ [^`]+)` +\|/gm)].map(
  ([, name = "", route = ""]) => ({ name, route: route.replace(/\{\w+\}/g, "{}") }),
);

const definitions = {
  resource: resources,
  "data source": lookups,
  action: actions,
  "ephemeral resource": ephemerals,
};

test("the page lists every route of the documents, and no other", () => {
  expect(listed.map(({ route }) => route).toSorted()).toEqual([...routes].toSorted());
  expect(Object.keys(coverage).toSorted()).toEqual(listed.map(({ name }) => name).toSorted());
});

test("each operation is covered by definitions that exist", () => {
  const unknown = Object.values(coverage)
    .flat()
    .map(partsOf)
    .filter(({ kind, name }) => {
      const known: readonly { readonly name: string }[] = definitions[kind as keyof typeof definitions] ?? [];
      return kind !== "provider" && !known.some((definition) => definition.name === name);
    });
  expect(unknown).toEqual([]);
});

/** Returns the text of a file and of every file that it imports from these folders. */
function closure(file: string, seen = new Set<string>()): string {
  if (seen.has(file) || !/^(resources|functions|provider\/client\/auth)\//.test(file)) return "";
  seen.add(file);
  return [text(file), ...importsOf(file).map(({ to }) => closure(to, seen))].join("\n");
}

test("the file of a covering resource, or one that it imports, has the route", () => {
  const missing = listed.flatMap(({ name, route }) => {
    const [path = ""] = route.slice(route.indexOf(" ") + 1).split("?");
    const last = path.split("/").findLast((part) => part !== "" && part !== "{}") ?? "";
    return (coverage[name] ?? [])
      .map(partsOf)
      .filter((part) => part.kind === "resource" && !closure(`resources/${part.name}.ts`).includes(last))
      .map((part) => `${part.name}: ${route}`);
  });
  expect(missing).toEqual([]);
});
