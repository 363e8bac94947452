/** Small defects of the sources, each with the test or simulation that must find it. They prove that the tests can fail. */

/** Replacement in the sources, and the test that must detect it. */
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
    find: `(semantics === "read" && (kind === "ambiguous"`,
    put: `(semantics !== "delete" && (kind === "ambiguous"`,
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
    find: ": await readUnlessGone(operation, addressOf(resource, id, region, state.values), state, isNew);",
    put: `: await readUnlessGone(operation, addressOf(resource, id, region, state.values), state, isNew).catch((error) => {
          if (error.status === 403) return undefined;
          throw error;
        });`,
    foundBy: { world: "kind" },
  },
  {
    name: "untold-secret",
    find: `if (hasShownOnce(resource))
    throw notAccepted(`,
    put: `if (hasShownOnce(resource) && id === undefined)
    throw notAccepted(`,
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
    find: "noteOwned(operation, address, { isAdopted: false, createdAt });",
    put: "",
    foundBy: {
      test: "adopt_existing does not adopt an object that another resource created in the same run",
    },
  },
  {
    name: "masked-row-unknown",
    find: "if (rows?.some(({ id }) => matchesMasked(id, address.id))) throw",
    put: "if (rows?.some(({ id }) => id === address.id)) throw",
    foundBy: { test: "a VPC that cannot be read while a listing shows it under a masked id is not gone" },
  },
  {
    name: "guarded-delete-after-401",
    find: `const refused = outcome.kind === "auth" && !once;`,
    put: `const refused = outcome.kind === "auth";`,
    foundBy: {
      test: "a delete with a one-time password that gets a 401 is not sent again with a new token",
    },
  },
  {
    name: "quoted-line",
    find: '.map((line): Part => ["line", line]),',
    put: ".flatMap((): Part[] => []),",
    foundBy: { test: "a single line of a multi-line secret is redacted" },
  },
  {
    name: "short-line-shown",
    find: "!frame.test(line) && !isWord(line)",
    put: "!frame.test(line) && line.length >= 16",
    foundBy: {
      test: "of the lines of a secret, those that are no common words are redacted alone, short ones too",
    },
  },
  {
    name: "one-alignment",
    find: "for (let start = 0; start < starts; start++) {",
    put: "for (let start = 0; start < 1; start++) {",
    foundBy: { test: "a secret inside base64 is redacted at every offset" },
  },
  {
    name: "readable-one-time-command",
    find: 'const secrets = /"(api_key|password|secret_key|otp_command)"/;',
    put: 'const secrets = /"(api_key|password|secret_key)"/;',
    foundBy: {
      test: "a file with a command that prints one-time passwords is rejected if others may read it",
    },
  },
  {
    name: "opaque-etags-alike",
    find: 'return isDigest(a.etag) && isDigest(b.etag) ? "other" : "unknown";',
    put: 'return isDigest(a.etag) && isDigest(b.etag) ? "other" : "same";',
    foundBy: {
      test: "if etags do not identify the content, a rename does not replace an object of the same size",
    },
  },
  {
    name: "any-certificate",
    find: `rejectUnauthorized: true,
    ...(certificates`,
    put: "...(certificates",
    foundBy: { test: "no request is sent to a server with an untrusted certificate" },
  },
  {
    name: "candidate-by-name",
    find: `return seen === undefined ? { other: [], missing: ["state"] } : compareFound(resource.fields, seen, inputs);`,
    put: "return { other: [], missing: [] };",
    foundBy: { world: "shared" },
  },
  {
    name: "batch-by-name",
    find: "const own = ownAmong(all, id, known);\n  const missing",
    put: `const own =
    jobIds.length > 0 ? all.filter((machine) => isNamedBy(name, machine.name)) : ownAmong(all, id, known);
  const missing`,
    foundBy: {
      test: "instances of another batch whose names fit stay out of the batch, and its destroy deletes none of them",
    },
  },
  {
    name: "empty-group",
    find: `  if (field.kind === "group")
    return (
      isRecord(value) &&`,
    put: `  if (field.kind === "group")
    return (
      false && isRecord(value) &&`,
    foundBy: { world: "shared" },
  },
  {
    name: "conflict-as-echo",
    find: "if (found.rows.length > 0) return { existing: found.rows, conflict: error };",
    put: "if (found.rows.length > 0) return { id: pickCreated(context, found, error), found: true };",
    foundBy: { world: "shared" },
  },
  {
    name: "older-than-request",
    find: "return found.filter((row) => !old.has(row.id) && (createdAtOf(row) ?? Number.POSITIVE_INFINITY) >= oldest);",
    put: "return found.filter((row) => !old.has(row.id));",
    foundBy: {
      test: "a volume of another user that a shared listing does not show yet is not adopted",
    },
  },
  {
    name: "omitted-field",
    find: "else values[name] = shown === null && isAlwaysShown(field) ? own : shown;",
    put: "else values[name] = shown;",
    foundBy: { world: "shared" },
  },
  {
    name: "unknown-after-any-change",
    find: `field.kind === "computed" && field.options.changesWith?.some((input) => sent.has(input)) ? [name] : [],`,
    put: `field.kind === "computed" && sent.size > 0 ? [name] : [],`,
    foundBy: { world: "shared" },
  },
  {
    name: "object-of-two-resources",
    find: "if (a.owner !== undefined && a.owner === b.owner) return false;",
    put: "if (a.owner !== undefined) return false;",
    foundBy: {
      test: "with adopt_existing, a create of an object in the state of another resource is a problem",
    },
  },
  {
    name: "cut-at-stop",
    find: "const inFlight = call.graceMs === undefined ? limit : new AbortController();",
    put: "const inFlight = call.graceMs !== 0 ? limit : new AbortController();",
    foundBy: { world: "shared" },
  },
  {
    name: "repeated-after-refusal",
    find: "const rows = newRows(context, before, await existingRows(context, ever, clock.monotonic()));",
    put: "const rows: Row<Fields>[] = [];",
    foundBy: { world: "shared" },
  },
  {
    name: "new-object-gone",
    find: "return age >= 0 && age < session.settings.settleSeconds * 1000;",
    put: "return false;",
    foundBy: { world: "shared" },
  },
  {
    name: "any-account",
    find: `if (account === undefined || others === "") return;`,
    put: "return;",
    foundBy: { world: "shared" },
  },
  {
    name: "gateway-as-gone",
    find: "if (hasDecidingList(resource) || resource.notReadable !== undefined) return true;",
    put: "return true;",
    foundBy: { world: "shared" },
  },
  {
    name: "pod-gone-after-404",
    find: "if (notReadable === undefined && !isHidden) return true;",
    put: "return true;",
    foundBy: {
      test: "a pod counts as gone once its delete is answered 404 for settle_seconds, and no sooner",
    },
  },
  {
    name: "protected-partial-state",
    find: "for (const name of localFields) values[name] = null;",
    put: "",
    foundBy: { test: "a volume whose create was stopped is not protected yet, and can be deleted" },
  },
  {
    name: "recorded-of-another-batch",
    find: "!others.has(machine.batchId)",
    put: "others.size >= 0",
    foundBy: {
      test: "instances of another batch that version 0.1.0 recorded by their names stay out of the batch",
    },
  },
  {
    name: "zero-is-a-value",
    find: "return isZero && !valueSchema(field).safeParse(value).success ? null : value;",
    put: "return value;",
    foundBy: {
      test: "no field that one response shows as an empty text or as zero makes a plan change an unchanged object",
    },
  },
  {
    name: "masked-is-another",
    find: "const values = withoutMasks(withoutZeros(resource.fields, seen), mine);",
    put: "const values = ((_) => withoutZeros(resource.fields, seen))(mine);",
    foundBy: { test: "a port whose security groups every response masks is created" },
  },
  {
    name: "moving-total",
    find: "if (all.length < found.least) throw",
    put: "if (all.length < 0) throw",
    foundBy: {
      test: "every page is the first one, and every page has another total: the listing is incomplete",
    },
  },
  {
    name: "forgotten-plan",
    find: "decodePlanned(plannedPrivate).managed ?? prior.managed",
    put: "prior.managed",
    foundBy: {
      test: "the apply of a create whose name was unknown in the plan does not adopt an object that another resource manages",
    },
  },
  {
    name: "dynamic-shared-delete",
    find: "{ ...call(state.values), managed });",
    put: "call(state.values));",
    foundBy: {
      test: "with adoptExisting, a second resource does not adopt an object that another one manages, and its delete keeps the object",
    },
  },
  {
    name: "title-without-name",
    find: "const plain = describeObject({ kind, name });",
    put: "const plain = describeObject({ kind });",
    foundBy: {
      test: "objects of one name differ by their ids, and before their create by the object that they belong to",
    },
  },
  {
    name: "equal-titles",
    find: "return first === exact ? plain : exact;",
    put: "return plain;",
    foundBy: {
      test: "objects of equal name have different titles: Terraform merges warnings of equal title",
    },
  },
  {
    name: "unknown-form-is-set",
    find: "isGiven(value) && value !== UNKNOWN;",
    put: "isGiven(value);",
    foundBy: { test: "no form of a secret conflicts with another one while it is unknown" },
  },
];
