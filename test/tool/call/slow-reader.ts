import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";

/** A client of the stream of events that reads only when it is told to: bytes that it leaves alone stay at the server. */
export async function connectSlowly(baseUrl: string) {
  const { hostname, port, pathname } = new URL(`${baseUrl}/event/subscription`);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.on("data", (bytes: Buffer) => {
    received += bytes.toString("latin1");
  });
  await once(socket, "connect");
  const key = randomBytes(16).toString("base64");
  const headers = [
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${key}`,
    "Sec-WebSocket-Version: 13",
  ];
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${headers.join("\r\n")}\r\n\r\n`);
  return {
    /** All that was read, frames with their headers. */
    received: () => received,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
    send: (message: object) => void socket.write(frameOf(JSON.stringify(message))),
  };
}

/** RFC 6455: one text frame, whose mask is all zeros. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(8);
  header.writeUInt8(0x81, 0);
  header.writeUInt8(0x80 | 126, 1);
  header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}
