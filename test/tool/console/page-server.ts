import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

/** Serves an empty page at `/` of an origin of its own, and beside it the scripts of a folder. */
export async function startPageServer(folder: string) {
  const server = createServer((request, response) => {
    if (request.url === "/") return void response.setHeader("Content-Type", "text/html").end("<title>Fleet</title>");
    response.setHeader("Content-Type", "text/javascript").end(readFileSync(join(folder, request.url ?? "")));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address === "string" || !address) throw new Error("A TCP server has a port.");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
