import { createHash } from "node:crypto";

/**
 * Type without the names of its declarations: equal structures have equal nodes, independent of the place of their
 * declarations.
 */
export interface TypeNode {
  /** Kind of the type: a keyword, a literal, the kind of a compound type, or the name of a type of another package. */
  label: string;
  /** Types that the type consists of, each with its role. */
  edges: Edge[];
  /** Hash of the whole structure below, equal for equal structures. Set by `refine`. */
  hash: string;
}

export interface Edge {
  readonly role: string;
  readonly node: TypeNode;
}

/** Compares edges by the alphabetical order of their roles. */
export const byRole = (a: Edge, b: Edge): number => (a.role < b.role ? -1 : a.role > b.role ? 1 : 0);

const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

const isUnordered = ({ label }: TypeNode): boolean => label === "union" || label === "intersection";

/** Sets equal hashes for nodes of equal structure: refines classes of equal labels until no class is split any more. */
export function refine(nodes: readonly TypeNode[]): void {
  for (const node of nodes) node.hash = shortHash(node.label);
  let classes = 0;
  for (;;) {
    const next = nodes.map((node) => {
      const parts = node.edges.map(({ role, node: child }) => `${role}:${child.hash}`);
      if (isUnordered(node)) parts.sort();
      return shortHash([node.label, ...parts].join("\n"));
    });
    for (const [index, node] of nodes.entries()) node.hash = next[index] ?? "";
    const found = new Set(next).size;
    if (found === classes) break;
    classes = found;
  }
  for (const node of nodes)
    if (isUnordered(node)) node.edges.sort((a, b) => (a.node.hash < b.node.hash ? -1 : 1));
}
