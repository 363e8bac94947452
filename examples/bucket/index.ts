import { Bucket } from "@kcloud/iac/pulumi";

// A destroy requires a one-time password: SERVICE_OTP, or otpCommand of the provider.
const orders = new Bucket("orders", { versioning: true, tags: { team: "orders" } });

export const url = orders.url;
