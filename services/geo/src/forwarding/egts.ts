import type { Point } from "../point/point.ts";
import { crc8, crc16Ccitt } from "./crc.ts";
import { DeliveryFailure } from "./delivery-failure.ts";

/**
 * A packet of EGTS (GOST R 56361-2015, annex A): records of subrecords, all numbers little-endian. The sender numbers its
 * packets, and an answer names the number.
 */
export type Packet = { id: number; type: number; data: Uint8Array };
export type RecordHead = { number: number; service: number; subrecords: { type: number; data: Uint8Array }[] };

/** Packet types EGTS_PT_RESPONSE and EGTS_PT_APPDATA. */
export const [RESPONSE, APPDATA] = [0, 1];
/** Services and subrecords carry the standard's names without `EGTS_` and `EGTS_SR_`. */
export const AUTH_SERVICE = 1;
export const TELEDATA_SERVICE = 2;
export const RECORD_RESPONSE = 0;
export const RESULT_CODE = 9;
export const OK = 0;

/** The terminal's name at the receiver: a 32-bit number or an IMEI. */
export type Terminal = { tid: number; imei: string | null };

/** Undefined for an id that fits into no field of the protocol. */
export function terminalOf(device_id: string): Terminal | undefined {
  if (!/^\d{1,15}$/.test(device_id)) return undefined;
  const number = Number(device_id);
  return number > 0 && number <= MAX_UINT32
    ? { tid: number, imei: null }
    : { tid: 0, imei: device_id.padStart(IMEI_BYTES, "0") };
}

/** A transport packet with the fields PRV to SFRCS (order 285 of Russia's Ministry of Transport, 2012, table 3). */
export function packetOf(type: number, id: number, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + data.length + 2);
  const view = new DataView(bytes.buffer);
  // Protocol version 1, no key; not routed, encrypted or compressed; low priority.
  bytes.set([1, 0, 3, HEADER_BYTES, 0]);
  view.setUint16(5, data.length, true);
  view.setUint16(7, id, true);
  bytes[9] = type;
  bytes[10] = crc8(bytes.subarray(0, HEADER_BYTES - 1));
  bytes.set(data, HEADER_BYTES);
  view.setUint16(HEADER_BYTES + data.length, crc16Ccitt(data), true);
  return bytes;
}

/** The first record of a connection: names the terminal (subrecord EGTS_SR_TERM_IDENTITY). */
export function identityRecord(number: number, { tid, imei }: Terminal): Uint8Array {
  const data = new Uint8Array(5 + (imei ? IMEI_BYTES : 0));
  new DataView(data.buffer).setUint32(0, tid, true);
  // The IMEI is the only optional field.
  data[4] = imei ? 0x02 : 0;
  if (imei) data.set(Buffer.from(imei, "latin1"), 5);
  return record(number, AUTH_SERVICE, tid, [subrecord(TERM_IDENTITY, data)]);
}

/** A record of one point (subrecords EGTS_SR_POS_DATA and EGTS_SR_EXT_POS_DATA). */
export function pointRecord(number: number, { tid }: Terminal, point: Point): Uint8Array {
  const parts = [subrecord(POS_DATA, positionData(point))];
  // The flags say that only the number of satellites follows.
  if (point.satellites !== null)
    parts.push(subrecord(EXT_POS_DATA, Uint8Array.of(0x08, Math.min(point.satellites, 255))));
  return record(number, TELEDATA_SERVICE, tid, parts);
}

/** The data of EGTS_PT_RESPONSE: packet id, result and confirmed records (GOST R 56361-2015, A.6.2, table A.5). */
export function responseTo({ id, data }: Packet): Uint8Array {
  const records = readRecords(data).map(({ number, service }) => {
    const status = Uint8Array.of(number & 0xff, number >> 8, OK);
    return record(number, service, 0, [subrecord(RECORD_RESPONSE, status)]);
  });
  return Buffer.concat([Uint8Array.of(id & 0xff, id >> 8, OK), ...records]);
}

/** The length of the first packet; undefined while too few bytes are there. Throws for other protocols. */
export function packetLength(bytes: Uint8Array): number | undefined {
  const header = bytes[3];
  if (bytes[0] !== undefined && bytes[0] !== 1) throw new DeliveryFailure("the receiver does not speak EGTS");
  if (header === undefined || bytes.length < 7) return undefined;
  if (header < HEADER_BYTES) throw new DeliveryFailure("the receiver does not speak EGTS");
  const length = viewOf(bytes).getUint16(5, true);
  return header + (length > 0 ? length + 2 : 0);
}

/** Parses exactly one packet; throws on a wrong checksum. */
export function readPacket(bytes: Uint8Array): Packet {
  const view = viewOf(bytes);
  const header = bytes[3] ?? 0;
  const length = view.getUint16(5, true);
  const data = bytes.subarray(header, header + length);
  const isWhole = crc8(bytes.subarray(0, header - 1)) === bytes[header - 1];
  if (!isWhole || (length > 0 && crc16Ccitt(data) !== view.getUint16(header + length, true))) {
    throw new DeliveryFailure("a checksum of the receiver is wrong");
  }
  return { id: view.getUint16(7, true), type: view.getUint8(9), data };
}

/** The records (SDR) of a packet: length, number, flags, up to three optional fields, two services and subrecords. */
export function readRecords(bytes: Uint8Array): RecordHead[] {
  const view = viewOf(bytes);
  const records: RecordHead[] = [];
  for (let at = 0; at + 7 <= bytes.length; ) {
    const length = view.getUint16(at, true);
    const number = view.getUint16(at + 2, true);
    const flags = view.getUint8(at + 4);
    // Object, event and time have four bytes each, if their flag is set.
    const optional = 4 * ((flags & 1) + ((flags >> 1) & 1) + ((flags >> 2) & 1));
    const start = at + 5 + optional + 2;
    const data = bytes.subarray(start, start + length);
    records.push({ number, service: bytes[start - 2] ?? 0, subrecords: readSubrecords(data) });
    at = start + length;
  }
  return records;
}

function readSubrecords(bytes: Uint8Array) {
  const view = viewOf(bytes);
  const subrecords: RecordHead["subrecords"] = [];
  for (let at = 0; at + 3 <= bytes.length; ) {
    const length = view.getUint16(at + 1, true);
    subrecords.push({ type: view.getUint8(at), data: bytes.subarray(at + 3, at + 3 + length) });
    at += 3 + length;
  }
  return subrecords;
}

/** `oid` 0: the record names no object and means the connection's terminal. */
function record(number: number, service: number, oid: number, subrecords: Uint8Array[]) {
  const data = Buffer.concat(subrecords);
  const head = new Uint8Array(oid ? 11 : 7);
  const view = new DataView(head.buffer);
  view.setUint16(0, data.length, true);
  view.setUint16(2, number, true);
  // Flags: the sending service is the device's; whether the object is named.
  head[4] = 0x80 | (oid ? 1 : 0);
  if (oid) view.setUint32(5, oid, true);
  head.set([service, service], head.length - 2);
  return Buffer.concat([head, data]);
}

function subrecord(type: number, data: Uint8Array) {
  return Buffer.concat([Uint8Array.of(type, data.length & 0xff, data.length >> 8), data]);
}

/** EGTS_SR_POS_DATA, with the fields NTM to ALT. */
function positionData({ time, lat, lng, speed, heading, alt, inputs, buffered }: Point) {
  const bytes = new Uint8Array(21 + (alt === null ? 0 : 3));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, clamp(Math.floor((time - EPOCH_MS) / 1000), MAX_UINT32), true);
  view.setUint32(4, Math.floor((Math.abs(lat) / 90) * MAX_UINT32), true);
  view.setUint32(8, Math.floor((Math.abs(lng) / 180) * MAX_UINT32), true);
  const moves = (speed ?? 0) > 0;
  bytes[12] =
    (alt === null ? 0 : 0x80) | // the altitude follows
    (lng < 0 ? 0x40 : 0) |
    (lat < 0 ? 0x20 : 0) |
    (moves ? 0x10 : 0) |
    (buffered ? 0x08 : 0) |
    (alt === null ? 0 : 0x02) | // a fix in three dimensions
    0x01; // valid
  const direction = (heading ?? 0) % 360;
  const tenths = clamp(Math.round((speed ?? 0) * 10), MAX_SPEED);
  view.setUint16(13, tenths | (alt !== null && alt < 0 ? 0x4000 : 0) | (direction > 255 ? 0x8000 : 0), true);
  bytes[15] = direction & 0xff;
  // Bytes 16 to 18: no odometer.
  bytes[19] = (inputs ?? 0) & 0xff;
  // Byte 20, the reason for sending, stays 0: by time.
  if (alt !== null) {
    const meters = clamp(Math.abs(alt), 0xffffff);
    bytes.set([meters & 0xff, (meters >> 8) & 0xff, meters >> 16], 21);
  }
  return bytes;
}

function clamp(value: number, max: number) {
  return Math.min(Math.max(value, 0), max);
}

function viewOf(bytes: Uint8Array) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const TERM_IDENTITY = 1;
const POS_DATA = 16;
const EXT_POS_DATA = 17;
const HEADER_BYTES = 11;
const IMEI_BYTES = 15;
const MAX_UINT32 = 0xffffffff;
/** Tenths of km/h in 14 bits. */
const MAX_SPEED = 0x3fff;
const EPOCH_MS = Date.UTC(2010, 0, 1);
