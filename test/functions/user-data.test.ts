import { expect, test } from "@jest/globals";
import { InputError, userData } from "../../index.ts";

const wrong = (path: (string | number)[], problem: string) => new InputError([{ path, problem }]);

test("user data of several parts is one message with each part unchanged", () => {
  const script = "#!/bin/sh\necho „hello“\n";
  const config = `#cloud-config\npackages:\n${"  - nginx\n".repeat(20)}`;
  const message = Buffer.from(userData(script, config), "base64").toString();
  const [head = "", ...found] = message.split(/--part(?:--)?\n/);
  expect(head).toBe('MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="part"\n\n');
  const read = found.slice(0, 2).map((part) => part.split("\n\n"));
  expect(read.map(([headers]) => headers)).toEqual([
    'Content-Type: text/x-shellscript; charset="utf-8"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="part-001"',
    'Content-Type: text/cloud-config; charset="utf-8"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="part-002"',
  ]);
  expect(read.map(([, body = ""]) => Buffer.from(body, "base64").toString())).toEqual([script, config]);
  expect(message.split("\n").every((line) => line.length <= 120)).toBe(true);
});

test("the error about a part of an unknown kind has its position", () => {
  expect(() => userData("#!/bin/sh", "echo hello")).toThrow(
    wrong(
      ["parts", 1],
      "must begin with one of #cloud-config-archive, #cloud-config-jsonp, #cloud-config, #cloud-boothook, #include-once, #include, #part-handler, ## template: jinja, #!",
    ),
  );
  expect(() => userData()).toThrow(wrong(["parts"], "must have at least one part"));
});
