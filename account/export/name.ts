/** Names of resources in a program, made from the names of objects. */

/** Latin spelling of letters that Unicode does not decompose: Greek, Cyrillic and some Latin ones. */
const spellings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...pairs("αβγδεζηικλμνξοπρσςτυφω", "a b g d e z i i k l m n x o p r s s t y f o"),
    ...pairs("θχψ", "th ch ps"),
    ...pairs("абвгдезийклмнопрстуфыэіў", "a b v g d e z i i k l m n o p r s t u f y e i u"),
    ...pairs("жхцчшщюяєґђљњћџ", "zh kh ts ch sh shch yu ya ye g dj lj nj c dz"),
    ...pairs("ъь", " "),
    ...pairs("ßæœøđðþłı", "ss ae oe o d d th l i"),
  }),
);

function pairs(letters: string, latin: string): { [letter: string]: string } {
  const parts = latin.split(" ");
  return Object.fromEntries([...letters].map((letter, index) => [letter, parts[index] ?? ""]));
}

/** Maximum length of a name in characters. */
const longest = 60;

/**
 * Converts the name of an object to a name that Terraform, Pulumi and programming languages accept: lower-case letters of
 * ASCII, digits and underscores, starting with a letter. Returns `fallback` if nothing of the name can be spelled so.
 */
export function identifier(name: string, fallback: string): string {
  const latin = [...name.slice(0, 1_000).normalize("NFKD").toLowerCase()]
    .map((letter) => spellings.get(letter) ?? letter)
    .join("")
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, longest)
    .replace(/^_+|_+$/g, "");
  if (latin === "") return fallback;
  return /^[a-z]/.test(latin) ? latin : `${fallback}_${latin}`.slice(0, longest).replace(/_+$/, "");
}

/**
 * Returns a unique identifier for each name, in the order of the names: the second one of an identifier ends with `_2`. The same
 * names give the same identifiers. None of them is among the `taken` ones.
 */
export function uniqueIdentifiers(
  names: readonly string[],
  fallback: string,
  taken: Iterable<string> = [],
): string[] {
  const wanted = names.map((name) => identifier(name, fallback));
  const used = new Set(taken);
  // Number of the last name of each identifier: many objects may have the same name.
  const counts = new Map<string, number>();
  // A name that is an identifier as it is keeps it, so that `web_2` of an object comes before that of a second `web`.
  const exact = new Set(names.flatMap((name, index) => (name === wanted[index] ? [name] : [])));
  return wanted.map((base, index) => {
    const isExact = names[index] === base;
    let count = counts.get(base) ?? 1;
    let found = count === 1 ? base : `${base}_${count}`;
    while (used.has(found) || (!(isExact && found === base) && exact.has(found))) {
      count += 1;
      found = `${base}_${count}`;
    }
    counts.set(base, count);
    used.add(found);
    return found;
  });
}
