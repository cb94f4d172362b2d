import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { listenOnLoopback } from "../listen.ts";

/** Serves an empty page at `/` of an origin of its own, and beside it the scripts of a folder. */
export async function startPageServer(folder: string) {
  const server = createServer((request, response) => {
    if (request.url === "/") return void response.setHeader("Content-Type", "text/html").end("<title>Fleet</title>");
    response.setHeader("Content-Type", "text/javascript").end(readFileSync(join(folder, request.url ?? "")));
  });
  const port = await listenOnLoopback(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
