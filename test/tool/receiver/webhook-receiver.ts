import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { listenOnLoopback } from "../listen.ts";

/** A delivery as it arrived. */
export type Received = {
  headers: IncomingHttpHeaders;
  body: string;
  id: string;
  type: string;
  data: Record<string, unknown>;
};
export type WebhookReceiver = Awaited<ReturnType<typeof newWebhookReceiver>>;
/** Answers a delivery; without one it is answered 204. */
export type Answer = (response: ServerResponse, received: Received) => void;

/** A receiver of webhooks on loopback. `answers` are used one after the other, the last one again and again. */
export async function newWebhookReceiver(...answers: Answer[]) {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const state = { answers };
  let server: Server | undefined = make();
  const port = await listenOnLoopback(server);
  return Object.assign(state, {
    received,
    url: `http://127.0.0.1:${port}/events?key=1`,
    /** The types of what arrived, without the repetitions of a delivery. */
    types: () => [...new Map(received.map(({ id, type }) => [id, type])).values()],
    async leave() {
      const closed = server && once(server, "close");
      server?.close();
      for (const socket of sockets) socket.destroy();
      server = undefined;
      await closed;
    },
    async comeBack() {
      server = make();
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
  });

  function make(): Server {
    const made = createServer(async (request, response) => {
      const body = await text(request);
      const { type, data } = JSON.parse(body);
      const delivery = { headers: request.headers, body, id: String(request.headers["webhook-id"]), type, data };
      received.push(delivery);
      const answer = state.answers.length > 1 ? state.answers.shift() : state.answers[0];
      if (answer) answer(response, delivery);
      else response.writeHead(204).end();
    });
    made.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    return made;
  }
}

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end(`status ${code}`);
