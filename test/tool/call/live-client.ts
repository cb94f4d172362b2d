import type { Reply } from "./account.ts";

export type LiveClient = Awaited<ReturnType<typeof connect>>;

/** A client of the stream of events, with all that it was sent. */
export async function connect(baseUrl: string) {
  const query = "X-Atmosphere-tracking-id=0&X-Atmosphere-Framework=2.3.6-javascript&X-Atmosphere-Transport=websocket";
  const address = `${baseUrl.replace(/^http/, "ws")}/event/subscription?${query}&X-atmo-protocol=true`;
  const socket = new WebSocket(address);
  const texts: string[] = [];
  const waiting = new Set<() => void>();
  let closed: { code: number; reason: string } | undefined;
  socket.addEventListener("message", ({ data }) => {
    texts.push(String(data));
    for (const look of waiting) look();
  });
  socket.addEventListener("close", ({ code, reason }) => {
    closed = { code, reason };
    for (const look of waiting) look();
  });
  const until = (isSo: () => boolean) => waitFor(waiting, isSo, () => texts.slice(-5).join("\n"));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("The connection was refused.")));
  });
  await until(() => texts.length > 0);
  /** How much of what came has been taken already. */
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
      return next(({ type }) => type !== "event");
    },
  };

  /** The next message that is such; what came before it is passed over. */
  async function next(isSuch: (message: Reply) => boolean = () => true): Promise<Reply> {
    let found: Reply;
    await until(() => {
      while (!found && taken < texts.length) {
        const message = parsed(texts[taken++]);
        if (message && isSuch(message)) found = message;
      }
      return found !== undefined;
    });
    return found;
  }

  function nextEvent(name: string): Promise<Reply> {
    return next(({ event }) => event === name);
  }

  /** All that came of this kind, taken or not. */
  function events(name: string): Reply[] {
    return texts.map(parsed).filter((message) => message?.event === name);
  }
}

function parsed(text: string | undefined): Reply {
  return text?.startsWith("{") ? JSON.parse(text) : undefined;
}

/** Waits until something is so, which is looked at whenever something came. */
async function waitFor(waiting: Set<() => void>, isSo: () => boolean, explain: () => string) {
  if (isSo()) return;
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => end(new Error(`Nothing such came: ${explain()}`)), PATIENCE_MS);
    const look = () => isSo() && end();
    waiting.add(look);
    function end(error?: Error) {
      clearTimeout(late);
      waiting.delete(look);
      if (error) reject(error);
      else resolve();
    }
  });
}

const PATIENCE_MS = 30_000;
