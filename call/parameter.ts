import type { Operation } from "../operation/operation.ts";
import { hasSecret, type JsonSchema, parameterSchema } from "../operation/schema.ts";
import { hyphenated, snakeCase } from "../provider/core/name.ts";

/** Parameters of an operation as options of the command line. */

/** Parameter of an operation. */
export interface Parameter {
  /** Name in the table: `vpcId`. */
  readonly name: string;
  /** Name of the option, without dashes: `vpc-id`. */
  readonly option: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** True if the value is a secret or contains one. */
  readonly isSecret: boolean;
}

/** Converts `vpcId` to `vpc-id`. */
export const optionOf = (name: string): string => hyphenated(snakeCase(name));

/** Returns the option that names an environment variable with the value of a secret parameter: `password-env`. */
export const variableOption = ({ option }: Parameter): string => `${option}-env`;

/** Returns the parameters of an operation in the order of the table. */
export function parametersIn(operation: Operation): readonly Parameter[] {
  const { properties = {}, required = [] } = parameterSchema(operation);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    option: optionOf(name),
    schema,
    isRequired: required.includes(name),
    isSecret: hasSecret(schema),
  }));
}

/** Returns the option that sets a boolean parameter to false: `no-force`. */
export const negationOf = ({ option }: Parameter): string => `no-${option}`;
