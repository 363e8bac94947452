/** Prefix of the paths of the provider's methods. Calls to any other path need no definitions. */
export const servicePath = "/tfplugin6.Provider/";

/** Methods with constant responses, which depend only on the definitions. */
export const constantPaths: readonly string[] = [
  `${servicePath}GetProviderSchema`,
  `${servicePath}GetResourceIdentitySchemas`,
  `${servicePath}GetMetadata`,
  `${servicePath}GetFunctions`,
];
