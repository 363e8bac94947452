import { textOf } from "./text.ts";

/** Prompt of the server. */

export const reviewPrompt = {
  name: "review_plan",
  title: "Review this plan",
  description: "Reviews a planned change before it is applied.",
  arguments: [
    {
      name: "plan",
      description: "Output of a plan. Default: the plan of the folder of the server.",
      required: false,
    },
  ],
} as const;

/** Maximum length of a plan in a prompt, in characters. */
const longest = 100_000;

/** Returns the text of the prompt. `hasFolder` is true if the server has tools that plan. */
export function promptText(plan: string | undefined, hasFolder: boolean): string {
  const steps = [
    "List what is created, changed, replaced and deleted, and which data is lost.",
    "For each replacement and delete, name the cause, and the objects that depend on it.",
    "Look up the objects in the account with list_objects and get_object where the plan does not show enough.",
    "Read the pages of the kinds with read_page, and the review rules with search_pages, before you judge.",
    "End with a verdict: apply, or do not apply and why.",
  ];
  const source =
    plan !== undefined
      ? textOf({ plan: plan.slice(0, longest).toWellFormed() })
      : hasFolder
        ? "The tools review and rehearse show the plan of the folder of the server, the findings about it, and what happens when it is applied."
        : "Ask for the output of the plan if it is not part of this conversation.";
  return `Review a planned change before it is applied.\n\n${steps.map((step, index) => `${index + 1}. ${step}`).join("\n")}\n\n${source}`;
}
