import { expect, test } from "@jest/globals";
import type { Values } from "../../../provider/core/value.ts";
import { openNetwork } from "../../support/instance-world.ts";
import { machine, problemsOf } from "../../support/problem.ts";

test.each([
  [{ userData: "#!/bin/sh\n" }, "IyEvYmluL3NoCg=="],
  [{ userDataBase64: "IyEvYmluL3NoCg==" }, "IyEvYmluL3NoCg=="],
  [{ userData: "IyEvYmluL3NoCg==" }, "SXlFdlltbHVMM05vQ2c9PQ=="],
  [{}, undefined],
])("user data is encoded once, according to its field: %j", async (change, expected) => {
  const bodies: string[] = [];
  const { cloud, create } = await openNetwork(
    {},
    {},
    {
      wrap: (transport) => ({
        send(request, signal) {
          bodies.push(request.url.endsWith("create_instance_async") ? (request.body ?? "") : "");
          return transport.send(request, signal);
        },
      }),
    },
  );
  await cloud.run(create(change));
  const sent = JSON.parse(bodies.join("")) as { user_data?: string };
  expect(sent.user_data).toBe(expected);
});

test.each<[string, Values, string[]]>([
  ["plain user data", { userData: "#!/bin/sh\n" }, []],
  ["encoded user data", { userDataBase64: "IyEvYmluL3NoCg==" }, []],
  ["invalid base64", { userDataBase64: "#!/bin/sh" }, ["userDataBase64 must be base64"]],
  [
    "both forms of user data",
    { userData: "x", userDataBase64: "eA==" },
    ["userDataBase64 conflicts with user_data: set only one of them"],
  ],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("instance", { ...machine, ...change })).toEqual(expected);
});
