/** Small defects of the sources. Tests must find each of them, so that no change of the tests hides one. */

/** A replacement in the sources, and the test that must find it. */
export interface Defect {
  readonly name: string;
  /** Text that occurs exactly once in the sources. */
  readonly find: string;
  /** Text that replaces it. */
  readonly put: string;
  readonly foundBy: BySimulation | ByTest;
}

/** `npm run sim -- --world W --until-violation` finds a violation within 1,000 seeds. */
export interface BySimulation {
  readonly world: "kind" | "shared";
}

/** Name of the only test that fails. */
export interface ByTest {
  readonly test: string;
}

export const defects: readonly Defect[] = [
  {
    name: "repeated-post",
    find: `(endpoint.semantics === "read" && (outcome.kind === "ambiguous"`,
    put: `(endpoint.semantics !== "delete" && (outcome.kind === "ambiguous"`,
    foundBy: { world: "kind" },
  },
  {
    name: "forgotten-id",
    find: "const { id, isFound, isNone } = await identifyFailed(context, before, progress, failed);",
    put: "const { id, isFound, isNone } = await identifyFailed(context, before, failed ? progress : {}, failed);",
    foundBy: { world: "kind" },
  },
  {
    name: "refusal-as-gone",
    find: ": await look(operation, addressOf(resource, id, region, state.values), state);",
    put: `: await look(operation, addressOf(resource, id, region, state.values), state).catch((error) => {
          if (error.status === 403) return undefined;
          throw error;
        });`,
    foundBy: { world: "kind" },
  },
  {
    name: "untold-secret",
    find: `if (hasShownOnce(resource))
    throw notTaken(`,
    put: `if (hasShownOnce(resource) && id === undefined)
    throw notTaken(`,
    foundBy: { world: "kind" },
  },
  {
    name: "absent-password",
    find: "if (password === undefined && otpRequired) throw",
    put: "if (password === undefined && otpRequired && given !== undefined) throw",
    foundBy: { world: "kind" },
  },
  {
    name: "failed-after-ready",
    find: "error instanceof FailedError && progress.ready !== true",
    put: "error instanceof FailedError",
    foundBy: {
      test: "a machine that was ready and fails while its create stops it is not replaced by the next run",
    },
  },
  {
    name: "made-in-this-run-adopted",
    find: "if (session.createdAt.has(id) || session.adoptedIds.has(id))",
    put: "if (session.adoptedIds.has(id))",
    foundBy: { test: "adopt_existing does not take over what another resource made in the same run" },
  },
  {
    name: "masked-row-unknown",
    find: `if (rows?.some(({ id }) => matchesMasked(id, address.id)))
    throw`,
    put: `if (rows?.some(({ id }) => id === address.id))
    throw`,
    foundBy: { test: "a VPC that cannot be read while a listing shows it under a masked id is not gone" },
  },
  {
    name: "guarded-delete-after-401",
    find: `const refused = outcome.kind === "auth" && !once;`,
    put: `const refused = outcome.kind === "auth";`,
    foundBy: {
      test: "a delete with a one-time password that a 401 refuses is not sent again with a new token",
    },
  },
  {
    name: "quoted-line",
    find: "    .concat(long)\n",
    put: "",
    foundBy: { test: "a line of a secret of several lines is taken out" },
  },
  {
    name: "opaque-etags-alike",
    find: 'return isDigest(a.etag) && isDigest(b.etag) ? "other" : "unknown";',
    put: 'return isDigest(a.etag) && isDigest(b.etag) ? "other" : "same";',
    foundBy: {
      test: "where etags tell nothing of the content, no rename takes the place of an object of the same size",
    },
  },
  {
    name: "any-certificate",
    find: `rejectUnauthorized: true,
    ...(certificates`,
    put: "...(certificates",
    foundBy: { test: "a server whose certificate nobody vouches for gets no request" },
  },
  {
    name: "protected-partial-state",
    find: "for (const name of localFields) values[name] = null;",
    put: "",
    foundBy: { test: "a volume whose create was stopped is not protected yet, and can be deleted" },
  },
];
