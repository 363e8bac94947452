import { escaped, hidden } from "./code.ts";

/** Returns a text as one argument of Bash or Zsh, on one line. */
export function shellArgument(text: string): string {
  if (/^[\w./:,-]+$/.test(text)) return text;
  if (text.search(hidden) < 0) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${text.replace(/['\\]/g, "\\$&").replace(hidden, escaped)}'`;
}
