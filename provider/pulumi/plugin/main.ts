import "../../platform/runtime.ts";

/** Program of the Pulumi plugin. The rest is a part of the bundle, since only parts have a code cache. */
void import("./serve.ts");
