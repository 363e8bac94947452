import { expect, test } from "@jest/globals";
import { bodyStream } from "../../provider/client/json-body.ts";

test("a body with streamed content is JSON of the announced size", async () => {
  const bytes = {
    size: 5,
    async *read() {
      yield Buffer.from("hel");
      yield Buffer.from("lo");
    },
  };
  for (const body of [{}, { name: "a" }]) {
    const stream = bodyStream(body, { field: "data", bytes });
    const parts: Uint8Array[] = [];
    for await (const part of stream.read()) parts.push(part);
    expect(JSON.parse(Buffer.concat(parts).toString())).toEqual({ ...body, data: "aGVsbG8=" });
    expect(Buffer.concat(parts)).toHaveLength(stream.size);
  }
});
