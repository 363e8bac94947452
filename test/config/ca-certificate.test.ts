import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { createApi } from "../../provider/client/client.ts";
import { resolveSettings } from "../../provider/config/config.ts";
import { ConfigError } from "../../provider/core/error.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { openSession } from "../../provider/engine/session.ts";
import { makeCertificate } from "../../provider/grpc/certificate.ts";
import type { Reply, WireRequest } from "../../provider/platform/ports.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";

const folder = mkdtempSync(join(tmpdir(), "kcloud-trust-"));
afterAll(() => rmSync(folder, { recursive: true }));
const { cert, key } = makeCertificate(Date.UTC(2026, 1, 1));

function trusted(content: string | undefined): string {
  const file = join(folder, `${content?.length ?? "none"}.pem`);
  if (content !== undefined) writeFileSync(file, content);
  try {
    const given = { baseUrl: "https://cloud.example", apiKey: "key-1", caCertFile: file };
    return resolveSettings(given).certificates ?? "";
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems
      .map(
        ({ path, problem }) => `${path.join(".")} ${inWordsOf("terraform", problem).replace(file, "FILE")}`,
      )
      .join();
  }
}

test("every certificate of a file is trusted, and other content is ignored", () => {
  const pem = cert.trim();
  expect(trusted(`of the office\n${cert}\n${key}\n${cert}`)).toBe(`${pem}\n${pem}`);
});

test.each([true, false])(
  "requests to the API and to the storage trust the certificates of the file, if one is set: %s",
  async (isSet) => {
    const file = join(folder, "set.pem");
    writeFileSync(file, cert);
    const sent: WireRequest[] = [];
    const reply: Reply = { kind: "answer", status: 200, headers: {}, body: "{}", cut: false };
    const transport = {
      send(request: WireRequest) {
        sent.push(request);
        return Promise.resolve(reply);
      },
    };
    const session = openSession(
      { baseUrl: "https://cloud.example", apiKey: "key-1", ...(isSet && { caCertFile: file }) },
      { ...realPorts, transport, foreign: transport },
    );
    const { send, transfer } = createApi(session, { region: "", signal: new AbortController().signal });
    await send(endpoint("read", "GET /things", undefined, { region: false }), {});
    await transfer.get("https://storage.example/a", () => {});
    const expected = isSet ? cert.trim() : undefined;
    expect(sent.map(({ certificates }) => certificates)).toEqual([expected, expected]);
  },
);

test.each([
  [undefined, "caCertFile FILE cannot be read"],
  ["", "caCertFile FILE contains no certificate (PEM)"],
  [key, "caCertFile FILE contains no certificate (PEM)"],
  [
    `${cert}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`,
    "caCertFile FILE contains a certificate that cannot be read, the 2. of 2",
  ],
])("a file without a certificate is named (%#)", (content, result) => {
  expect(trusted(content)).toBe(result);
});
