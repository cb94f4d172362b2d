import { waitUntil } from "../wait.ts";
import type { Reply } from "./account.ts";

export type LiveClient = Awaited<ReturnType<typeof connect>>;

/** A client of the stream of events, at an IP address, that keeps every message it was sent. */
export async function connect(baseUrl: string, address = "") {
  const query = "X-Atmosphere-tracking-id=0&X-Atmosphere-Framework=2.3.6-javascript&X-Atmosphere-Transport=websocket";
  const url = `${baseUrl.replace(/^http/, "ws")}/event/subscription?${query}&X-atmo-protocol=true`;
  // Node's sockets take headers, which the types of browsers do not know.
  const options = { headers: { "CF-Connecting-IP": address } } as unknown as string[];
  const socket = new WebSocket(url, options);
  const texts: string[] = [];
  let closed: { code: number; reason: string } | undefined;
  socket.addEventListener("message", ({ data }) => {
    texts.push(String(data));
  });
  socket.addEventListener("close", ({ code, reason }) => {
    closed = { code, reason };
  });
  const until = (condition: string, isMet: () => boolean) => waitUntil(condition, () => texts.slice(-5), isMet);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("The connection was refused.")));
  });
  await until("the handshake came", () => texts.length > 0);
  /** How many messages `next` has passed or returned. */
  let taken = 1;

  return {
    texts,
    handshake: String(texts[0]),
    closed: () => closed,
    close: () => socket.close(),
    send: (message: object | string) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    until,
    next,
    nextEvent,
    events,
    async ask(message: object): Promise<Reply> {
      socket.send(JSON.stringify(message));
      return next(({ type }) => type !== "event", `${JSON.stringify(message).slice(0, 200)} was answered`);
    },
  };

  /** The next message that `isSuch` accepts; messages before it are passed over. `condition` is for the failure. */
  async function next(isSuch: (message: Reply) => boolean = () => true, condition = "a message came"): Promise<Reply> {
    let found: Reply;
    await until(condition, () => {
      while (!found && taken < texts.length) {
        const message = parseMessage(texts[taken++]);
        if (message && isSuch(message)) found = message;
      }
      return found !== undefined;
    });
    return found;
  }

  function nextEvent(name: string): Promise<Reply> {
    return next(({ event }) => event === name, `an event "${name}" came`);
  }

  /** Every event of this name since the connection began, also those that `next` has returned. */
  function events(name: string): Reply[] {
    return texts.map(parseMessage).filter((message) => message?.event === name);
  }
}

function parseMessage(text: string | undefined): Reply {
  return text?.startsWith("{") ? JSON.parse(text) : undefined;
}
