import type { Point } from "../point/point.ts";
import { DeliveryFailure, NoAnswer } from "./delivery-failure.ts";
import {
  APPDATA,
  AUTH_SERVICE,
  identityRecord,
  OK,
  type Packet,
  packetLength,
  packetOf,
  pointRecord,
  RECORD_RESPONSE,
  RESPONSE,
  RESULT_CODE,
  readPacket,
  readRecords,
  responseTo,
  terminalOf,
} from "./egts.ts";
import type { Acknowledge, ReceiverSession } from "./receiver-session.ts";
import type { TcpConnection } from "./tcp-connection.ts";

/**
 * Names the terminal and waits for the receiver's consent; then sends packets of points, each of which the receiver
 * confirms.
 */
export async function openEgts(open: () => Promise<TcpConnection>, device_id: string): Promise<ReceiverSession> {
  const terminal = terminalOf(device_id);
  if (!terminal) throw new DeliveryFailure("the protocol needs a device id of digits: bind it with a fake_device_id");
  const connection = await open();
  let packets = 0;
  let records = 0;
  /** The receiver's result of the log-in; it may come before the packet is confirmed, or never. */
  let result: number | undefined;
  try {
    requireOk(await send([identityRecord(nextRecord(), terminal)]));
    if (result === undefined) await read(RESULT_WAIT_MS).catch(ignoreSilence);
    if (result !== undefined && result !== OK)
      throw new DeliveryFailure(`the receiver refused the log-in with ${result}`);
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
  return { maxPoints: MAX_POINTS_PER_PACKET, deliver, close: () => connection.close() };

  async function deliver(points: Point[], acknowledge: Acknowledge) {
    const first = records;
    const { status, confirmed } = await send(
      points.map((point) => pointRecord(nextRecord(), terminal ?? NOBODY, point)),
    );
    requireOk({ status });
    // Records without a status of their own count as the packet's status says.
    const refused = points.findIndex((_, index) => (confirmed.get((first + index) & 0xffff) ?? OK) !== OK);
    const count = refused === -1 ? points.length : refused;
    if (count > 0) acknowledge(count);
    else throw new DeliveryFailure(`the receiver refused a record with ${confirmed.get(first & 0xffff)}`);
  }

  /** Sends a packet; resolves with the receiver's confirmation of it. */
  async function send(sent: Uint8Array[]) {
    const id = packets++ & 0xffff;
    await connection.write(packetOf(APPDATA, id, Buffer.concat(sent)));
    for (;;) {
      const packet = await read();
      const { data } = packet;
      if (packet.type !== RESPONSE || data.length < 3) continue;
      if (((data[0] ?? 0) | ((data[1] ?? 0) << 8)) !== id) continue;
      return { status: data[2] ?? OK, confirmed: parseConfirmations(data.subarray(3)) };
    }
  }

  /** Reads one packet of the receiver, and confirms it if it has data. */
  async function read(waitMs?: number): Promise<Packet> {
    const packet = readPacket(await connection.read(packetLength, waitMs));
    if (packet.type !== APPDATA) return packet;
    for (const { service, subrecords } of readRecords(packet.data)) {
      const code = service === AUTH_SERVICE && subrecords.find(({ type }) => type === RESULT_CODE);
      if (code) result = code.data[0];
    }
    await connection.write(packetOf(RESPONSE, packets++ & 0xffff, responseTo(packet)));
    return packet;
  }

  function nextRecord() {
    return records++ & 0xffff;
  }
}

/** Statuses by record number. */
function parseConfirmations(data: Uint8Array): Map<number, number> {
  const confirmed = new Map<number, number>();
  for (const { subrecords } of readRecords(data)) {
    for (const { type, data: status } of subrecords) {
      if (type === RECORD_RESPONSE && status.length >= 3) {
        confirmed.set((status[0] ?? 0) | ((status[1] ?? 0) << 8), status[2] ?? OK);
      }
    }
  }
  return confirmed;
}

function requireOk({ status }: { status: number }) {
  if (status !== OK) throw new DeliveryFailure(`the receiver refused a packet with ${status}`);
}

/** Some receivers only confirm the packet and send no result. */
function ignoreSilence(thrown: unknown) {
  if (!(thrown instanceof NoAnswer)) throw thrown;
}

const NOBODY = { tid: 0, imei: null };
const MAX_POINTS_PER_PACKET = 50;
const RESULT_WAIT_MS = 2_000;
