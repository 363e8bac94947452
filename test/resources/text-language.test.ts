import { testTextService } from "./text-service.ts";

testTextService({
  kind: "text-language",
  operation: "detect_language",
  written: { query: "guten Tag" },
  body: { query: "guten Tag" },
  result: { languages: [{ label: "eng", value: "1.00" }] },
});
