import { element, markOf } from "./element.ts";
import { hrefOf } from "./fragment.ts";
import { columnsOf, drawnOf, groupsOf } from "./layout.ts";
import { actionOf, objectAt } from "./reference.ts";

/** Diagram of references, drawn as SVG. */

/** Sizes in pixels: of an object, of the gaps between objects, and of the border. */
const size = { width: 208, height: 44, across: 64, down: 12, border: 16 };

function shape(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly (Node | string)[]
): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, String(value));
  svg.append(...children);
  return svg;
}

/** Returns the name of an object, or the last part of its address. */
const labelOf = ({
  name,
  address,
}: {
  readonly name?: string | undefined;
  readonly address: string;
}): string => name || (/[\w-]+(\[[^\]]*\])?$/.exec(address)?.[0] ?? address);

function shortened(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}

/** Position of the upper left corner of an object. */
interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Returns the positions of objects, and the size of the diagram. */
function spotsOf(members: readonly number[]) {
  const spots = new Map<number, Spot>();
  let bottom = size.border;
  let most = 0;
  for (const group of groupsOf(members)) {
    const columns = columnsOf(group);
    const step = size.height + size.down;
    const height = Math.max(...columns.map((column) => column.length)) * step;
    for (const [across, column] of columns.entries())
      for (const [down, index] of column.entries())
        spots.set(index, {
          x: size.border + across * (size.width + size.across),
          y: bottom + (height - column.length * step) / 2 + down * step,
        });
    bottom += height + size.down;
    most = Math.max(most, columns.length);
  }
  return {
    spots,
    width: most * (size.width + size.across) - size.across + 2 * size.border,
    height: bottom - 2 * size.down + size.border,
  };
}

function edge(from: Spot, to: Spot): SVGElement {
  const [x1, y1] = [from.x + size.width, from.y + size.height / 2];
  const y2 = to.y + size.height / 2;
  const bend = size.across / 2;
  return shape("path", {
    class: "edge",
    d: ["M", x1, y1, "C", x1 + bend, y1, to.x - bend, y2, to.x, y2].join(" "),
  });
}

function node(index: number, { x, y }: Spot, { highlighted, isHidden = false }: Options): SVGElement {
  const object = objectAt(index);
  const changed = actionOf(object);
  const action = changed ?? "none";
  const about = action === "none" ? object.kind : `${action} ${object.kind}`;
  const parts = [
    shape("title", {}, `${changed ?? "unchanged"} ${object.address}`),
    shape("rect", { x, y, width: size.width, height: size.height, rx: 6 }),
    shape("text", { class: "mark", "aria-hidden": "true", x: x + 10, y: y + 19 }, markOf(action)),
    shape("text", { x: x + 26, y: y + 19 }, shortened(labelOf(object), 23)),
    shape("text", { class: "kind", x: x + 26, y: y + 35 }, shortened(about, 28)),
  ];
  const kind = `node ${action}${index === highlighted ? " own" : ""}`;
  return index === highlighted || changed === undefined
    ? shape("g", { class: kind }, ...parts)
    : shape("a", { class: kind, href: hrefOf(object), ...(isHidden ? { tabindex: -1 } : {}) }, ...parts);
}

interface Options {
  /** Object with a thick border. */
  readonly highlighted?: number;
  /** True to hide the diagram from screen readers and the keyboard: a list shows the same objects. */
  readonly isHidden?: boolean;
}

/** Returns a diagram of objects and the references between them, in a container that scrolls. */
export function diagram(title: string, members: readonly number[], options: Options = {}): HTMLElement {
  const { spots, width, height } = spotsOf(members);
  const edges: SVGElement[] = [];
  const nodes: SVGElement[] = [];
  for (const [index, spot] of spots) {
    for (const to of drawnOf(index, spots)) {
      const start = spots.get(to);
      if (start !== undefined) edges.push(edge(start, spot));
    }
    nodes.push(node(index, spot, options));
  }
  const view = { width, height, viewBox: `0 0 ${width} ${height}` };
  const picture = element("div", undefined, "picture");
  picture.tabIndex = 0;
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", title);
  picture.append(
    shape(
      "svg",
      { ...view, ...(options.isHidden ? { "aria-hidden": "true" } : { role: "group" }) },
      ...edges,
      ...nodes,
    ),
  );
  return picture;
}
