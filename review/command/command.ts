/** Command `kcloud review`: help without the rest of the command, which loads every definition. Returns the exit code. */
export async function reviewCommand(args: readonly string[]): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    const { constants } = await import("./constant.ts");
    process.stdout.write(await constants());
    return 0;
  }
  return (await import("./main.ts")).reviewMain(args);
}
