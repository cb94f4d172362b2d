import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import type { DatabaseControls } from "../system/controls.ts";
import { waitUntil } from "../wait.ts";
import type { Account } from "./account.ts";

/** A client of the stream of events that can pause reading: bytes that it does not read pile up at the server. */
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
    /** Every byte that was read, frames with their headers. */
    received: () => received,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    /** Reads on to the end: the runtime keeps the object of a socket that is reset while it sends. */
    close: () => void socket.resume().end(),
    send: (message: object) => void socket.write(frameOf(JSON.stringify(message))),
  };
}

/**
 * Waits until the server has stopped to answer a client that does not read: fleet's trips, of which a subscription makes
 * one, grow no more while another client has fifty calls answered that make none.
 */
export async function untilUnanswered({ trips }: Pick<DatabaseControls, "trips">, { must }: Pick<Account, "must">) {
  const growth = async () => {
    const before = (await trips()).fleet;
    for (let count = 0; count < 50; count++) await must("/base/nothing");
    return (await trips()).fleet - before;
  };
  await waitUntil("the server answers the client that does not read no more", growth, (count) => count === 0);
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
