import type { Api } from "../../provider/definition/api.ts";

/** Encodes user data in base64, which also passes the firewall that rejects shell text (docs/contract.md#1.1). */
export const encoded = (plain: string): string => Buffer.from(plain).toString("base64");

/** Returns user data as it is sent: in base64, or unchanged with `user_data_as_written` (docs/contract.md#17.4). */
export const sentText = ({ switches }: Api, plain: string): string =>
  switches.userDataAsWritten ? plain : encoded(plain);
