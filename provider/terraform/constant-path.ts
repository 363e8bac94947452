/** The methods that every process answers alike, whatever is asked with them: their answers follow from the definitions. */
export const constantPaths: readonly string[] = [
  "/tfplugin6.Provider/GetProviderSchema",
  "/tfplugin6.Provider/GetResourceIdentitySchemas",
  "/tfplugin6.Provider/GetMetadata",
  "/tfplugin6.Provider/GetFunctions",
];
