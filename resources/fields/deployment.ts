import * as z from "zod/mini";
import { field } from "../../provider/definition/field.ts";
import { text } from "../../provider/definition/validator.ts";
import { unreadable } from "./option.ts";

/** Ready-made deployment that is started with an instance (docs/contract.md#6). */

const secretInput = { ...unreadable, secret: true } as const;

/** Fields of the deployment. */
export const deploymentFields = {
  easydeployType: field(
    z.optional(text),
    "Type of the ready-made deployment to start on the instance.",
    unreadable,
  ),
  gatewayPassword: field(z.optional(text), "Password of the gateway of the deployment.", secretInput),
  modelName: field(z.optional(text), "Name of the model that the deployment serves.", unreadable),
  modelApiKey: field(z.optional(text), "API key with which the deployment downloads its model.", secretInput),
};
