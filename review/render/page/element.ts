/** Elements that are made of texts only, so that no name or value becomes markup. */

/** Returns the element of the page with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found as T;
}

/** Returns a new element with a text and a class. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  text?: string,
  kind?: string,
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  if (kind) node.className = kind;
  return node;
}

const marks: Readonly<Record<string, string>> = {
  create: "+",
  update: "~",
  replace: "±",
  delete: "−",
  forget: ".",
};

/** Returns the decorative sign of an action. */
export const markOf = (action: string): string => marks[action] ?? "·";
