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
interface BySimulation {
  readonly world: "kind" | "shared";
}

/** Name of the only test that fails. */
interface ByTest {
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
    find: 'if (id !== undefined) return { is: isFound ? "found" : "recorded", id };',
    put: 'if (id !== undefined && isFailed) return { is: isFound ? "found" : "recorded", id };',
    foundBy: { world: "kind" },
  },
  {
    name: "refusal-as-gone",
    find: "const sought = await readUnlessGone(operation, address, state, isNew);",
    put: `const sought = await readUnlessGone(operation, address, state, isNew).catch((error) => {
    if (error.status === 403) return { is: "gone" as const, namesakes: [] };
    throw error;
  });`,
    foundBy: { world: "kind" },
  },
  {
    name: "untold-secret",
    find: `if (visibilityOf(resource).isShownOnce)
    return refused(`,
    put: `if (visibilityOf(resource).isShownOnce && id === undefined)
    return refused(`,
    foundBy: { world: "kind" },
  },
  {
    name: "absent-password",
    find: "if (password === undefined && otpRequired) throw",
    put: "if (password === undefined && otpRequired && configured !== undefined) throw",
    foundBy: { world: "kind" },
  },
  {
    name: "failed-after-ready",
    find: "error instanceof FailedError && progress.isReady !== true",
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
    find: "return rows.some((row) => matchesMasked(row.id, id)) ? listedOnly",
    put: "return rows.some((row) => row.id === id) ? listedOnly",
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
    find: "for (const line of linesOf(form)) add(line, true);",
    put: "",
    foundBy: { test: "a single line of a multi-line secret is redacted" },
  },
  {
    name: "short-line-shown",
    find: "line !== text && !common.test(line)",
    put: "line !== text && line.length >= 16",
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
    find: 'return observed === undefined ? { other: [], missing: ["state"] } : compareFound(fields, observed, inputs);',
    put: "return { other: [], missing: [] };",
    foundBy: { world: "shared" },
  },
  {
    name: "batch-by-name",
    find: "const members = ownAmong(all, id, known);\n  const missing",
    put: `const members =
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
    find: ": { existing: found.rows, conflict: error };",
    put: ": picked(context, found, error);",
    foundBy: { world: "shared" },
  },
  {
    name: "older-than-request",
    find: "(row) => !isEarlier(row) && (createdAtOf(row) ?? Number.POSITIVE_INFINITY) >= oldest,",
    put: "(row) => !isEarlier(row),",
    foundBy: {
      test: "a volume of another user that a shared listing does not show yet is not adopted",
    },
  },
  {
    name: "omitted-field",
    find: "else values[name] = shown === null && isAlwaysShown(field) ? stored : shown;",
    put: "else values[name] = shown;",
    foundBy: { world: "shared" },
  },
  {
    name: "unknown-after-any-change",
    find: "field.options.changesWith?.some((input) => changed.has(input))",
    put: "changed.size > 0",
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
    find: "const inFlight = graceMs === undefined ? limit : new AbortController();",
    put: "const inFlight = graceMs !== 0 ? limit : new AbortController();",
    foundBy: { world: "shared" },
  },
  {
    name: "repeated-after-refusal",
    find: "const rows = newRows(context, await existingRows(context, ever, clock.monotonic()));",
    put: "const rows: Row<Fields>[] = [];",
    foundBy: { world: "shared" },
  },
  {
    name: "new-object-gone",
    find: "return age >= -aheadMs ? age : Number.POSITIVE_INFINITY;",
    put: "return Number.POSITIVE_INFINITY;",
    foundBy: { world: "shared" },
  },
  {
    name: "any-account",
    find: `if (account === undefined || others === "") return;`,
    put: "return;",
    foundBy: { world: "shared" },
  },
  {
    name: "created-in-any-account",
    find: "if (id === undefined || account === undefined || account === configured ||",
    put: "if (account !== undefined || id === undefined || account === configured ||",
    foundBy: {
      test: "a create in another account than account_id is an error with the state of the new object",
    },
  },
  {
    name: "late-account-of-delete",
    find: "if (!acceptedDeletes.has(key)) refuseOtherAccount(operation, state);",
    put: "",
    foundBy: { test: "a delete of a new object in another account fails at once" },
  },
  {
    name: "gateway-as-gone",
    find: "if (isListDecisive || !isReadable) return true;",
    put: "return true;",
    foundBy: { world: "shared" },
  },
  {
    name: "pod-gone-after-404",
    find: "return (isReadable && !isHidden) || session",
    put: "return true || session",
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
    find: "const values = withRecordedIds(withoutZeros(resource.fields, observed), recorded);",
    put: "const values = ((_) => withoutZeros(resource.fields, observed))(recorded);",
    foundBy: { test: "a listing that spells the region of ids otherwise changes no object and no state" },
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
    find: "const { replaces: replacedBefore, holders: known = prior.holders ?? {} } = decodePlanned(plannedPrivate);",
    put: "const { replaces: replacedBefore } = decodePlanned(plannedPrivate), known = prior.holders ?? {};",
    foundBy: {
      test: "the apply of a create whose name was unknown in the plan does not adopt an object that another resource manages",
    },
  },
  {
    name: "dynamic-shared-delete",
    find: "{ ...call(state.values), keptOf });",
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
  {
    name: "outside-change-undone",
    find: "if (shown === undefined || sameValue(field, planned, shown)) return { planned, sent: planned };",
    put: "return { planned, sent: planned };",
    foundBy: {
      test: "a changed tag does not open a bucket that was closed in the console, nor turn its versioning off",
    },
  },
  {
    name: "own-write-undone",
    find: `isRecent(operation, id, began) ||
  ageOf(operation.session, { recorded: writtenAt }, began) < settleMs(operation.session);`,
    put: "isRecent(operation, id, began);",
    foundBy: {
      test: "until settle_seconds after our own write, recorded values are sent: a read may show what was there before",
    },
  },
  {
    name: "labels-replaced",
    find: "return mergedMap(isRecord(before) ? before : {}, isRecord(after) ? after : {}, shown);",
    put: "return after;",
    foundBy: {
      test: "labels that a plan does not change keep their values, also those that were added in the console",
    },
  },
  {
    name: "hosts-restored",
    find: "...after.filter((item) => isIn(shown, item) || !isIn(old, item)),",
    put: "...after,",
    foundBy: {
      test: "a changed list of a bucket policy keeps the other one, and the addresses that were removed in the console",
    },
  },
  {
    name: "unset-as-missing",
    find: "(value === null && isAlwaysShown(field))",
    put: "value === null",
    foundBy: {
      test: "a renamed lifecycle rule stays disabled, and without an action that was removed, as in the console",
    },
  },
  {
    name: "first-response-decides",
    find: "if (!names.some(lacks)) return observed;",
    put: "if (observed !== undefined) return observed;",
    foundBy: {
      test: "a response that lacks a field is completed by a second one, otherwise by the record",
    },
  },
  {
    name: "unknown-conditions-removed",
    find: "endpoint.writes.filter((name) => unread.includes(name) && !planned.has(name))",
    put: "endpoint.writes.filter((name) => unread.includes(name) && planned.has(name))",
    foundBy: {
      test: "an imported account policy is not changed while its conditions are not known, which a change would remove",
    },
  },
  {
    name: "unchanged-fields-awaited",
    find: "driftedFields(resource.fields, observed, selected(expected(), changed), changed)",
    put: "driftedFields(resource.fields, observed, expected(), changed)",
    foundBy: { test: "a volume grows although its description was changed in the console" },
  },
  {
    name: "new-key-unread",
    find: "const renamed = tracker.sent && moved.id !== id ? await read(moved) : undefined;",
    put: "const renamed = undefined;",
    foundBy: { test: "after a rename whose upload failed, the state has the object under its new key" },
  },
  {
    name: "masked-value-recorded",
    find: "field.options.once || masksStored(stored, shown)",
    put: "field.options.once",
    foundBy: {
      test: "a computed value that a response masks keeps the recorded one, and is shown while none is recorded",
    },
  },
  {
    name: "time-of-the-machine",
    find: "known(instant) ?? Math.floor(clock.wall()",
    put: "Math.floor(clock.wall()",
    foundBy: {
      test: "a runner whose clock is a minute ahead does not forget a new subnet that no listing shows yet",
    },
  },
  {
    name: "late-object-taken",
    find: `return createdAt > latest ? "was created later" : undefined;`,
    put: "return undefined;",
    foundBy: {
      test: "an apply after an interrupted create destroys no equal volume that a colleague created an hour later",
    },
  },
  {
    name: "late-row-without-time-taken",
    find: "isDated || !listedIds.has(comparable(row.id))",
    put: "isDated",
    foundBy: {
      test: "an apply after an interrupted create destroys no equal key that a colleague created an hour later",
    },
  },
  {
    name: "late-miss-of-a-delete",
    find: "missing = { since: since + unprovenMs(last, now), last: now };",
    put: "missing = { since, last: now };",
    foundBy: {
      test: "the pause before a late 404 does not count as absence after a delete with an unclear response",
    },
  },
  {
    name: "renamed-object-not-new",
    find: "moved.id === id ? changeTime(operation, id, prior) : operation.session.serverClock.time();",
    put: "changeTime(operation, id, prior);",
    foundBy: {
      test: "a renamed object that a gateway does not find stays in the state while listings may not show its new key",
    },
  },
  {
    name: "row-without-id-at-any-time",
    find: "matches(resource, row, values)) && !isOther;",
    put: "matches(resource, row, values));",
    foundBy: {
      test: "a listed instance without an ID that was created later does not keep a deleted one of its name in the state",
    },
  },
  {
    name: "row-without-id-and-name-is-another",
    find: "(isUnnamed(resource, row) || matches(resource, row, values))",
    put: "matches(resource, row, values)",
    foundBy: { test: "an address stays in the state while a listing shows one without its id and name" },
  },
  {
    name: "found-after-stop-unsaid",
    find: 'operation.warn({ code: "found-by-search", subject: operation.subject, id: pick.id });',
    put: "",
    foundBy: {
      test: "the read after a stop finds the volume whose response did not arrive, and Terraform says that it replaces it",
    },
  },
  {
    name: "vpc-with-a-subnet-is-one-without",
    find: "other: [...drifted.filter((path) => !isMissing(path)), ...unrequested],",
    put: "other: drifted.filter((path) => !isMissing(path)),",
    foundBy: { test: "another user's VPC with a subnet is not that of a create without one" },
  },
  {
    name: "spelling-of-a-resumed-update",
    find: "{ ...withRecordedIds(observed, prior.values), region }",
    put: "{ ...observed, region }",
    foundBy: { test: "an update without a change keeps the recorded spelling of ids" },
  },
  {
    name: "later-job-taken",
    find: "(machines) => !machines.some(({ createdAt }) => isLater(createdAt)),",
    put: "() => true,",
    foundBy: {
      test: "the growth of a batch whose request was not executed takes no later batch of its name",
    },
  },
  {
    name: "rejected-growth-awaited",
    find: "isOnce(resource.fields[name]) && !sent.has(name)",
    put: "isOnce(undefined)",
    foundBy: { test: "a rejected growth right after the create is planned again" },
  },
  {
    name: "groups-of-a-port-overwritten",
    find: 'writes: ["securityGroups"],',
    put: "",
    foundBy: {
      test: "groups of a port that were added in the console stay when the list of the port or of its instance changes",
    },
  },
  {
    name: "later-object-of-a-deleted-id-ignored",
    find: "if (!hasGivenId(resource))",
    put: "if (resource.idField === undefined)",
    foundBy: {
      test: "a policy whose create was executed and answered 404 is found, also after the delete of the policy that it replaces",
    },
  },
  {
    name: "given-id-by-its-name",
    find: "if (requestedId !== undefined) return sameId(row.id, requestedId);",
    put: "",
    foundBy: {
      test: "a policy with the identifier of an existing one is rejected before anything is sent, whatever its name",
    },
  },
  {
    name: "unanswered-growth-by-its-recorded-job",
    find: 'isUnanswered = tracker.sent && (outcome === "unanswered" || outcome === "rejected");',
    put: "",
    foundBy: { test: "the destroy after a growth whose response was lost deletes its instances" },
  },
  {
    name: "first-miss-not-reset",
    find: `missing = undefined;
      return isUntouched(observed)`,
    put: "return isUntouched(observed)",
    foundBy: {
      test: "a delete starts to wait for settle_seconds again if a read shows the object between two spells of 404",
    },
  },
  {
    name: "failed-mark-lost-while-pending",
    find: 'state.failed !== undefined && at !== "ready" ? { ...current',
    put: 'state.failed !== undefined && at === "failed" ? { ...current',
    foundBy: {
      test: "an object that never became ready is still replaced after a read that shows it as pending",
    },
  },
  {
    name: "larger-job-taken",
    find: "others.length > 0 || job.length > missing ||",
    put: "others.length > 0 ||",
    foundBy: {
      test: "a destroy of a batch that did not finish keeps a larger batch of another user, the only one of that name",
    },
  },
  {
    name: "version-of-pulumi-state",
    find: "if (!isReadable(resource, version)) throw newerState(resource, id, outputs);",
    put: "if (typeof version !== 'number') throw newerState(resource, id, outputs);",
    foundBy: {
      test: "a state that a newer version of the plugin wrote is refused by diff, read, update and delete, and nothing is sent",
    },
  },
  {
    name: "known-file-checksum",
    find: "const unread = new Set(changes.length > 0 ? Object.keys(unsent) : []);",
    put: "const unread = new Set([]);",
    foundBy: {
      test: "a file that the same apply writes is planned with an unknown checksum, and uploaded as it is then",
    },
  },
  {
    name: "missing-file-replaced",
    find: `...(base.action === "replace" ? files.map(lostBy) : [])`,
    put: "",
    foundBy: {
      test: "a replacement whose file does not exist yet is refused in the plan, as the object would be lost",
    },
  },
  {
    name: "delete-of-kept",
    find: 'if (held.isKept(objectKeys, owner ?? id)) return "itself";',
    put: "",
    foundBy: { world: "shared" },
  },
  {
    name: "name-of-a-rename",
    find: 'const isRenamed = moved.id !== id || changed.has("name");',
    put: "const isRenamed = moved.id !== id;",
    foundBy: {
      test: "a create waits while the same run renames the object of its name, however far the rename is",
    },
  },
  {
    name: "import-of-a-leaving-object",
    find: 'if (holders.includes("leaving")) return "leaving";',
    put: 'if (holders.includes("leaving")) return "other";',
    foundBy: { test: "a create of an object that another resource has offers no import" },
  },
  {
    name: "part-of-another-object",
    find: 'held.addDelete(parts, "part");',
    put: "",
    foundBy: {
      test: "an object that is deleted with another one is not deleted while another entry keeps it, in any order",
    },
  },
  {
    name: "part-at-its-own-address",
    find: 'return held.isKept(keys.map(partKey), entry.id) ? twice("kept part") : [];',
    put: "return [];",
    foundBy: {
      test: "a part is not deleted at its own address while the object that it is part of stays, in any order",
    },
  },
  {
    name: "identity-of-an-unread-object-recorded",
    find: "values: isRead ? values : withRecordedIdentity(resource, values, prior.values, changed),",
    put: "values,",
    foundBy: {
      test: "a rename of an object that no read shows records no etag of other content, which the next plan shows",
    },
  },
  {
    name: "one-miss-is-absent",
    find: "const missesBeforeAbsent = 2;",
    put: "const missesBeforeAbsent = 1;",
    foundBy: { test: "one response that does not find an object is no permission to rename or delete it" },
  },
  {
    name: "unsent-change-is-unconfirmed",
    find: 'if (isAmbiguous(error) && !isSent) return "unsent";',
    put: "",
    foundBy: {
      test: "a growth whose listing before the request is incomplete is sent once the listing is complete, and a destroy deletes all",
    },
  },
  {
    name: "escape-with-the-start-of-a-secret",
    find: 'text.replace(escapeParts, "").length',
    put: "length",
    foundBy: {
      test: "a secret is redacted whose first or last characters complete an escape of the text around it",
    },
  },
  {
    name: "token-in-a-line",
    find: "for (const token of tokensOf(form)) add(token, false);",
    put: "",
    foundBy: { test: "a token in a line of a script is redacted, and in parts too" },
  },
  {
    name: "kept-and-deleted",
    find: 'if (held.isKept(keys, entry.id)) return twice("itself");',
    put: "",
    foundBy: {
      test: "a plan that keeps an object at one address and deletes it at another is an error, in either order and spelling",
    },
  },
  {
    name: "id-by-spelling",
    find: "return uuid === undefined ? undefined : keyOf(resource.name, uuid);",
    put: "return uuid === undefined ? undefined : keyOf(resource.name, id);",
    foundBy: {
      test: "a plan that keeps an object at one address and deletes it at another is an error, in either order and spelling",
    },
  },
  {
    name: "id-of-another-bucket",
    find: "hasFreeId(resource) ? undefined : uuidIn(id)",
    put: "uuidIn(id)",
    foundBy: {
      test: "two objects whose keys are the same UUID in two buckets, or differ in case or before a colon, are not managed twice",
    },
  },
  {
    name: "spelling-recorded",
    find: "if (!isMasked(value)) return known.get(comparable(value)) ?? value;",
    put: "if (!isMasked(value)) return value;",
    foundBy: {
      test: "the instances of a batch are recorded ones in any spelling, while rows omit their job",
    },
  },
  {
    name: "gone-by-spelling",
    find: "session.objects.gone.has(addressKey(resource, address));",
    put: "session.objects.gone.has(JSON.stringify([resource.name, address]));",
    foundBy: {
      test: "a late listing that spells the id of a deleted object otherwise does not stop the create of the next one",
    },
  },
  {
    name: "renamed-is-gone",
    find: "return createdAt !== undefined && createdAtOf(row) === createdAt && matches(resource, row, recorded);",
    put: "return false;",
    foundBy: {
      test: "a row under another id with the recorded name and creation time is a doubt, and the error names both ids",
    },
  },
  {
    name: "namesake-not-named",
    find: "isNamed ? matching(resource, rows ?? [], recorded).map(({ id }) => id) : [];",
    put: "[];",
    foundBy: {
      test: "a later object of the name is another one: the object leaves the state, and the warning names the other one",
    },
  },
  {
    name: "task-of-an-earlier-object",
    find: "if (id !== undefined && !isEarlier(id)) progress.id = id;",
    put: "if (id !== undefined) progress.id = id;",
    foundBy: {
      test: "a task ID that the API used for an earlier object does not make that object the created one",
    },
  },
  {
    name: "task-of-another-object",
    find: "await refuseOther(operation, state, addressOf(resource, progress.id, region, state.values));",
    put: "",
    foundBy: {
      test: "the object of another name under the task of an interrupted create is not touched, and the error names it",
    },
  },
  {
    name: "attachment-of-a-later-one",
    find: "const isTimed = visibilityOf(resource).isReadable || hasGivenId(resource);",
    put: "const isTimed = visibilityOf(resource).isReadable;",
    foundBy: {
      test: "an attachment that is replaced by one of the same policy is not detached: the policy stays in force",
    },
  },
  {
    name: "stated-failures-not-reset",
    find: "evidence.statedFailures = isStated ? evidence.statedFailures + 1 : 0;",
    put: "evidence.statedFailures += isStated ? 1 : 0;",
    foundBy: {
      test: "only consecutive errors inside a 200 end a delete: another response between them starts the count again",
    },
  },
  {
    name: "masked-row-is-gone",
    find: 'if (rows?.some(({ id }) => matchesMasked(id, address.id))) return { pending: "still listed" };',
    put: 'if (rows?.some(({ id }) => id === address.id)) return { pending: "still listed" };',
    foundBy: {
      test: "an object whose listed id is masked still exists after a delete that was not executed",
    },
  },
  {
    name: "row-without-id-is-known",
    find: 'const before = context.before.filter((row) => row.id !== "");',
    put: "const { before } = context;",
    foundBy: {
      test: "a failed instance without an ID may exist, although another one without an ID was listed before the create",
    },
  },
  {
    name: "engine-replaces-shared",
    find: "if (replaces !== undefined && keeps)",
    put: "if (replaces !== undefined && keeps === undefined)",
    foundBy: {
      test: "a replacement of an object that another address keeps is an error, whoever decides it",
    },
  },
  {
    name: "tainted-shared",
    find: "others: Object.keys(holders),",
    put: "others: [],",
    foundBy: {
      test: "the delete of a tainted object keeps the object that another address has, also under a new name",
    },
  },
  {
    name: "second-entry-of-a-urn",
    find: "kept > 0 && (name !== owner || (isSettled && !creators.has(owner))),",
    put: "kept > 0 && name !== owner,",
    foundBy: {
      test: "a delete keeps an object that a diff left unchanged, unless the diff was that of a refresh or the process creates its URN",
    },
  },
  {
    name: "refresh-keeps",
    find: 'if (!isOfProgram) return "compared";',
    put: 'if (!isOfProgram && action === "replace") return "compared";',
    foundBy: {
      test: "a delete keeps an object that a diff left unchanged, unless the diff was that of a refresh or the process creates its URN",
    },
  },
  {
    name: "first-row-decides-account",
    find: "named !== undefined && shown.size > 0 && !shown.has(named);",
    put: "named !== undefined && shown.size > 0 && [...shown.keys()][0] !== named;",
    foundBy: {
      test: "a first row of another account does not override the configured account that a later row shows",
    },
  },
  {
    name: "spelling-is-another-id",
    find: "return a.length === b.length ? comparable(a) === comparable(b) : isEndOf(a, b) || isEndOf(b, a);",
    put: "return a.length !== b.length && (isEndOf(a, b) || isEndOf(b, a));",
    foundBy: { test: "a listing that spells the region of ids otherwise changes no object and no state" },
  },
  {
    name: "same-uuid-is-gone",
    find: "if (uuid !== undefined && uuidOf(row.id) === uuid) return true;",
    put: "if (uuid === undefined && uuidOf(row.id) === uuid) return true;",
    foundBy: {
      test: "a row under another id with the recorded UUID is a doubt: the state stays, and the error names both ids",
    },
  },
  {
    name: "image-of-default-region",
    find: "if (loss !== undefined) throw new InputError([loss]);",
    put: "",
    foundBy: {
      test: "an apply with the default region of another workspace deletes no machine whose image a lookup found there",
    },
  },
  {
    name: "spelled-otherwise",
    find: 'relation === "equal" ||',
    put: "",
    foundBy: {
      test: "user data that moves to the other attribute sends nothing, and the state has the new one",
    },
  },
  {
    name: "tag-of-provider",
    find: ' ||\n    (path[0] === "tags" && isSameTags)',
    put: "",
    foundBy: {
      test: "the default name of a boot volume, the short form of an id and a tag of the provider replace no machine",
    },
  },
  {
    name: "imported-size",
    find: 'shownBy: "bootVolumeSizeGb",',
    put: "",
    foundBy: {
      test: "an import shows the size, and the first plan extends the volume to the configured one",
    },
  },
  {
    name: "default-over-unknown-parent",
    find: "if (ids.some(hasUnknown)) return UNKNOWN;",
    put: "",
    foundBy: {
      test: "a parent's region replaces a missing default region, and so may that of an unknown parent",
    },
  },
  {
    name: "region-of-replacement",
    find: "return replaced ?? (session",
    put: "return (session",
    foundBy: {
      test: "a replacement without a parent keeps the recorded region where the engine passes it, and warns where it does not",
    },
  },
  {
    name: "elsewhere-than-parent",
    find: "    ...parentRegionProblems(resource, inputs, region),\n  ];",
    put: "  ];",
    foundBy: {
      test: "a plan in another region than the parent is an error with both, for a create and a replacement",
    },
  },
  {
    name: "address-not-locked",
    find: "if (originOf(only) === originOf(address) && folderOf(address).startsWith(folderOf(only))) return undefined;",
    put: "if (folderOf(address).startsWith(folderOf(only))) return undefined;",
    foundBy: {
      test: "under KCLOUD_ONLY a request to that address is sent, one to any other address opens no socket",
    },
  },
  {
    name: "replaced-without-lock",
    find: 'isLocked(environment) && environment[replacedVariable] === "true"',
    put: 'environment[replacedVariable] === "true"',
    foundBy: {
      test: "in a rehearsal, the environment replaces what a configuration says about the cloud, under a valid lock only",
    },
  },
  {
    name: "unlocked-credentials",
    find: "settings.baseUrl !== undefined || !isLocked(environment)",
    put: "settings.baseUrl !== undefined || isLocked(environment)",
    foundBy: { test: "without credentials of the locked address, the error says where they must be" },
  },
  {
    name: "lost-in-handshake",
    find: "end(abort === undefined ? notStarted(error, url) : answer(true)),",
    put: "end(abort === undefined && (error as { code?: string }).code === 'ENOTFOUND' ? notStarted(error, url) : answer(true)),",
    foundBy: { test: "a request whose connection fails in the TLS handshake is not sent" },
  },
  {
    name: "sent-after-stop",
    find: `if (isStopped) controller.abort(new Error("stopped"));
          else`,
    put: "",
    foundBy: {
      test: "a request that is stopped during the TLS handshake is never sent, even if the handshake succeeds later",
    },
  },
  {
    name: "hang-up-ends-plugin",
    find: '  "SIGHUP",\n  "SIGINT",\n  "SIGQUIT",\n',
    put: '  "SIGINT",\n',
    foundBy: { test: "signals that an engine survives do not end its plugin, and open no inspector" },
  },
  {
    name: "rename-over-another",
    find: "if (renamed.length > 0 && !tracker.sent) await",
    put: "if (renamed.length > 1 && !tracker.sent) await",
    foundBy: {
      test: "a rename to the key of an object is refused, whatever the object contains, and the state keeps the own object",
    },
  },
  {
    name: "state-of-the-refused-key",
    find: "const renamed = tracker.sent && moved.id !== id ? await read(moved) : undefined;",
    put: "const renamed = !tracker.sent && moved.id !== id ? await read(moved) : undefined;",
    foundBy: {
      test: "a rename to the key of an object is refused, whatever the object contains, and the state keeps the own object",
    },
  },
  {
    name: "rename-without-wait",
    find: "const isExpected = entry === undefined ? waited < startMs : !entry.isOver && waited < renameMs;",
    put: "const isExpected = entry === undefined ? waited < startMs : entry.isOver && waited < renameMs;",
    foundBy: { test: "keys that shift by one are renamed in one run, the last one first" },
  },
  {
    name: "forgotten-circle",
    find: "if (id === first) return ids;",
    put: "if (id === first) return undefined;",
    foundBy: { test: "keys that two objects exchange are refused with the advice to use a temporary key" },
  },
  {
    name: "create-before-its-delete",
    find: "entry.parents.some((parent) => ids.some((id) => sameId(parent, id))));",
    put: "entry.parents.length > 9);",
    foundBy: {
      test: "a create waits for the delete of what is in the object of its name, then for that of the object",
    },
  },
  {
    name: "changed-object-is-recorded",
    find: 'if (found !== "other") return found === "recorded";',
    put: 'if (found !== "other" || !isIncomplete) return found === "recorded";',
    foundBy: {
      test: "an object with other content than the recorded one is neither overwritten, renamed nor deleted",
    },
  },
  {
    name: "import-of-a-managed-object",
    find: "if (holder === undefined) continue;",
    put: 'if (holder !== "other") continue;',
    foundBy: {
      test: "a create of an object that this run replaces says so in place of an import",
    },
  },
  {
    name: "forgotten-replaced-id",
    find: "...(replaces === undefined ? {} : { replaces }),",
    put: "...(replaces !== undefined ? {} : { replaces }),",
    foundBy: {
      test: "a replacement by create_before_destroy that the engine decides says so, if the engine passes the private data of the plan",
    },
  },
  {
    name: "second-setter-of-a-list",
    find: '(other.resource.sharedList?.setBy !== setBy || (setBy === "plan" && !other.isSet)) &&',
    put: "other.resource.sharedList?.setBy !== setBy &&",
    foundBy: {
      test: "two port_security_groups with different lists for one port are an error of the second plan",
    },
  },
  {
    name: "list-of-another-resource",
    find: 'const isSet = !hasUnknown(list) && (setBy === "plan" || isChanged);',
    put: 'const isSet = !hasUnknown(list) && setBy === "plan";',
    foundBy: {
      test: "an instance that takes back the groups which port_security_groups sets is an error of the plan, in either order",
    },
  },
  {
    name: "list-that-a-create-sets",
    find: 'const isSet = !hasUnknown(list) && (setBy === "plan" || isChanged);',
    put: "const isSet = !hasUnknown(list);",
    foundBy: { test: "equal groups, an unchanged list and unknown groups are no error" },
  },
  {
    name: "protection-of-a-kept-object",
    find: "const [protection] = isKept ? deletionProblems(resource, state) : [];",
    put: "const [protection] = [] as Problem[];",
    foundBy: {
      test: "Terraform reports the protection in the plan of a replacement that the engine decides",
    },
  },
  {
    name: "loss-below-a-failing-replacement",
    find: "const loss = direct ?? (session && lossBelow(session, values));",
    put: "const loss = direct;",
    foundBy: {
      test: "an apply deletes no object that refers to one whose replacement would fail, also by another object",
    },
  },
  {
    name: "region-by-its-letters",
    find: "same: (one: string, other: string) => spellRegion(one) === spellRegion(other)",
    put: "same: (one: string, other: string) => one === other",
    foundBy: {
      test: "a region is the same in every letter case: it replaces nothing, and requests have the documented one",
    },
  },
  {
    name: "id-of-a-tainted-object-from-its-values",
    find: "id: state.id && (idIn(resource, values) ?? state.id)",
    put: "id: idIn(resource, values) ?? state.id",
    foundBy: {
      test: "a destroy without a refresh, which gets nothing of the interrupted create, deletes no object with its values",
    },
  },
  {
    name: "empty-text-is-sent",
    find: 'const value = configured === "" ? null : configured;',
    put: "const value = configured;",
    foundBy: { test: "an empty text beside the same bytes in the other attribute replaces no machine" },
  },
  {
    name: "incomplete-response-proves-a-loss",
    find: "if (isComplete) return values;",
    put: "if (isComplete || true) return values;",
    foundBy: {
      test: "responses that lack the name of a bucket do not prove that a tag was removed, a complete one does",
    },
  },
  {
    name: "rows-by-the-letters-of-their-ids",
    find: 'typeof part === "string" ? comparable(part) : part',
    put: "part",
    foundBy: { test: "a row is returned once if a second pass spells its id in another way" },
  },
  {
    name: "accepted-delete-outweighs-a-listing",
    find: '(await isShownElsewhere(operation, address)) ? { pending: "still listed" } : { done: true }',
    put: "{ done: true }",
    foundBy: {
      test: "an object that a listing shows stays in the state although its delete was accepted and no read finds it",
    },
  },
  {
    name: "created-values-not-awaited",
    find: "return lifecycle === undefined ? waitUntilReady(operation, address, inputs) : observed;",
    put: "return waitUntilReady(operation, address, inputs, { changed: missing });",
    foundBy: {
      test: "a create whose pod shows another value than configured fails, and the pod is in the state",
    },
  },
  {
    name: "renamed-address",
    find: 'planName(session, resource, entry, { owner: entry.id, leaves: "deleted" });',
    put: "",
    foundBy: {
      test: "a rename of an address without moved is a warning at the second of its plans, in either order",
    },
  },
  {
    name: "update-that-becomes-a-replacement",
    find: "deleteBeforeReplace: detailed.size > 0 && deletesFirst(",
    put: "deleteBeforeReplace: replacing.length > 0 && deletesFirst(",
    foundBy: { test: "a change in place deletes first, since the engine may replace the object after all" },
  },
  {
    name: "device-used-twice",
    find: "const isRepeated = owners.size > 1 &&",
    put: "const isRepeated = owners.size > 2 &&",
    foundBy: {
      test: "a plan that creates a second attachment with the device name of another one has a warning",
    },
  },
  {
    name: "password-hint-of-dynamic-classes",
    find: "const plan = engine.plan(resource, state, fromHost(news), session, replaced);",
    put: "const plan = engine.plan(resource, state, fromHost(news), undefined, replaced);",
    foundBy: {
      test: "a replacement of a bucket does not ask for a one-time password that otpCommand obtains",
    },
  },
  {
    name: "name-as-parent",
    find: '!value.startsWith("krn:") && !isUuid(value))',
    put: '!value.startsWith("krn:") && isUuid(value))',
    foundBy: { test: "a parent's name in place of its ID is named in the error" },
  },
  {
    name: "accepted-delete-forgotten",
    find: 'if (answer === "accepted") acceptedDeletes.add(key);',
    put: 'if (answer === "lost") acceptedDeletes.add(key);',
    foundBy: {
      test: "an object that another entry of the state deleted in this process is gone, without an account",
    },
  },
  {
    name: "name-of-a-replaced-object",
    find: "if (existing.leaves !== undefined) return false;",
    put: "",
    foundBy: {
      test: "names that move on in a list of objects to replace or to rename are not managed twice",
    },
  },
  {
    name: "rehearsal-of-another-plan",
    find: "approvalOf([one], undefined).digest === approval",
    put: 'approvalOf([one], undefined).digest !== ""',
    foundBy: { test: "the rehearsal of the JSON of a plan belongs to its plan file too, which holds more" },
  },
  {
    name: "rehearsed-address-in-no-plan",
    find: "...(change === undefined ? { plan: name, address } : { change }),",
    put: "...(change === undefined ? { plan: name } : { change }),",
    foundBy: {
      test: "a finding about an object of the plan has the object, and one about another address has the address",
    },
  },
  {
    name: "finding-lowered-by-a-rehearsal",
    find: "const found = rules.map((rule) => ({ rule, hits: [...rule.check(judged)] }));",
    put: 'const found = rules.filter((one) => rehearsals.length === 0 || one.id !== "OPS-02").map((rule) => ({ rule, hits: [...rule.check(judged)] }));',
    foundBy: {
      test: "the other findings of every fixture are the same with and without a rehearsal, good or bad",
    },
  },
  {
    name: "rehearsal-believed-to-be-complete",
    find: "!isComplete ||\n    errors.length > 0 ||",
    put: "!isComplete ||",
    foundBy: { test: "any sign of a failure counts as one, whatever the other parts say" },
  },
  {
    name: "failing-rehearsal-next-to-a-good-one",
    find: 'rehearsals.some(({ rehearsal }) => outcomeOf(rehearsal) === "fails")',
    put: 'rehearsals.every(({ rehearsal }) => outcomeOf(rehearsal) === "fails")',
    foundBy: { test: "each rehearsal of a plan must reach the end, if the policy requires one" },
  },
  {
    name: "foreign-comment",
    find: ".filter(({ author, body }) => author === account && body.startsWith(markerOf(stack)))",
    put: ".filter(({ body }) => body.startsWith(markerOf(stack)))",
    foundBy: { test: "a marker in a comment of another account is ignored" },
  },
  {
    name: "token-to-another-host",
    find: "if (target === null || target.origin !== new URL(api).origin)",
    put: "if (target === null)",
    foundBy: { test: "no request leaves for the target of a redirect to another host" },
  },
  {
    name: "unread-comment",
    find: "if (change === undefined || options.isDryRun) break;",
    put: "if (change !== undefined || options.isDryRun) break;",
    foundBy: { test: "a comment that somebody deletes between reading and writing is created again" },
  },
  {
    name: "status-of-the-head",
    find: "if (request.head === revision || applied !== undefined) {",
    put: 'if (request.state === "open" || applied !== undefined) {',
    foundBy: {
      test: "a report of an older revision is posted as outdated, without a status, and never over the report of the head",
    },
  },
  {
    name: "forged-state",
    find: "const lastLine = /(?:^|\\n)<!-- kcloud-review-state ([A-Za-z0-9+/=]+) -->\\s*$/;",
    put: "const lastLine = /(?:^|\\n)<!-- kcloud-review-state ([A-Za-z0-9+/=]+) -->/;",
    foundBy: { test: "only the last line is the state of a comment" },
  },
  {
    name: "review-over-apply",
    find: 'if (openness !== "open")\n    return',
    put: 'if (openness === "closed")\n    return',
    foundBy: { test: "a review that ends late never replaces the report after the apply" },
  },
  {
    name: "deleted-but-exists",
    find: 'delete: {\n    done: ["other", "other", "done"],',
    put: 'delete: {\n    done: ["done", "done", "done"],',
    foundBy: { test: "a log that contradicts the state is other than planned" },
  },
  {
    name: "preview-as-update",
    find: "const events = all.filter((event) => !isOfPreview(event));",
    put: "const events = all;",
    foundBy: { test: "the events of a preview before the update do not count" },
  },
  {
    name: "cut-log-as-complete",
    find: "if (log.end === undefined)\n",
    put: 'if (log.end === "failed" && exitCode === 0)\n',
    foundBy: { test: "a cut log is never a complete apply" },
  },
  {
    name: "shared-document",
    find: "if (secret !== undefined && isShared)\n",
    put: 'if (secret !== undefined && isShared && place === "")\n',
    foundBy: { test: "is read from the environment, standard input, a file of mode 600, or a question" },
  },
  {
    name: "confirmed-by-a-letter",
    find: "found !== undefined && confirmsByName(found) ? found : undefined",
    put: "found",
    foundBy: {
      test: "a name of a few characters confirms nothing: a person may type it as an answer to any question",
    },
  },
  {
    name: "effect-by-method",
    find: "await byEffect[effectOfCall(call, call.inputs)](call, world);",
    put: 'await byEffect[call.operation.endpoint.method === "GET" ? "reads" : effectOfCall(call, call.inputs)](call, world);',
    foundBy: { test: "by a GET is decided by its semantics" },
  },
  {
    name: "unclear-as-unchanged",
    find: "if (isChanging && mayHaveChanged(error, operation))",
    put: "if (isChanging && mayHaveChanged(error, operation) && error.status !== undefined)",
    foundBy: { test: "without a response may have been executed" },
  },
  {
    name: "digest-used-after-success",
    find: '          preview.state = "used";\n          if (isAnswered',
    put: '          preview.state = "fresh";\n          if (isAnswered',
    foundBy: { test: "if two calls use a digest at the same time, by one of the two" },
  },
  {
    name: "answer-without-question",
    find: 'if (call.canAsk && preview.state === "fresh") {',
    put: 'if (call.canAsk && preview.state === "fresh" && call.answer === undefined) {',
    foundBy: {
      test: "without sessions, the user is asked by the result, and the call is sent again with the answer",
    },
  },
  {
    name: "preview-without-companions",
    find: "digest: fingerprint([fingerprint(object, destruction.volatile, responses), identities])",
    put: "digest: fingerprint([fingerprint(object, destruction.volatile, responses), []])",
    foundBy: {
      test: "an object is destroyed with the digest of its preview, which names it and what goes with it",
    },
  },
  {
    name: "companions-none-after-404",
    find: "return { about, isListed: true, problem: textOfError(error) };",
    put: "return { about, isListed: true, ...(isNotFound(error) ? { found: { rows: [] } } : { problem: textOfError(error) }) };",
    foundBy: {
      test: "prevent a destruction if their listing fails, also with a 404, before or after the preview",
    },
  },
  {
    name: "preview-without-folders",
    find: "folders.push(folder);",
    put: "folders.includes(folder);",
    foundBy: { test: "in folders of a bucket are listed, and one that is overwritten is noticed" },
  },
  {
    name: "object-of-a-masked-id",
    find: '  if (isMasked(lastPart(text)) || isMasked(lastPart(id))) return "unknown";\n',
    put: "",
    foundBy: {
      test: "an ID that is missing, masked in its last part, or equal in its last part only is not comparable",
    },
  },
  {
    name: "change-by-semantics-alone",
    find: "return { row, call, effect: effectOfCall(row, call.inputs) };",
    put: "return { row, call, effect: effectOf(row.operation) };",
    foundBy: { test: "by change for an operation that destroys, also one that does with its arguments only" },
  },
  {
    name: "change-aborted-halfway",
    find: "createApi(writing, { region, signal, inFlight: inFlight.signal, tracker })",
    put: "createApi(writing, { region, signal, tracker })",
    foundBy: {
      test: "a caller that leaves after the request was sent does not abort it, and the outcome is in the log",
    },
  },
  {
    name: "secret-field-of-a-read",
    find: "structured(withoutSecretFields(values))",
    put: "structured(values)",
    foundBy: {
      test: "secrets that a read could show are masked, also in a preview, and the key is in no result",
    },
  },
  {
    name: "folder-without-isolation",
    find: "return await step([...all, isolation], file, call, doing);",
    put: "return await step(all, file, call, doing);",
    foundBy: {
      test: "without isolation no step runs, and the error names the reason and the option of the start",
    },
  },
  {
    name: "link-of-the-source-out-of-it",
    find: "isIn(folder, real) ? packagesAt(real) : path;",
    put: "isIn(folder, real) ? real : path;",
    foundBy: { test: "links in the source lead to packages and into the source only" },
  },
  {
    name: "folder-mounted-before-the-machine-has-gone",
    find: "lineOf(source + path.slice(folder.length), path, readOnly(path))",
    put: "lineOf(path, path, readOnly(path))",
    foundBy: { test: "a link that somebody makes in the source while the engine starts leads nowhere" },
  },
  {
    name: "program-with-capabilities",
    find: " --bounding-set=-all --inh-caps=-all",
    put: "",
    foundBy: {
      test: "only the writable folder of the machine can be changed, and a program gets no right to undo that",
    },
  },
  {
    name: "provider-link-to-any-file",
    find: "if (entry.isFile() && isOfProvider(entry.name))",
    put: "if (entry.isFile())",
    foundBy: {
      test: "a provider that is a link to a cache is copied with the files of its checksum, and nothing else of the folder",
    },
  },
];
