import { expect, test } from "@jest/globals";
import { createLog, logLevel } from "../../provider/terraform/log.ts";

const clock = {
  monotonic: () => 0,
  wall: () => Date.UTC(2026, 10, 21, 1, 2, 3, 45),
  sleep: async () => {},
};
const linesOf = (
  level: Parameters<typeof createLog>[0],
  write: (log: ReturnType<typeof createLog>) => void,
) => {
  const lines: string[] = [];
  write(createLog(level, clock, (line) => lines.push(line)));
  return lines;
};

test("a log line is a JSON object whose time has six fractional digits, the format that engines parse", () => {
  expect(linesOf("debug", (log) => log("info", "waiting", { resource: "vpc", seconds: 3 }))).toEqual([
    '{"resource":"vpc","seconds":3,"@level":"info","@message":"waiting","@module":"kcloud","@timestamp":"2026-11-21T01:02:03.045000Z"}\n',
  ]);
});

test("facts cannot override the keys of a line, and a line is never too long to be parsed", () => {
  const [line = ""] = linesOf("debug", (log) =>
    log("error", "x", { "@level": "debug", long: "y".repeat(70_000) }),
  );
  expect(JSON.parse(line)).toMatchObject({ "@level": "error", "@message": "x" });
  expect(line.length).toBeLessThan(65_536);
});

test("lines below the level are not written", () => {
  const write = (log: ReturnType<typeof createLog>) => {
    for (const level of ["debug", "info", "warn", "error"] as const) log(level, level);
  };
  expect(linesOf("warn", write).map((line) => JSON.parse(line)["@message"])).toEqual(["warn", "error"]);
  expect(linesOf("off", write)).toEqual([]);
});

test("the most specific variable sets the level, and trace means debug", () => {
  expect(logLevel({})).toBe("error");
  expect(logLevel({ TF_LOG: "INFO" })).toBe("info");
  expect(logLevel({ TF_LOG: "INFO", TF_LOG_PROVIDER: "WARN" })).toBe("warn");
  expect(logLevel({ TF_LOG: "INFO", TF_LOG_PROVIDER: "WARN", TF_LOG_PROVIDER_KCLOUD: "off" })).toBe("off");
  expect(logLevel({ TF_LOG: "TRACE" })).toBe("debug");
  expect(logLevel({ TF_LOG: "JSON" })).toBe("debug");
});
