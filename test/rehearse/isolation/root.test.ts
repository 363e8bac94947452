import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { systemPlaces } from "../../../rehearse/isolation/place.ts";
import { commandIn, type Root, refusedCode } from "../../../rehearse/isolation/root.ts";
import { confinedCommand, run } from "./confined.ts";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "kcloud root's-")));
});
afterEach(() => rm(root, { recursive: true }));

async function write(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), `${file}\n`);
  }
}

/** Runs a script of the shell in a root; undefined where the system has none. */
function script(text: string, { visible, ...more }: Partial<Root> = {}) {
  const command = confinedCommand();
  const all = { visible: [...systemPlaces, ...(visible ?? [])], ...more };
  return command && run([...command, ...commandIn(all, "/"), "sh", "-c", text]);
}

test("a program sees what the root lists, its links, and no other file of the machine", async () => {
  await write("home/.config/key", "home/versions/1/bin/tool", "home/file", "work/a", "other/x");
  await symlink("1", join(root, "home/versions/current"));
  await symlink("versions/current/bin/tool", join(root, "home/tool"));
  const paths = [join(root, "home/tool"), join(root, "home/file"), join(root, "none")];
  const ran = script(`cd "${root}" && find . ! -type d | sort && cat home/tool home/file work/a`, {
    ...{ visible: paths, writable: join(root, "work") },
  });
  if (ran === undefined) return;
  const found = ["file", "tool", "versions/1/bin/tool", "versions/current"].map((name) => `./home/${name}`);
  expect(ran).toEqual({
    ...{ status: 0, stderr: "" },
    stdout: `${[...found, "./work/a", "home/versions/1/bin/tool", "home/file", "work/a"].join("\n")}\n`,
  });
  // Folders of users, sockets, disks and mounts are there only as far as the way to a listed path.
  const top = script("ls / /run /var /srv /mnt /sys /dev /etc 2>&1");
  expect(top?.stdout).not.toMatch(/\b(sda|vda|shadow|docker\.sock|kcloud-machine|kcloud-table)\b/);
});

test("only the writable folder of the machine can be changed, and a program gets no right to undo that", async () => {
  await write("packages/a", "copy/a");
  const ran = script(
    `cd "${root}"; for file in packages/x copy/x /usr/share/x /proc/sys/kernel/domainname; do (echo 1 > $file) 2> /dev/null && echo $file; done
     mount -o remount,rw,bind "${join(root, "packages")}" 2> /dev/null && echo remounted
     umount /usr/share 2> /dev/null && echo unmounted
     unshare --user --map-root-user --mount umount -l /usr/share 2> /dev/null && echo unmounted
     grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status`,
    { visible: [join(root, "packages")], writable: join(root, "copy") },
  );
  if (ran === undefined) return;
  const none = "0000000000000000";
  expect(ran.stdout).toBe(`copy/x\nCapEff:\t${none}\nCapBnd:\t${none}\nNoNewPrivs:\t1\n`);
  expect(await readFile(join(root, "copy/x"), "utf8")).toBe("1\n");
});

test("a program sees no process but its own, and its exit code is that of the command", () => {
  const ran = script('echo /proc/[0-9]* "$PPID"; exit 7');
  if (ran === undefined) return;
  // The shell that made the root, and the one of the script.
  expect([ran.status, ran.stdout]).toEqual([7, expect.stringMatching(/^\/proc\/1 \/proc\/\d+ 1\n$/)]);
});

test("a link that somebody makes in the source while the engine starts leads nowhere", async () => {
  await write("work/packages/a", "work/secret", "home/key");
  const source = { path: join(root, "work"), visible: [join(root, "work/packages")] };
  const list = `cd "${root}" && find . ! -type d`;
  const ran = script(list, { source });
  if (ran === undefined) return;
  expect(ran).toEqual({ status: 0, stdout: "./work/packages/a\n", stderr: "" });
  await rm(join(root, "work/packages"), { recursive: true });
  for (const target of ["../home", join(root, "home")]) {
    await symlink(target, join(root, "work/packages"));
    const swapped = script(list, { source });
    expect([swapped?.status, swapped?.stdout]).toEqual([refusedCode, ""]);
    expect(swapped?.stderr).toContain("mount: ");
    await rm(join(root, "work/packages"));
  }
});
