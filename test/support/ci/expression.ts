/** Evaluates the conditions of CI systems: `${{ … }}` of GitHub, and `rules` of GitLab. */

/** Values of names, as `runner.temp` or `$CI_COMMIT_BRANCH`. */
export type Values = Map<string, string>;

/** Functions in expressions of GitHub, except those that show the status of a job, such as `success()`, which are values. */
const functions: Readonly<Record<string, (...args: readonly string[]) => string>> = {
  always: () => "true",
  cancelled: () => "",
  format: (text = "", ...args) => text.replace(/\{(\d)\}/g, (_, index) => args[Number(index)] ?? ""),
};

/** Evaluates an expression: names, texts, calls, parentheses, `!`, `==`, `!=`, `&&` and `||`. False is the empty text. */
export function evaluate(expression: string, values: Values): string {
  const tokens =
    expression.match(/'[^']*'|"[^"]*"|[\w$][\w.-]*\(\)|[\w$][\w.-]*|==|!=|&&|\|\||[!(),]/g) ?? [];
  let index = 0;
  const take = (token: string): boolean => {
    if (tokens[index] !== token) return false;
    index++;
    return true;
  };
  const atom = (): string => {
    if (take("!")) return atom() === "" ? "true" : "";
    if (take("(")) {
      const value = either();
      if (!take(")")) throw new Error(`missing parenthesis in ${expression}`);
      return value;
    }
    const token = tokens[index++] ?? "";
    const literal = /^(['"])(.*)\1$/.exec(token)?.[2];
    if (literal !== undefined) return literal;
    const call = functions[token.replace("()", "")];
    if (call !== undefined) {
      const args: string[] = [];
      if (!token.endsWith("()") && take("("))
        do args.push(either());
        while (take(","));
      if (args.length > 0 && !take(")")) throw new Error(`missing parenthesis in ${expression}`);
      return call(...args);
    }
    const value = values.get(token);
    // The other kinds of events have no such value, and variables of GitLab may be missing.
    if (value === undefined && !/^(github\.event\.|\$|steps\.)/.test(token))
      throw new Error(`no value of ${token} in ${expression}`);
    return value ?? "";
  };
  const comparison = (): string => {
    let left = atom();
    for (;;) {
      if (take("==")) left = left === atom() ? "true" : "";
      else if (take("!=")) left = left === atom() ? "" : "true";
      else return left;
    }
  };
  const both = (): string => {
    let left = comparison();
    while (take("&&")) {
      const right = comparison();
      left = left === "" ? "" : right;
    }
    return left;
  };
  const either = (): string => {
    let left = both();
    while (take("||")) {
      const right = both();
      left = left === "" ? right : left;
    }
    return left;
  };
  const value = either();
  if (index < tokens.length) throw new Error(`cannot evaluate ${expression}`);
  return value;
}
