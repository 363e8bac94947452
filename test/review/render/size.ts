import { changeOf } from "../change-of.ts";

export const before = (nth: number) => ({
  vpcId: "vpc-1",
  name: `data-${nth}`,
  sizeGb: 10,
  volumeType: "ssd",
});

export const changes = {
  create: (nth: number) =>
    changeOf("volume", undefined, before(nth), { address: `kcloud_volume.data[${nth}]` }),
  update: (nth: number) =>
    changeOf(
      "volume",
      before(nth),
      { ...before(nth), sizeGb: 20 + nth },
      { address: `kcloud_volume.data[${nth}]` },
    ),
  delete: (nth: number) =>
    changeOf("volume", before(nth), undefined, { address: `kcloud_volume.data[${nth}]` }),
};

/** Section of Markdown: the number in its heading, and the numbers of shown and omitted objects that match `marked`. */
export interface Counted {
  readonly heading: number;
  readonly shown: number;
  readonly omitted: number;
}

/** Counts the objects of a section; undefined if there is no such section. */
export function countedIn(text: string, title: string, marked = /^- /): Counted | undefined {
  const section = text.split(/^### /m).find((part) => part.startsWith(`${title} (`));
  if (section === undefined) return undefined;
  const lines = section.split("\n").filter((line) => line.startsWith("- ") && marked.test(line));
  const sum = (pattern: RegExp, of: readonly string[], otherwise = 0) =>
    of.reduce((total, line) => total + Number(pattern.exec(line)?.[1] ?? otherwise), 0);
  const [more, shown] = [true, false].map((isMore) =>
    lines.filter((line) => /^- \d+ more/.test(line) === isMore),
  );
  return {
    heading: Number(/\((\d+)\)/.exec(section)?.[1]),
    shown: sum(/^- (?:\w+ )?(\d+) × /, shown ?? [], 1),
    omitted: sum(/^- (\d+) more/, more ?? []),
  };
}
