import type { Account } from "../account.ts";
import { library, titleOf } from "../library/library.ts";
import type { Found } from "../object/data.ts";
import type { Objects } from "../object/object.ts";
import { constants } from "./constant.ts";
import type { Arguments, Outcome, Parameter, Tool } from "./tool.ts";

/** Tools that look up the objects of an account, and that describe their kinds. */

const paging = {
  limit: { type: "count", most: 200, about: "Maximum number of objects on a page. Default: 50." },
  cursor: { type: "text", about: "next_cursor of the last page, to read the next one." },
} as const satisfies Record<string, Parameter>;

const attributesOf = (what: string): Parameter => ({
  type: "attributes",
  about: `Attributes ${what}, such as {"vpc_id": "krn:…", "name": "web"}; describe_kind lists them.`,
});

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);
const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const pageOf = ({ limit, cursor }: Arguments) => ({
  limit: typeof limit === "number" ? limit : undefined,
  cursor: textIn(cursor),
});
const selectionOf = ({ kind, attributes = {} }: Arguments) => ({
  kind: String(kind),
  attributes: attributes as Readonly<Record<string, unknown>>,
});

/** Returns the tools of an account. */
export function objectTools({ objects }: Pick<Account, "objects">): Tool[] {
  const { known, listed, read, managed } = constants();
  const within = async (look: (objects: Objects) => Promise<Found>): Promise<Outcome> => {
    const opened = await objects();
    if ("problem" in opened) return { error: opened.problem };
    return look(opened);
  };
  return [
    {
      name: "list_kinds",
      title: "List kinds of objects",
      about: "Lists the kinds of objects, and which of the other tools accept each of them.",
      parameters: {},
      isOpen: false,
      run: async () => ({ data: { kinds: await kindRows() } }),
    },
    {
      name: "describe_kind",
      title: "Describe a kind of objects",
      about:
        "Describes a kind: the JSON schema of its resource, the attributes by which list_objects and get_object find objects, and its pages.",
      parameters: { kind: { type: "text", values: known, isRequired: true, about: "Kind of object." } },
      isOpen: false,
      run: async ({ kind }) => ({ data: await descriptionOf(String(kind)) }),
    },
    {
      name: "list_objects",
      title: "List objects",
      about: "Lists the objects of a kind in a region or below a parent, such as the volumes of a VPC.",
      parameters: {
        kind: { type: "text", values: listed, isRequired: true, about: "Kind of object." },
        attributes: attributesOf("that select the objects"),
        ...paging,
      },
      isOpen: true,
      run: (args, call) => within((objects) => objects.list({ ...selectionOf(args), ...pageOf(args) }, call)),
    },
    {
      name: "get_object",
      title: "Read an object",
      about: "Reads one object by its ID, or by other attributes that only one object has.",
      parameters: {
        kind: { type: "text", values: read, isRequired: true, about: "Kind of object." },
        attributes: { ...attributesOf("that find the object"), isRequired: true },
      },
      isOpen: true,
      run: (args, call) => within((objects) => objects.get(selectionOf(args), call)),
    },
    {
      name: "list_account",
      title: "List the objects of an account",
      about:
        "Lists the objects of all kinds that the API lists, and the parts of the account that could not be read. Takes long for a large account: select kinds or VPCs.",
      parameters: {
        kinds: { type: "texts", values: managed, about: "Only these kinds." },
        vpcs: { type: "texts", about: "Names or IDs of VPCs: only these and the objects in them." },
        names: { type: "texts", about: "Only objects with such a name; * stands for any text." },
        tags: { type: "texts", about: "Only objects with all of these tags, as KEY or KEY=VALUE." },
        ...paging,
      },
      isOpen: true,
      run: (args, call) =>
        within((objects) =>
          objects.account(
            {
              ...{ kinds: textsIn(args.kinds), vpcs: textsIn(args.vpcs) },
              ...{ names: textsIn(args.names), tags: textsIn(args.tags), ...pageOf(args) },
            },
            call,
          ),
        ),
    },
  ];
}

const underscored = (name: string): string => name.replaceAll("-", "_");

async function kindRows() {
  const { known, listed, read, managed } = constants();
  const { pages, schemas } = await library();
  return known.map((kind) => {
    const about =
      schemas[`resource/${kind}`]?.description ?? titleOf(pages[`data-sources/${underscored(kind)}`] ?? "");
    const tools = [
      ...(listed.includes(kind) ? ["list_objects"] : []),
      ...(read.includes(kind) ? ["get_object"] : []),
    ];
    return { kind, ...(about !== "" && { about }), tools, is_managed: managed.includes(kind) };
  });
}

async function descriptionOf(kind: string) {
  const { lookups } = constants();
  const { pages, schemas } = await library();
  const { list, one } = lookups[kind] ?? {};
  const inputsOf = (lookup: string | undefined) => {
    const { properties = {}, required = [] } = (schemas[`data-source/${lookup}`] ?? {}) as {
      readonly properties?: Readonly<Record<string, { readonly readOnly?: true }>>;
      readonly required?: readonly string[];
    };
    const inputs = Object.entries(properties).filter(([, { readOnly }]) => readOnly !== true);
    return { attributes: Object.fromEntries(inputs), required };
  };
  const names = [...new Set([kind, list, one])].flatMap((name) =>
    name === undefined ? [] : [`resources/${underscored(name)}`, `data-sources/${underscored(name)}`],
  );
  const resource = schemas[`resource/${kind}`];
  return {
    kind,
    ...(resource !== undefined && { resource }),
    ...(list !== undefined && { list_objects: inputsOf(list) }),
    ...(one !== undefined && { get_object: inputsOf(one) }),
    pages: names.filter((name) => Object.hasOwn(pages, name)),
  };
}
