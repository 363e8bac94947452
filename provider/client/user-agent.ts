import manifest from "../../package.json" with { type: "json" };
import { provider } from "../core/name.ts";

/** Returns the `User-Agent` header: product, version and adapter, without characters that a header cannot contain. */
export function userAgent(adapter?: string): string {
  const comment = adapter?.replace(/[^\x20-\x7e]|[()\\]/g, "") ?? "";
  const product = `${provider}/${manifest.version}`;
  return comment === "" ? product : `${product} (${comment})`;
}
