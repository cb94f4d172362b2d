import { expect, test } from "vitest";
import { fullPoint } from "../../../../test/tool/point/made.ts";
import { decodePacket } from "../../../../test/tool/receiver/egts-packet.ts";
import {
  APPDATA,
  identityRecord,
  packetLength,
  packetOf,
  pointRecord,
  RESPONSE,
  readPacket,
  readRecords,
  responseTo,
  terminalOf,
} from "./egts.ts";

const terminal = { tid: 133552, imei: null };
const one = (record: Uint8Array) => decodePacket(Buffer.from(packetOf(APPDATA, 7, record)));

// Packets of the test vectors of an independent implementation.
const RESPONSE_137 = Buffer.from("0100030b0003008900004a15380033e8", "hex");
const RESULT_OK = Buffer.from("0100000b000b00153801110400153820010109010000" + "3cbc", "hex");
const TERM_IDENTITY = Buffer.from(
  "0100030b0013008600" + "01b608005f00990200000001010105" + "00b00902001" + "00dce",
  "hex",
);

test("readPacket and readRecords read the published EGTS packets", () => {
  expect(packetLength(RESPONSE_137)).toBe(16);
  expect(readPacket(RESPONSE_137)).toMatchObject({ id: 137, type: RESPONSE });
  expect(Buffer.from(readPacket(RESPONSE_137).data).toString("hex")).toBe("153800");
  expect(readRecords(readPacket(RESULT_OK).data)).toMatchObject([
    { number: 14357, service: 1, subrecords: [{ type: 9, data: Buffer.from([0]) }] },
  ]);
  expect(readRecords(readPacket(TERM_IDENTITY).data)).toMatchObject([
    { number: 95, service: 1, subrecords: [{ type: 1 }] },
  ]);
});

test("packetOf writes the published packet byte for byte", () => {
  const packet = packetOf(RESPONSE, 137, Uint8Array.of(0x15, 0x38, 0));
  expect(Buffer.from(packet)).toEqual(RESPONSE_137);
});

test("pointRecord writes the published position bit for bit", () => {
  const point = fullPoint({
    time: Date.UTC(2018, 6, 6, 20, 8, 53),
    lat: 55.55389399769574,
    lng: 37.43236696287812,
    speed: 200,
    heading: 300,
    alt: null,
    satellites: null,
    inputs: null,
  });
  const position = pointRecord(1, terminal, point).subarray(11 + 3);
  const published = Buffer.from("5591021" + "06f1c059e7ab53c3501d0872c0100000000", "hex");
  // The published packet has an odometer, and marks a vehicle at 200 km/h as parked.
  published[16] = 0;
  published[12] = 0x11;
  const same = Buffer.from(position);
  // Degrees are rounded by the fraction: one part in four thousand million.
  expect(Math.abs(same.readUInt32LE(4) - published.readUInt32LE(4))).toBeLessThanOrEqual(1);
  expect(Math.abs(same.readUInt32LE(8) - published.readUInt32LE(8))).toBeLessThanOrEqual(1);
  published.copy(same, 4, 4, 12);
  expect(same.toString("hex")).toBe(published.toString("hex"));
});

test.each([
  fullPoint(),
  fullPoint({ lat: -33.8688, lng: -70.5, alt: -28, heading: 255, speed: 0, buffered: true }),
  fullPoint({ lat: 90, lng: 180, heading: 256, alt: 8848, inputs: 255 }),
  fullPoint({ lat: -90, lng: -180, heading: 359, speed: 1638.3, inputs: 0x1ff }),
])("pointRecord writes a point that a decoder by the tables reads back: %j", (point) => {
  const { records } = one(pointRecord(65_535, terminal, point));
  expect(records).toEqual([
    {
      number: 65_535,
      object: 133552,
      service: 2,
      satellites: point.satellites,
      position: {
        time: new Date(point.time).toISOString(),
        lat: point.lat,
        lng: point.lng,
        speed: point.speed,
        heading: point.heading,
        alt: point.alt,
        inputs: (point.inputs ?? 0) & 255,
        moves: (point.speed ?? 0) > 0,
        stored: point.buffered,
        valid: true,
      },
    },
  ]);
});

test("pointRecord leaves unmeasured values out or writes 0, and a heading of 360 as north", () => {
  const unknown = { speed: null, alt: null, satellites: null, inputs: null, heading: 360 };
  const [record] = one(pointRecord(1, terminal, fullPoint(unknown))).records;
  expect(record).not.toHaveProperty("satellites");
  expect(record?.position).toMatchObject({ speed: 0, alt: null, heading: 0, inputs: 0 });
});

test.each([
  ["42", { tid: 42 }, 42],
  ["4294967295", { tid: 4294967295 }, 4294967295],
  ["4294967296", { tid: 0, imei: "000004294967296" }, null],
  ["860000000000017", { tid: 0, imei: "860000000000017" }, null],
])("identityRecord names the device id %s as %j", (device_id, identity, object) => {
  const own = terminalOf(device_id);
  if (!own) throw new Error("no terminal");
  expect(one(identityRecord(0, own)).records).toEqual([{ number: 0, object, service: 1, identity }]);
});

test.each(["", "0123456789012345", "van-7"])(
  "terminalOf refuses the device id %j, which the protocol cannot carry",
  (device_id) => {
    expect(terminalOf(device_id)).toBeUndefined();
  },
);

test("packetLength waits until a packet is whole, and readPacket refuses a wrong checksum", () => {
  expect(packetLength(RESULT_OK.subarray(0, 6))).toBeUndefined();
  expect(packetLength(RESULT_OK.subarray(0, 7))).toBe(RESULT_OK.length);
  for (const at of [8, RESULT_OK.length - 1]) {
    const broken = Buffer.from(RESULT_OK);
    broken[at] = (broken[at] ?? 0) ^ 1;
    expect(() => readPacket(broken)).toThrow("checksum");
  }
  expect(() => packetLength(Buffer.from("HTTP/1.1 400"))).toThrow("EGTS");
});

test("responseTo confirms a receiver's packet with each of its records", () => {
  const data = responseTo(readPacket(RESULT_OK));
  expect([...data.subarray(0, 3)]).toEqual([0x15, 0x38, 0]);
  expect(readRecords(data.subarray(3))).toEqual([
    { number: 14357, service: 1, subrecords: [{ type: 0, data: Buffer.from([0x15, 0x38, 0]) }] },
  ]);
});
