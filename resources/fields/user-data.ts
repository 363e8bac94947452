import type { Api } from "../../provider/definition/api.ts";

/** User data in base64, which also passes the firewall in front that refuses shell text (docs/contract.md#1.1). */
export const encoded = (plain: string): string => Buffer.from(plain).toString("base64");

/** User data as it is sent: encoded, unless it is to go as it is written (docs/contract.md#17.4). */
export const sentText = ({ switches }: Api, plain: string): string =>
  switches.userDataAsWritten ? plain : encoded(plain);
