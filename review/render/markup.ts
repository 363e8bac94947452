/** Parts of the HTML report, in which every text is escaped. */

const htmlEntities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapedHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => htmlEntities[character] ?? "");

export const codeElement = (text: string): string => `<code>${escapedHtml(text)}</code>`;

/** Returns a decorative sign, hidden from screen readers because a word next to it has the same meaning. */
export const markOf = (sign: string): string =>
  `<span class="mark" aria-hidden="true">${sign.trim().replace("-", "−")}</span>`;

export const listOf = (lines: readonly string[]): string =>
  lines.length === 0
    ? ""
    : `<ul class="list">${lines.map((line) => `<li>${escapedHtml(line)}</li>`).join("\n")}</ul>`;
