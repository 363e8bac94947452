import { readFile } from "node:fs/promises";

/** The guide docs/work-in-a-team.md for the readers of one engine: without the sections of the other engine. */
export interface Guide {
  /** Returns the first block of code of this language that contains a text. */
  block(language: string, text?: string): string;
  /** Records that a command ran. Throws if the guide does not have it; `…` and `ID` in the guide match any text. */
  ran(command: string): void;
  /** Returns the commands of the guide that have not run. */
  left(): readonly string[];
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const code = /^ *```(\w+)\n([\s\S]*?)^ *```$/gm;

/** Opens the guide for the engine whose name is the heading of its sections. */
export async function openGuide(engine: "Terraform and OpenTofu" | "Pulumi"): Promise<Guide> {
  const page = await readFile(new URL("../../../docs/work-in-a-team.md", import.meta.url), "utf8");
  const own = page
    .split(/^(?=###? )/m)
    .filter((section) => (/^### (.*)/.exec(section)?.[1] ?? engine) === engine)
    .join("");
  const blocks = [...own.matchAll(code)].map(([, language, text = ""]) => ({
    language,
    // The indentation of a list.
    text: text.replaceAll(/^ {3}/gm, ""),
  }));
  const lines = blocks
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) =>
      text
        .replaceAll(/(^| +)# .*$/gm, "")
        .split("\n")
        .filter(Boolean),
    );
  const name = engine === "Pulumi" ? "pulumi" : "terraform";
  const spans = [...own.replaceAll(code, "").matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
  const inline = spans.filter((text) => text.startsWith(`${name} `));
  const commands = [...new Set([...lines, ...inline])].map((text) => ({
    text,
    pattern: new RegExp(
      `^${text
        .split(/…|\bID\b/)
        .map(escaped)
        .join(".+")}$`,
    ),
  }));
  const done = new Set<string>();
  return {
    block(language, part = "") {
      const found = blocks.find((block) => block.language === language && block.text.includes(part));
      if (found === undefined) throw new Error(`the guide has no block of ${language} with "${part}"`);
      return found.text;
    },
    ran(command) {
      const [written] = commands.filter(({ pattern }) => pattern.test(command));
      if (written === undefined) throw new Error(`the guide has no command ${command}`);
      done.add(written.text);
    },
    left: () => commands.map(({ text }) => text).filter((text) => !done.has(text)),
  };
}
