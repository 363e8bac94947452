import manifest from "../../package.json" with { type: "json" };
import { provider } from "../core/name.ts";

/** Returns the `User-Agent` header: product, version, and the adapter without characters that a header cannot carry. */
export function userAgent(face?: string): string {
  const comment = face?.replace(/[^\x20-\x7e]|[()\\]/g, "") ?? "";
  const product = `${provider}/${manifest.version}`;
  return comment === "" ? product : `${product} (${comment})`;
}
