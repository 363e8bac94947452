/**
 * Parses the HCL of the examples of resources: blocks, attributes, literals, references and calls of functions. Throws for
 * every other construct, so that no page is generated from misunderstood HCL.
 */

/** Expression of HCL. */
export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  /** Reference such as `kcloud_port.web.fixed_ips[0].ip_address`; `*` stands for all elements. */
  | { readonly kind: "reference"; readonly path: readonly (string | number)[] }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "object"; readonly entries: readonly Entry[] }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[] };

/** Attribute of a block, or entry of an object. */
export type Entry = readonly [name: string, value: Expression];

/** Block with its labels and content. */
export interface Block extends Body {
  readonly type: string;
  readonly labels: readonly string[];
}

/** Content of a block or a file. */
export interface Body {
  readonly attributes: readonly Entry[];
  readonly blocks: readonly Block[];
}

interface Token {
  readonly kind: "name" | "number" | "text" | "mark";
  readonly text: string;
}

const pattern =
  /\s+|#[^\n]*|<<-(\w+)\n([\s\S]*?)\n\s*\1(?=\n)|"((?:[^"\\$]|\\.)*)"|(\d+)|([A-Za-z_][\w-]*)|([{}[\]()=,.*])/y;

/** Returns the tokens of a text, without spaces and comments. Throws `SyntaxError` for an unknown token. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex;
    const found = pattern.exec(text);
    if (found === null) throw new SyntaxError(`not understood: ${text.slice(start, start + 40)}`);
    const [, heredoc, lines, quoted, number, name, mark] = found;
    if (heredoc !== undefined) tokens.push({ kind: "text", text: dedent(lines ?? "") });
    else if (quoted !== undefined) tokens.push({ kind: "text", text: JSON.parse(`"${quoted}"`) as string });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else if (mark !== undefined) tokens.push({ kind: "mark", text: mark });
  }
  return tokens;
}

/** Removes the indentation that all lines share, as `<<-` does. */
function dedent(text: string): string {
  const lines = text.split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)?.[0].length ?? 0);
  return `${lines.map((line) => line.slice(Math.min(...indents))).join("\n")}\n`;
}

/** Parses a file. Throws `SyntaxError` for an unsupported construct. */
export function parseHcl(text: string): Body {
  const tokens = tokensOf(text);
  let position = 0;
  const is = (mark: string) => tokens[position]?.kind === "mark" && tokens[position]?.text === mark;
  const skip = (mark: string) => {
    if (!is(mark)) return false;
    position += 1;
    return true;
  };
  const need = (mark: string) => {
    if (!skip(mark)) throw new SyntaxError(`${mark} is missing before ${tokens[position]?.text}`);
  };
  const take = (...kinds: readonly Token["kind"][]): string => {
    const token = tokens[position];
    if (token === undefined || !kinds.includes(token.kind))
      throw new SyntaxError(`not understood: ${token?.text}`);
    position += 1;
    return token.text;
  };

  function body(isInside: boolean): Body {
    const attributes: Entry[] = [];
    const blocks: Block[] = [];
    while (isInside ? !skip("}") : position < tokens.length) {
      const name = take("name");
      if (skip("=")) attributes.push([name, expression()]);
      else {
        const labels: string[] = [];
        while (!skip("{")) labels.push(take("text"));
        blocks.push({ type: name, labels, ...body(true) });
      }
    }
    return { attributes, blocks };
  }

  function expression(): Expression {
    const token = tokens[position];
    if (skip("[")) return { kind: "list", items: until("]", expression) };
    if (skip("{")) return { kind: "object", entries: until("}", entry) };
    if (token?.kind === "text") return { kind: "literal", value: take("text") };
    if (token?.kind === "number") return { kind: "literal", value: Number(take("number")) };
    const name = take("name");
    if (name === "true" || name === "false") return { kind: "literal", value: name === "true" };
    if (skip("(")) return { kind: "call", name, args: until(")", expression) };
    const path: (string | number)[] = [name];
    while (is(".") || is("[")) {
      if (skip(".")) path.push(take("name"));
      else {
        need("[");
        path.push(skip("*") ? "*" : Number(take("number")));
        need("]");
      }
    }
    return { kind: "reference", path };
  }

  function entry(): Entry {
    const name = take("name", "text");
    need("=");
    return [name, expression()];
  }

  function until<T>(end: string, part: () => T): T[] {
    const parts: T[] = [];
    while (!skip(end)) {
      parts.push(part());
      skip(",");
    }
    return parts;
  }

  return body(false);
}

/**
 * Replaces references to variables by their defaults and references to locals by their values. Throws `SyntaxError` for a
 * variable without a default.
 */
export function inlined(expression: Expression, file: Body): Expression {
  switch (expression.kind) {
    case "literal":
      return expression;
    case "list":
      return { ...expression, items: expression.items.map((item) => inlined(item, file)) };
    case "object":
      return {
        ...expression,
        entries: expression.entries.map(([name, value]) => [name, inlined(value, file)] as const),
      };
    case "call":
      return { ...expression, args: expression.args.map((argument) => inlined(argument, file)) };
    case "reference": {
      const [root, name, ...rest] = expression.path;
      if (root === "var") return inlined(attributeOf(variable(file, String(name)), "default"), file);
      if (root !== "local") return expression;
      const locals = file.blocks
        .filter(({ type }) => type === "locals")
        .flatMap(({ attributes }) => attributes);
      const value = rest.reduce<Expression>(
        (from, part) => entryNamed(from, String(part)),
        attributeOf({ attributes: locals, blocks: [] }, String(name)),
      );
      return inlined(value, file);
    }
  }
}

function variable(file: Body, name: string): Body {
  const found = file.blocks.find(({ type, labels }) => type === "variable" && labels[0] === name);
  if (found === undefined) throw new SyntaxError(`no variable ${name}`);
  return found;
}

/** Returns the attribute of a block. Throws `SyntaxError` if there is none. */
export function attributeOf({ attributes }: Body, name: string): Expression {
  const found = attributes.find(([known]) => known === name);
  if (found === undefined) throw new SyntaxError(`no ${name}`);
  return found[1];
}

function entryNamed(from: Expression, name: string): Expression {
  if (from.kind !== "object") throw new SyntaxError(`no ${name}`);
  return attributeOf({ attributes: from.entries, blocks: [] }, name);
}
