import { stateJson } from "../../review/read/apply-state.ts";
import { readText } from "../../review/read/file.ts";
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
    return stateIn(readText(path));
  } catch (error) {
    throw error instanceof UnreadableError ? new UnreadableError(`${name} ${error.message}`) : error;
  }
}

function stateIn(text: string): StateFile {
  if (text.trim() === "")
    throw new UnreadableError("is empty, as the output of state pull is if the workspace has no state");
  const json = stateJson(text);
  if ("planned_values" in json || "resource_changes" in json)
    throw new UnreadableError("is a plan, not a state");
  if (isTerraformState(json)) return terraformState(json);
  if (isPulumiState(json)) return pulumiState(json);
  throw new UnreadableError(
    "is neither a state of Terraform or OpenTofu (state pull, show -json) nor an export of a Pulumi stack (pulumi stack export)",
  );
}
