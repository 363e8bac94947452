/** Methods with constant responses, which depend only on the definitions. */
export const constantPaths: readonly string[] = [
  "/tfplugin6.Provider/GetProviderSchema",
  "/tfplugin6.Provider/GetResourceIdentitySchemas",
  "/tfplugin6.Provider/GetMetadata",
  "/tfplugin6.Provider/GetFunctions",
];
