import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Starts Chromium for the tests and the measures of the HTML report. `npm run browser` installs it in this folder. The type
 * check does not have the types of its packages, so this file declares the parts in use.
 */

/** Folder of the installed packages. */
export const modules = join(import.meta.dirname, "node_modules");

/** Folder of the unpacked Chromium, with its libraries and a font. */
export const unpacked = join(modules, ".chromium");

export interface Browser {
  version(): string;
  newContext(options: ContextOptions): Promise<Context>;
  close(): Promise<void>;
}

export interface ContextOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  readonly javaScriptEnabled?: boolean;
}

export interface Context {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

/** Page of the browser. An evaluated script is the text of an expression; the result is plain data. */
export interface Page {
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  goto(url: string): Promise<unknown>;
  evaluate<T>(expression: string): Promise<T>;
  emulateMedia(options: { media?: "print" | "screen"; colorScheme?: "light" | "dark" }): Promise<void>;
  screenshot(options: { path: string; fullPage?: boolean }): Promise<unknown>;
  /** Returns the text of an element; works with scripts disabled. */
  textContent(selector: string): Promise<string | null>;
  on(event: "request", listener: (request: { url(): string }) => void): void;
  on(event: "console", listener: (message: { type(): string; text(): string }) => void): void;
  on(event: "pageerror", listener: (error: Error) => void): void;
  on(event: "dialog", listener: (dialog: { message(): string; dismiss(): Promise<void> }) => void): void;
}

interface Playwright {
  readonly default: {
    readonly chromium: {
      launch(options: {
        executablePath: string;
        args: readonly string[];
        env: Readonly<Record<string, string | undefined>>;
      }): Promise<Browser>;
    };
  };
}

/** Starts the Chromium of `KCLOUD_CHROMIUM`, else the installed one. Throws an error with the remedy if there is none. */
export async function launchBrowser(): Promise<Browser> {
  const configured = process.env.KCLOUD_CHROMIUM;
  const executablePath = configured || join(unpacked, "chromium");
  const playwright = join(modules, "playwright-core/index.js");
  for (const file of [playwright, executablePath])
    if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run browser\``);
  const { chromium } = ((await import(playwright)) as Playwright).default;
  return chromium.launch({
    executablePath,
    // Containers do not allow the namespaces that the sandbox needs. The pages are trusted.
    args: ["--no-sandbox"],
    env: configured ? process.env : { ...process.env, ...environment() },
  });
}

/**
 * Returns the environment variables with which the installed Chromium finds its libraries, and a font if the system has none.
 */
function environment(): Readonly<Record<string, string>> {
  const { LD_LIBRARY_PATH } = process.env;
  const libraries = join(unpacked, "al2023/lib");
  return {
    LD_LIBRARY_PATH: LD_LIBRARY_PATH ? `${libraries}:${LD_LIBRARY_PATH}` : libraries,
    ...(existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_FILE: join(unpacked, "fonts.conf") }),
  };
}

/** Returns the source of axe-core, which a page evaluates. */
export const axeSource = (): Promise<string> => readFile(join(modules, "axe-core/axe.min.js"), "utf8");
