import { createHash, hash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type ContentInfo = {
  readonly size: number;
  /** MD5 in hex. */
  readonly md5: string;
};

/** Bytes of a request or a response, in memory or in a file. */
export type Content = ContentInfo & {
  readonly bytes?: Uint8Array;
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Moves the bytes to `file`. */
  moveTo(file: string): void;
  /** Deletes the bytes unless they were moved. */
  discard(): void;
};

/** Store of object contents: small ones in memory, others in a folder. */
export type ContentStore = {
  /** Reads all parts. If the stream fails, discards the parts and rejects. */
  receive(parts: AsyncIterable<Uint8Array>): Promise<Content>;
  put(id: string, content: Content): void;
  /** Returns the content of an id; the caller passes its size and digest. An empty id is unknown content: zero bytes. */
  get(id: string, info: ContentInfo): Content;
  delete(id: string): void;
  clear(): void;
};

/** Size in bytes above which content is received into a file. */
const memoryLimit = 1024 * 1024;

const memoryContent = (bytes: Uint8Array, { md5 }: Pick<ContentInfo, "md5">): Content => ({
  size: bytes.length,
  md5,
  bytes,
  read: () => [bytes],
  moveTo: (file) => writeFileSync(file, bytes),
  discard: () => {},
});

const fileContent = (file: string, { size, md5 }: ContentInfo): Content => ({
  size,
  md5,
  read: () => createReadStream(file, { highWaterMark: 256 * 1024 }),
  moveTo: (other) => renameSync(file, other),
  discard: () => rmSync(file, { force: true }),
});

const zeros = new Uint8Array(64 * 1024);

/** Content of an object of which only the size and the digest are known: zero bytes. */
const unknownContent = ({ size, md5 }: ContentInfo): Content => ({
  ...{ size, md5 },
  *read() {
    for (let left = size; left > 0; left -= zeros.length) yield zeros.subarray(0, left);
  },
  moveTo: (file) => {
    writeFileSync(file, "", { mode: 0o600 });
    truncateSync(file, size);
  },
  discard: () => {},
});

/** Wraps bytes in memory as content. */
export const contentOf = (bytes: Uint8Array): Content => memoryContent(bytes, { md5: hash("md5", bytes) });

/** Returns the first half of a content, for a response that is cut there. */
export function halfOf(content: Content): Content {
  const size = Math.floor(content.size / 2);
  const { bytes: _, ...properties } = content;
  return {
    ...properties,
    size,
    async *read() {
      let remaining = size;
      for await (const part of content.read()) {
        yield part.subarray(0, remaining);
        remaining -= part.length;
        if (remaining <= 0) return;
      }
    },
  };
}

let folders = 0;

/**
 * Creates a content store. With `persistentFolder`, contents survive the process; without it, they are in memory and in a
 * temporary folder that is deleted on exit.
 */
export function createContentStore(persistentFolder?: string): ContentStore {
  folders += 1;
  const folder = persistentFolder ?? join(tmpdir(), `kcloud-emulator-${process.pid}-${folders}`);
  const small = new Map<string, { readonly bytes: Uint8Array; readonly md5: string }>();
  let isFolderMade = false;
  let received = 0;

  function removeFolder(): void {
    rmSync(folder, { recursive: true, force: true });
    process.off("exit", removeFolder);
    isFolderMade = false;
  }

  function fileOf(name: string): string {
    if (!isFolderMade) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (persistentFolder === undefined) process.once("exit", removeFolder);
      isFolderMade = true;
    }
    return join(folder, name);
  }

  /** Collects parts, in a file above `memoryLimit`; `end` returns the content, `abort` deletes it. */
  function sink() {
    const hash = createHash("md5");
    const chunks: Uint8Array[] = [];
    let size = 0;
    let file: { readonly path: string; readonly descriptor: number } | undefined;
    return {
      write(part: Uint8Array) {
        hash.update(part);
        size += part.length;
        chunks.push(part);
        if (file === undefined && size > memoryLimit) {
          received += 1;
          const path = fileOf(`received-${received}`);
          file = { path, descriptor: openSync(path, "w", 0o600) };
        }
        if (file !== undefined) for (const chunk of chunks.splice(0)) writeSync(file.descriptor, chunk);
      },
      end(): Content {
        const md5 = hash.digest("hex");
        if (file === undefined) return memoryContent(Buffer.concat(chunks), { md5 });
        closeSync(file.descriptor);
        return fileContent(file.path, { size, md5 });
      },
      abort() {
        if (file === undefined) return;
        closeSync(file.descriptor);
        rmSync(file.path);
      },
    };
  }

  return {
    async receive(parts) {
      const { write, end, abort } = sink();
      try {
        for await (const part of parts) write(part);
      } catch (error) {
        abort();
        throw error;
      }
      return end();
    },
    put(id, content) {
      if (content.bytes === undefined || persistentFolder !== undefined) content.moveTo(fileOf(id));
      else small.set(id, { bytes: content.bytes, md5: content.md5 });
    },
    get(id, info) {
      if (id === "") return unknownContent(info);
      const stored = small.get(id);
      return stored === undefined ? fileContent(fileOf(id), info) : memoryContent(stored.bytes, stored);
    },
    delete(id) {
      if (small.delete(id)) return;
      rmSync(join(folder, id), { force: true });
      if (persistentFolder === undefined && isFolderMade && readdirSync(folder).length === 0) removeFolder();
    },
    clear() {
      small.clear();
      removeFolder();
    },
  };
}
