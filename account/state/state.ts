import { readText } from "../../review/read/file.ts";
import { isObject, type Json } from "../../review/read/json.ts";
import { UnreadableError } from "../../review/read/read.ts";
import { isTerraformState } from "../../review/read/terraform-state.ts";
import { isPulumiState, pulumiState } from "./pulumi.ts";
import type { StateFile } from "./recorded.ts";
import { terraformState } from "./terraform.ts";

/**
 * Reads a state: a state file of Terraform or OpenTofu, the output of `show -json`, or an export of a Pulumi stack; "-" is standard
 * input. Throws `UnreadableError` for anything else.
 */
export function readState(path: string): StateFile {
  const name = path === "-" ? "standard input" : path;
  try {
    return stateIn(parsed(readText(path)));
  } catch (error) {
    throw error instanceof UnreadableError ? new UnreadableError(`${name} ${error.message}`) : error;
  }
}

function parsed(text: string): Json {
  if (text.trim() === "")
    throw new UnreadableError("is empty, as the output of state pull is if the workspace has no state");
  try {
    const json: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (isObject(json)) return json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UnreadableError("is not JSON, or is truncated");
  }
  throw new UnreadableError("is JSON, but not an object");
}

function stateIn(json: Json): StateFile {
  if ("encrypted_data" in json)
    throw new UnreadableError("is encrypted: pass the output of tofu state pull, which decrypts it");
  if ("planned_values" in json || "resource_changes" in json)
    throw new UnreadableError("is a plan, not a state");
  if (isTerraformState(json)) return terraformState(json);
  if (isPulumiState(json)) return pulumiState(json);
  throw new UnreadableError(
    "is neither a state of Terraform or OpenTofu (state pull, show -json) nor an export of a Pulumi stack (pulumi stack export)",
  );
}
