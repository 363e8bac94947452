import { YamlObjectReader } from "@actions/workflow-parser/workflows/yaml-object-reader";

/** Returns the value of a YAML document, as the parser of GitHub's workflows reads it. */
export function yamlOf(text: string): unknown {
  const reader = new YamlObjectReader(undefined, text);
  if (reader.errors.length > 0) throw new Error(reader.errors.map(({ message }) => message).join("\n"));
  const next = (): unknown => {
    const literal = reader.allowLiteral();
    if (literal !== undefined) return "value" in literal ? literal.value : null;
    if (reader.allowSequenceStart()) {
      const items: unknown[] = [];
      while (!reader.allowSequenceEnd()) items.push(next());
      return items;
    }
    if (!reader.allowMappingStart()) throw new Error("unknown part of a YAML document");
    const entries: [string, unknown][] = [];
    while (!reader.allowMappingEnd()) entries.push([String(next()), next()]);
    return Object.fromEntries(entries);
  };
  reader.validateStart();
  return next();
}

/** Values of YAML that scripts see as texts. */
export type Scalars = Readonly<Record<string, string | number | boolean>>;
