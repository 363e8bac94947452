import { connectList, isShown, openChange, openSection, pageSize, showChanges } from "./change-list.ts";
import { addCopyButton, addWaiverCommands } from "./command.ts";
import type { Place } from "./data.ts";
import { diagram } from "./diagram.ts";
import {
  addChoices,
  applyFilter,
  connectFilter,
  controlOf,
  filterFields,
  form,
  setFilter,
} from "./filter.ts";
import { targetOf } from "./fragment.ts";
import { needsOf, objectCount, usersOf } from "./reference.ts";
import { report } from "./report.ts";

/**
 * Script of the HTML report. Reads the report from the page, sends nothing, and makes elements of texts only. Shows the changes
 * after the first paint. The build joins the modules of this folder to one script (`constant.ts`).
 */

function start(): void {
  addChoices();
  applyFilter();
  for (const place of document.querySelectorAll(".command")) addCopyButton(place);
  for (const place of document.querySelectorAll<HTMLElement>(".fold"))
    place.addEventListener("toggle", () => addWaiverCommands(place), { once: true });
  drawMap();
  follow();
  requestAnimationFrame(() => setTimeout(() => performance.measure("changes to paint", { start: 0 })));
}

/** Draws the diagram of all references when its section is open. */
function drawMap(): void {
  const map = document.getElementById("map");
  const section = map?.closest("details");
  if (!map || !section) return;
  const members = Array.from({ length: objectCount }, (_, index) => index).filter(
    (index) => needsOf(index).length + usersOf(index).length > 0,
  );
  const draw = (): void => {
    if (map.childElementCount === 0) map.append(diagram("Diagram of all references", members));
  };
  if (section.open) draw();
  section.addEventListener("toggle", draw);
}

/** Shows the target of the URL fragment: a change, a filter, or a section. */
function follow(): void {
  const target = targetOf(filterFields);
  if ("change" in target) reveal(target.change);
  else if ("filter" in target) {
    setFilter(target.filter);
    applyFilter();
    openSection(form);
    form.closest("details")?.scrollIntoView();
    controlOf("search").focus({ preventScroll: true });
  } else {
    const section = document.getElementById(target.section);
    if (!(section instanceof HTMLDetailsElement)) return;
    openSection(section);
    section.scrollIntoView();
  }
}

/** Opens a change. Resets the filter if it hides the change. */
function reveal({ plan, address }: Place): void {
  const index = report.changes.findIndex((change) => change.address === address && change.plan === plan);
  if (index < 0) return;
  if (!isShown(index)) {
    setFilter(new URLSearchParams());
    if (index < pageSize) applyFilter();
    else showChanges([index]);
  }
  openChange(index);
}

connectFilter();
connectList();
addEventListener("hashchange", follow);
// Paints the verdict before it shows the changes.
requestAnimationFrame(() => setTimeout(start));
