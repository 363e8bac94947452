import manifest from "../../package.json" with { type: "json" };
import { provider } from "../core/name.ts";

/** The product, its version, and who asks: what a header can carry of it. */
export function userAgent(face?: string): string {
  const comment = face?.replace(/[^\x20-\x7e]|[()\\]/g, "") ?? "";
  const product = `${provider}/${manifest.version}`;
  return comment === "" ? product : `${product} (${comment})`;
}
