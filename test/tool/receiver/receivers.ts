import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { listenOnLoopback } from "../listen.ts";
import { decodePacket, sum } from "./egts-packet.ts";

/** A point as the receiver understood it. */
export type Got = { id: string; time: string; lat: number };

/**
 * How a receiver behaves: it takes points, accepts connections and says nothing, cuts the line when points come, or in the
 * middle of its answer, or refuses what it is asked.
 */
export type Mode = "take" | "hang" | "cut" | "cut answer" | "refuse";

/** A real listener on loopback that speaks a protocol by its published description, and sees whether others do. */
export type Receiver = Awaited<ReturnType<typeof newReceiver>>;

export async function newReceiver(protocol: "wialon" | "egts" | "http") {
  const state = {
    mode: "take" as Mode,
    /** Points in order of arrival: in `taken` those that were acknowledged, in `offered` all of them. */
    taken: [] as Got[],
    offered: [] as Got[],
    /** Log-ins, or the authorization of requests. */
    logins: [] as object[],
    faults: [] as string[],
    /** Over Wialon IPS, the latitude of a point that it does not want. */
    unwanted: Number.NaN,
    sockets: new Set<Socket>(),
  };
  const make = () => listener(protocol, state);
  let server: Server | undefined = make();
  const port = await listenOnLoopback(server);
  return Object.assign(state, {
    port,
    /** Stops listening: connections are refused from now on. */
    async leave() {
      const closed = server && once(server, "close");
      server?.close();
      for (const socket of state.sockets) socket.destroy();
      server = undefined;
      await closed;
    },
    async comeBack() {
      server = make();
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
  });
}

type State = Omit<Receiver, "port" | "leave" | "comeBack">;

function listener(protocol: "wialon" | "egts" | "http", state: State): Server {
  const server = protocol === "http" ? httpServer(state) : createServer((socket) => converse(protocol, socket, state));
  server.on("connection", (socket: Socket) => {
    state.sockets.add(socket);
    socket.on("close", () => state.sockets.delete(socket));
    socket.on("error", () => undefined);
  });
  return server;
}

/** A message of a protocol, with the bytes that acknowledge its points. */
type Message = { points: Got[]; answers: (taken: number) => Buffer };

/** Bytes that have come in and complete no message yet. */
type Incoming = { bytes: Buffer };

function converse(protocol: "wialon" | "egts", socket: Socket, state: State) {
  const incoming: Incoming = { bytes: Buffer.alloc(0) };
  const next = protocol === "wialon" ? linesOf(incoming, state) : packetsOf(incoming, state);
  socket.on("data", (part) => {
    incoming.bytes = Buffer.concat([incoming.bytes, part]);
    try {
      for (let message = next(); message; message = next()) obey(message);
    } catch (thrown) {
      state.faults.push(String(thrown));
      socket.destroy();
    }
  });

  function obey({ points, answers }: Message) {
    state.offered.push(...points);
    if (state.mode === "hang" || socket.destroyed) return;
    if (state.mode === "cut" && points.length > 0) return void socket.destroy();
    if (state.mode === "cut answer" && points.length > 0) {
      socket.end(answers(points.length).subarray(0, 3));
      return;
    }
    const unwanted = points.findIndex(({ lat }) => lat === state.unwanted);
    const willing = unwanted === -1 ? points.length : unwanted;
    const taken = state.mode === "refuse" ? 0 : willing;
    state.taken.push(...points.slice(0, taken));
    socket.write(answers(taken));
  }
}

function linesOf(incoming: Incoming, state: State): () => Message | undefined {
  let id = "";
  return () => {
    const { bytes } = incoming;
    const end = bytes.indexOf("\r\n");
    if (end === -1) return undefined;
    const line = bytes.subarray(0, end).toString();
    incoming.bytes = bytes.subarray(end + 2);
    const {
      type = "",
      message = "",
      crc = "",
    } = /^#(?<type>\w+)#(?<message>.*[;|])(?<crc>[0-9A-F]+)$/.exec(line)?.groups ?? {};
    if (crc16(message) !== Number.parseInt(crc, 16)) throw new Error(`checksum of ${line}`);
    if (type === "L") {
      const [version, device, password] = message.split(";");
      if (version !== "2.0") throw new Error(line);
      id = device ?? "";
      state.logins.push({ id, password });
      return { points: [], answers: () => Buffer.from(state.mode === "refuse" ? "#AL#0\r\n" : "#AL#1\r\n") };
    }
    const records = type === "B" ? message.split("|").slice(0, -1) : [message.slice(0, -1)];
    const points = records.map((record) => wialonPoint(id, record));
    // A single point is refused for its coordinates (10), or as a whole (-1).
    const refusal = () => (state.mode === "refuse" ? -1 : 10);
    const word = (taken: number) => (type === "D" && taken === 0 ? refusal() : taken);
    return { points, answers: (taken) => Buffer.from(`#A${type}#${word(taken)}\r\n`) };
  };
}

function packetsOf(incoming: Incoming, state: State): () => Message | undefined {
  let id = "";
  return () => {
    const { bytes } = incoming;
    const length = bytes.length < 11 ? 0 : 11 + bytes.readUInt16LE(5) + 2;
    if (length === 0 || bytes.length < length) return undefined;
    const seen = decodePacket(bytes.subarray(0, length));
    incoming.bytes = bytes.subarray(length);
    // It confirms what we said ourselves.
    if (seen.type === 0) return { points: [], answers: () => Buffer.alloc(0) };
    const identity = seen.records.find((record) => record.identity)?.identity as { tid: number; imei?: string };
    if (identity) {
      state.logins.push(identity);
      id = identity.imei ?? String(identity.tid);
    }
    const points = seen.records.flatMap(({ position }) => {
      const { time, lat } = (position ?? {}) as Got;
      return position ? [{ id, time, lat }] : [];
    });
    return { points, answers: (taken) => egtsAnswer(seen, Boolean(identity), taken, state.mode) };
  };
}

function wialonPoint(id: string, record: string): Got {
  const [date = "", time = "", latitude = "", hemisphere, ...rest] = record.split(";");
  if (rest.length !== 12) throw new Error(`fields of ${record}`);
  const [day, month, year] = [date.slice(0, 2), date.slice(2, 4), date.slice(4)];
  const clock = `${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}`;
  const degrees = Number(latitude.slice(0, 2)) + Number(latitude.slice(2)) / 60;
  const lat = Math.round((hemisphere === "S" ? -degrees : degrees) * 1e6) / 1e6;
  return { id, time: `20${year}-${month}-${day}T${clock}.000Z`, lat };
}

/** The packet's confirmation with one for each record, and after a log-in its result. */
function egtsAnswer(seen: ReturnType<typeof decodePacket>, isLogin: boolean, taken: number, mode: Mode): Buffer {
  const confirmed = seen.records.map(({ number, service }, index) => {
    const status = isLogin || index < taken ? 0 : 129;
    return Buffer.from([
      6,
      0,
      number & 255,
      number >> 8,
      0x40,
      service,
      service,
      0,
      3,
      0,
      number & 255,
      number >> 8,
      status,
    ]);
  });
  const response = egtsPacket(0, Buffer.concat([Buffer.from([seen.id & 255, seen.id >> 8, 0]), ...confirmed]));
  if (!isLogin) return response;
  const result = Buffer.from([4, 0, 9, 0, 0x40, 1, 1, 9, 1, 0, mode === "refuse" ? 151 : 0]);
  return Buffer.concat([response, egtsPacket(1, result)]);
}

function egtsPacket(type: number, data: Buffer) {
  const head = Buffer.from([1, 0, 0, 11, 0, data.length & 255, data.length >> 8, 7, 0, type]);
  const crc = sum(data, 0x1021, 16);
  return Buffer.concat([head, Buffer.from([sum(head, 0x31, 8)]), data, Buffer.from([crc & 255, crc >> 8])]);
}

/** OsmAnd's query, or a JSON body as `/ingest/points` takes it. */
function httpServer(state: State): Server {
  return createHttpServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://receiver");
    const body = await text(request).catch(() => undefined);
    // The request was cut before its end.
    if (body === undefined) return;
    const { authorization = null } = request.headers;
    state.logins.push({ authorization, path: url.pathname });
    const points = request.method === "GET" ? [queryPoint(url.searchParams)] : bodyPoints(body);
    state.offered.push(...points);
    if (state.mode === "hang") return;
    if (state.mode === "cut") return void request.socket.destroy();
    if (state.mode === "cut answer") return void request.socket.end("HTTP/1.1 2");
    if (state.mode === "refuse") return void response.writeHead(503).end("later");
    state.taken.push(...points);
    response.end("{}");
  });
}

function queryPoint(query: URLSearchParams): Got {
  const seconds = Number(query.get("timestamp"));
  const time = new Date(seconds > 1e11 ? seconds : seconds * 1000).toISOString();
  return { id: query.get("id") ?? "", time, lat: Number(query.get("lat")) };
}

function bodyPoints(body: string): Got[] {
  const { device_id, points } = JSON.parse(body);
  return points.map(({ time, lat }: Got) => ({ id: device_id, time, lat }));
}

/** CRC-16/ARC, a bit at a time. */
function crc16(message: string): number {
  let rest = 0;
  for (const byte of Buffer.from(message)) {
    for (let bit = 0; bit < 8; bit++) {
      const carry = (rest ^ (byte >> bit)) & 1;
      rest = (rest >> 1) ^ (carry ? 0xa001 : 0);
    }
  }
  return rest;
}
