import { byId, element } from "./element.ts";
import { report } from "./report.ts";

/** Commands of the user with a button that copies them, and the commands that waive the findings of a rule. */

/** Copies a command to the clipboard; if that fails, selects it. */
async function copy(code: Element): Promise<void> {
  const status = byId("copy-status");
  try {
    await navigator.clipboard.writeText(code.textContent);
    status.textContent = "Copied.";
  } catch {
    getSelection()?.selectAllChildren(code);
    status.textContent = "Selected: copy it with the keyboard.";
  }
  setTimeout(() => {
    status.textContent = "";
  }, 2000);
}

/** Adds the button to a container of a command. */
export function addCopyButton(place: Element): void {
  const button = element("button", "Copy");
  button.type = "button";
  const [code] = place.children;
  if (code !== undefined) button.addEventListener("click", () => copy(code));
  place.append(button);
}

function command(text: string): HTMLElement {
  const block = element("div", undefined, "command");
  block.append(element("code", text));
  addCopyButton(block);
  return block;
}

/** Quotes a text for a shell. */
const quoted = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Maximum number of commands for one rule. */
const mostCommands = 20;

/** Adds the commands that waive the findings of the rule that a container names. */
export function addWaiverCommands(place: HTMLElement): void {
  const waivable = report.findings.filter(
    ({ rule, address, waived }) => rule === place.dataset.rule && address && !waived,
  );
  const commands = waivable
    .slice(0, mostCommands)
    .map(({ rule, address = "", plan }) =>
      command(
        `kcloud review waive ${rule} --address ${quoted(address)}${report.hasSeveralPlans ? ` --plan ${quoted(plan)}` : ""} --owner NAME --reason TEXT --until DATE --policy DIR`,
      ),
    );
  if (commands.length > 0) place.append(element("p", "To waive, in the base revision:", "soft"), ...commands);
  if (waivable.length > mostCommands)
    place.append(element("p", `and ${waivable.length - mostCommands} more objects`, "soft"));
}
