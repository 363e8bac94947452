import { type Command, type Option, type Options, valuesOf } from "../command.ts";

/** Formats the texts of `kcloud help` from the descriptions of the commands. */

/** Maximum length of a line. */
const width = 80;

/** Breaks a text into lines of at most this length. */
function wrapped(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > length) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** Row of a list with two columns: name and description. */
export interface Row {
  readonly label: string;
  readonly about: string;
}

/** Returns a list with two columns. */
export function formatRows(rows: readonly Row[], indent = 2): string {
  const column = indent + Math.max(...rows.map(({ label }) => label.length)) + 2;
  return rows
    .map(({ label, about }) => {
      const start = `${" ".repeat(indent)}${label}`.padEnd(column);
      return `${start}${wrapped(about, width - column).join(`\n${" ".repeat(column)}`)}`;
    })
    .join("\n");
}

const labelOf = (name: string, { value }: Option): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`;

/** Returns the lines of options, and under each those of its values that have a description. */
function formatOptions(options: Options): string {
  const all = { ...options, help: { type: "boolean", about: "shows this text" } } satisfies Options;
  const rows = Object.entries(all).flatMap(([name, option]): Row[] => [
    { label: labelOf(name, option), about: option.about },
    ...Object.entries(valuesOf(option))
      .filter(([, about]) => about !== "")
      .map(([value, about]) => ({ label: "", about: `${value}: ${about}` })),
  ]);
  return `Options:\n${formatRows(rows)}`;
}

const paragraphs = (parts: readonly (string | undefined)[]): string =>
  `${parts.filter((part) => part !== undefined && part !== "").join("\n\n")}\n`;

const usageOf = ({ usage }: Command): string =>
  usage.map((line, index) => `${index === 0 ? "Usage:" : "      "} kcloud ${line}`).join("\n");

/** Returns the help of a command. */
export function helpOf(command: Command): string {
  const { description, options, notes, topic } = command;
  const shown = Object.fromEntries(Object.entries(options).filter(([, { rare }]) => rare !== true));
  const more = topic === undefined ? undefined : `kcloud help ${topic.name} ${topic.about}.`;
  return paragraphs([usageOf(command), description, formatOptions(shown), notes, more]);
}

/** Returns the text of the topic of a command: its help with all options, then the notes of the topic. */
export const topicOf = (command: Command): string =>
  paragraphs([
    usageOf(command),
    command.description,
    formatOptions(command.options),
    command.notes,
    command.topic?.notes,
  ]);

/** Returns the list of commands. */
export function usage(commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(([label, { about }]) => ({ label, about }));
  const topics = Object.values(commands).flatMap(({ topic }) =>
    topic === undefined ? [] : [{ label: topic.name, about: topic.about }],
  );
  const options = [
    { label: "--version", about: "shows the version of kcloud" },
    { label: "--help", about: "shows this text, or the help of a command" },
  ];
  return paragraphs([
    "Usage: kcloud COMMAND [options]",
    `Commands:\n${formatRows(rows)}`,
    `Options:\n${formatRows(options)}`,
    `Topics of kcloud help:\n${formatRows(topics)}`,
    "kcloud help COMMAND shows the options of a command.",
  ]);
}
