/** Labels that the API stores as one JSON object. */

/** Returns a rule that rejects a label named `__proto__`, which parsed responses cannot contain. */
export const noPrototypeLabel = <const N extends string>(name: N) => ({
  needs: [name] as const,
  check: (inputs: { readonly [K in N]?: Readonly<Record<string, string>> | undefined }) =>
    Object.hasOwn(inputs[name] ?? {}, "__proto__")
      ? { path: [name, "__proto__"], problem: "cannot be the name of a label" }
      : undefined,
});
