import ts from "typescript";
import { type Renamed, renamedTo } from "./renamed.ts";
import { byRole, type Edge, refine, type TypeNode } from "./type-node.ts";

/** Maximum number of nodes, far above that of the public types. Only a type that expands without end exceeds this number. */
const maxNodes = 400_000;

const keyword =
  ts.TypeFlags.Any |
  ts.TypeFlags.Unknown |
  ts.TypeFlags.String |
  ts.TypeFlags.Number |
  ts.TypeFlags.BigInt |
  ts.TypeFlags.ESSymbol |
  ts.TypeFlags.Void |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Null |
  ts.TypeFlags.Never |
  ts.TypeFlags.NonPrimitive;

/**
 * Creates a graph of the types of a program. A type declared outside `root` is described by its name and type
 * arguments.
 */
export function createTypeGraph(checker: ts.TypeChecker, root: string, renamed: Renamed) {
  const nodes = new Map<ts.Type, TypeNode>();
  const pending: (() => void)[] = [];

  const isOwn = (symbol: ts.Symbol | undefined): boolean =>
    (symbol?.declarations ?? []).some((declaration) => {
      const { fileName } = declaration.getSourceFile();
      return fileName.startsWith(`${root}/`) && !fileName.startsWith(`${root}/node_modules/`);
    });

  const isForeign = (symbol: ts.Symbol | undefined): symbol is ts.Symbol =>
    symbol?.declarations !== undefined && !symbol.name.startsWith("__") && !isOwn(symbol);

  /** Returns the node of a type. `finish` fills in its edges, so that types of any depth need no deep recursion. */
  function nodeOf(type: ts.Type): TypeNode {
    const known = nodes.get(type);
    if (known !== undefined) return known;
    if (nodes.size > maxNodes)
      throw new Error(`a public type expands without end: ${checker.typeToString(type)}`);
    const node: TypeNode = { label: "", edges: [], hash: "" };
    nodes.set(type, node);
    pending.push(() => {
      const { label, edges } = describe(type);
      node.label = label;
      node.edges = edges;
    });
    return node;
  }

  const edge = (role: string, type: ts.Type): Edge => ({ role, node: nodeOf(type) });
  const createNode = (label: string, edges: Edge[] = []): TypeNode => {
    const node = { label, edges, hash: "" };
    others.push(node);
    return node;
  };
  const others: TypeNode[] = [];
  const edgesOf = (role: string, types: readonly ts.Type[]): Edge[] =>
    types.map((type, index) => edge(`${role}${index}`, type));
  const written = (role: string, node: ts.TypeNode | undefined): Edge[] =>
    node === undefined ? [] : [edge(role, checker.getTypeFromTypeNode(node))];

  type Described = Pick<TypeNode, "label" | "edges">;

  function describe(type: ts.Type): Described {
    const { flags, aliasSymbol, aliasTypeArguments = [] } = type;
    if (isForeign(aliasSymbol))
      return { label: aliasSymbol.name, edges: edgesOf("argument", aliasTypeArguments) };
    if (type.isStringLiteral())
      return { label: JSON.stringify(renamedTo(renamed.literals, type.value)), edges: [] };
    if (flags & ts.TypeFlags.UniqueESSymbol) return { label: "unique symbol", edges: [] };
    if (flags & (ts.TypeFlags.Literal | keyword) && !type.isUnion())
      return { label: checker.typeToString(type), edges: [] };
    if (flags & ts.TypeFlags.Boolean) return { label: "boolean", edges: [] };
    if (type.isUnionOrIntersection())
      return {
        label: type.isUnion() ? "union" : "intersection",
        edges: type.types.map((member) => edge("", member)),
      };
    if (type.isTypeParameter()) return describeParameter(type);
    if (flags & ts.TypeFlags.Index)
      return { label: "keyof", edges: [edge("of", (type as ts.IndexType).type)] };
    if (flags & ts.TypeFlags.IndexedAccess) {
      const { objectType, indexType } = type as ts.IndexedAccessType;
      return { label: "indexed access", edges: [edge("object", objectType), edge("index", indexType)] };
    }
    if (flags & ts.TypeFlags.Conditional) {
      const { checkType, extendsType, root: conditional } = type as ts.ConditionalType;
      return {
        label: "conditional",
        edges: [
          edge("check", checkType),
          edge("extends", extendsType),
          ...written("true", conditional.node.trueType),
          ...written("false", conditional.node.falseType),
        ],
      };
    }
    if (flags & ts.TypeFlags.TemplateLiteral) {
      const { texts, types } = type as ts.TemplateLiteralType;
      return { label: `template ${JSON.stringify(texts)}`, edges: edgesOf("part", types) };
    }
    if (flags & ts.TypeFlags.StringMapping) {
      const { symbol, type: of } = type as ts.StringMappingType;
      return { label: symbol.name, edges: [edge("of", of)] };
    }
    if (flags & ts.TypeFlags.Substitution) return describe((type as ts.SubstitutionType).baseType);
    if (flags & ts.TypeFlags.Object) return describeObject(type as ts.ObjectType);
    throw new Error(`a type of an unknown kind: ${checker.typeToString(type)}`);
  }

  /**
   * Describes a type parameter by its position in the declaration that introduces it. Its name is not part of an
   * interface.
   */
  function describeParameter(type: ts.TypeParameter): Described {
    if ("isThisType" in type && type.isThisType) return { label: "this", edges: [] };
    const declaration = type.symbol.declarations?.find(ts.isTypeParameterDeclaration);
    const parent = declaration?.parent as { readonly typeParameters?: readonly ts.Node[] } | undefined;
    const place = declaration === undefined ? 0 : (parent?.typeParameters?.indexOf(declaration) ?? 0);
    let depth = 0;
    for (let outer: ts.Node | undefined = declaration?.parent; outer !== undefined; outer = outer.parent)
      if ("typeParameters" in outer && outer.typeParameters !== undefined) depth += 1;
    return {
      label: `parameter ${depth}.${place}`,
      edges: [...written("extends", declaration?.constraint), ...written("default", declaration?.default)],
    };
  }

  function describeObject(type: ts.ObjectType): Described {
    const reference = type.objectFlags & ts.ObjectFlags.Reference ? (type as ts.TypeReference) : undefined;
    const typeArguments = reference === undefined ? [] : checker.getTypeArguments(reference);
    if (checker.isTupleType(type)) {
      const { elementFlags, readonly } = (type as ts.TupleTypeReference).target;
      return {
        label: `${readonly ? "readonly " : ""}tuple ${elementFlags}`,
        edges: edgesOf("item", typeArguments),
      };
    }
    if (isForeign(type.symbol)) {
      const isValue = type.objectFlags & ts.ObjectFlags.Anonymous;
      return {
        label: `${isValue ? "typeof " : ""}${type.symbol.name}`,
        edges: edgesOf("argument", typeArguments),
      };
    }
    if (type.objectFlags & ts.ObjectFlags.Mapped && checker.getPropertiesOfType(type).length === 0) {
      const declaration = (type as ts.ObjectType & { readonly declaration?: ts.MappedTypeNode }).declaration;
      if (
        declaration?.typeParameter.constraint !== undefined &&
        checker.getIndexInfosOfType(type).length === 0
      )
        return {
          label: `mapped ${declaration.readonlyToken?.getText() ?? ""} ${declaration.questionToken?.getText() ?? ""}`,
          edges: [
            ...written("in", declaration.typeParameter.constraint),
            ...written("as", declaration.nameType),
            ...written("to", declaration.type),
          ],
        };
    }
    return {
      label: "object",
      edges: [
        ...checker
          .getSignaturesOfType(type, ts.SignatureKind.Construct)
          .map((signature, index) => signatureEdge("new", index, signature)),
        ...checker
          .getSignaturesOfType(type, ts.SignatureKind.Call)
          .map((signature, index) => signatureEdge("call", index, signature)),
        ...checker.getIndexInfosOfType(type).map(({ keyType, type: of, isReadonly }) => ({
          role: `${isReadonly ? "readonly " : ""}[index]`,
          node: createNode("index", [edge("key", keyType), edge("value", of)]),
        })),
        ...checker
          .getPropertiesOfType(type)
          .map((property) => propertyEdge(property, type))
          .sort(byRole),
      ],
    };
  }

  function propertyEdge(property: ts.Symbol, owner: ts.Type): Edge {
    const modifiers = (property.declarations ?? []).map((declaration) =>
      ts.getCombinedModifierFlags(declaration),
    );
    const has = (flag: ts.ModifierFlags) => modifiers.some((flags) => (flags & flag) !== 0);
    // Mapped types such as Readonly<T> mark their properties only in an internal flag.
    const { links } = property as { readonly links?: { readonly checkFlags?: number } };
    const isReadonly = has(ts.ModifierFlags.Readonly) || ((links?.checkFlags ?? 0) & 8) !== 0;
    const words = [
      has(ts.ModifierFlags.Private) ? "private" : has(ts.ModifierFlags.Protected) ? "protected" : "",
      isReadonly ? "readonly" : "",
    ].filter((word) => word !== "");
    const ownerName = (owner.aliasSymbol ?? owner.symbol)?.name ?? "";
    const name = renamedTo(
      renamed.members,
      Object.hasOwn(renamed.members, `${ownerName}.${property.name}`)
        ? `${ownerName}.${property.name}`
        : property.name,
    );
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    return {
      role: `${name.replace(/^__@(\w+)@\d+$/, "[$1]")}${isOptional ? "?" : ""}${words.map((word) => ` (${word})`).join("")}`,
      node: nodeOf(checker.getTypeOfSymbol(property)),
    };
  }

  function signatureEdge(kind: string, position: number, signature: ts.Signature): Edge {
    const parameters = signature.getParameters().map((parameter, index) => {
      const declaration = parameter.valueDeclaration;
      const isParameter = declaration !== undefined && ts.isParameter(declaration);
      const isOptional = isParameter && checker.isOptionalParameter(declaration);
      const isRest = isParameter && declaration.dotDotDotToken !== undefined;
      return edge(
        `${isRest ? "..." : ""}${index}${isOptional ? "?" : ""}`,
        checker.getTypeOfSymbol(parameter),
      );
    });
    const predicate = checker.getTypePredicateOfSignature(signature);
    const generics = signature.getTypeParameters() ?? [];
    return {
      role: `${kind} ${position}`,
      node: createNode("signature", [
        ...edgesOf("generic", generics),
        ...parameters,
        ...(predicate?.type === undefined ? [] : [edge(`is ${predicate.parameterIndex}`, predicate.type)]),
        edge("returns", checker.getReturnTypeOfSignature(signature)),
      ]),
    };
  }

  /** Returns the node of an exported symbol: of its value, of its type, or of both. */
  function nodeOfExport(exported: ts.Symbol): TypeNode {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const { flags } = symbol;
    if (flags & ts.SymbolFlags.Namespace && !(flags & ts.SymbolFlags.Function))
      return createNode(
        "namespace",
        checker
          .getExportsOfModule(symbol)
          .map((member) => ({ role: renamedTo(renamed.exports, member.name), node: nodeOfExport(member) }))
          .sort(byRole),
      );
    const isType = (flags & ts.SymbolFlags.Type) !== 0;
    const isValue = (flags & ts.SymbolFlags.Value) !== 0;
    const generics = (symbol.declarations ?? []).flatMap((declaration) => {
      const { typeParameters = [] } = declaration as {
        readonly typeParameters?: readonly ts.TypeParameterDeclaration[];
      };
      return typeParameters.map((parameter) => checker.getTypeAtLocation(parameter));
    });
    return createNode(flags & ts.SymbolFlags.Class ? "class" : isValue ? "value" : "type", [
      ...edgesOf("generic", isType ? generics : []),
      ...(isValue ? [edge("value", checker.getTypeOfSymbol(symbol))] : []),
      ...(isType ? [edge("type", checker.getDeclaredTypeOfSymbol(symbol))] : []),
    ]);
  }

  /** Completes every requested node and sets the hash of each structure. */
  function finish(): void {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) next();
    refine([...nodes.values(), ...others]);
  }

  return { nodeOfExport, finish };
}
