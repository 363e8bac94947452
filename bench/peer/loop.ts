import { readFile } from "node:fs/promises";
import Pool from "undici/lib/dispatcher/pool.js";

/**
 * `node loop.ts REQUESTS URL PARALLELISM`: sends the requests of a file in their order, `PARALLELISM` at a time. Prints the
 * duration in ms and the number of rejected requests. The difference to a provider's duration is the overhead of the provider.
 */

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const [file = "", origin = "", parallelism = ""] = process.argv.slice(2);
const requests: Request[] = JSON.parse(await readFile(file, "utf8"));
const pool = new Pool(origin, { connections: Number(parallelism), allowH2: false });

const send = ({ method, path, headers, body }: Request): Promise<number> =>
  new Promise((resolve, reject) => {
    let answered = 0;
    pool.dispatch(
      {
        origin,
        path,
        method,
        headers,
        body: body === "" ? null : body,
      },
      {
        onRequestStart() {},
        onResponseStart(_controller, status) {
          answered = status;
        },
        onResponseData() {},
        onResponseEnd: () => resolve(answered),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });

const waiting = requests.values();
let refused = 0;
const began = performance.now();
const worker = async () => {
  for (const request of waiting) if ((await send(request)) >= 400) refused++;
};
await Promise.all(Array.from({ length: Number(parallelism) }, worker));
console.log(JSON.stringify({ milliseconds: performance.now() - began, refused }));
process.exit();
