import { dynamicType, provider } from "../names.ts";
import type { FunctionSpec, PackageSpec, ResourceSpec } from "./schema.ts";
import type { PropertySpec, TypeSpec } from "./schema-type.ts";
import { docText, interfaceText, typeName, typeText } from "./sdk-type.ts";

/** What differs between the two faces; all else is the same text. */
interface FaceText {
  /** Imports, and what stands before the first class. */
  readonly head: (spec: PackageSpec) => string;
  /** The type of a class, and the one it is known by in the other face. */
  readonly types: (token: string) => { readonly type: string; readonly alias: string };
  /** What a class registers. */
  readonly inputs: (name: string) => string;
  readonly invoke: (token: string) => string;
  readonly invokeOutput: (token: string) => string;
}

const imports = (runtime: string): string =>
  [
    'import * as pulumi from "@pulumi/pulumi";',
    'import { optionsOf, propertiesOf, settingsOf } from "../provider/pulumi/class.ts";',
    runtime,
    'import type * as types from "./types.ts";',
    "",
    'export type * from "./types.ts";',
    "",
  ].join("\n");
