import { expect, test } from "vitest";
import { fullPoint } from "../../../../test/tool/point/made.ts";
import { crc16Arc } from "./crc.ts";
import { answerTo, blackBoxPacket, dataPacket, loginPacket } from "./wialon-ips.ts";

// Packets that circulate in public descriptions and clients of the protocol.
test("loginPacket writes the published packet, with and without a password", () => {
  expect(loginPacket("860000000000000", null)).toBe("#L#2.0;860000000000000;NA;46D4\r\n");
  expect(loginPacket("355217044956192", null)).toBe("#L#2.0;355217044956192;NA;E335\r\n");
  expect(loginPacket("1", "secret")).toMatch(/^#L#2\.0;1;secret;[0-9A-F]{4}\r\n$/);
});

test.each([
  [
    "010125;112233;5128.199596;N;00000.122544;E;0;0;0;0;0;0;NA;;NA;example1:1:0,example2:2:0.12,example3:1:123;",
    0x72d3,
  ],
  ["231117;214323;5730.9016;N;05306.8536;E;0;174;182;18;NA;NA;NA;;NA;tamper_1:1:0|", 0xb16a],
])("crc16Arc of the published packet %j covers the separator before it", (message, crc) => {
  expect(crc16Arc(Buffer.from(message))).toBe(crc);
});

test("dataPacket writes a point as the fields of the protocol, in their order", () => {
  const attributes = { fuel: 45.8, "driver;name": "A:B|C", count: 7, sos: true };
  const packet = dataPacket(fullPoint({ attributes, gsm_lbs: true }));
  const { type, message = "" } = /^#(?<type>\w)#(?<message>.*)[0-9A-F]{4}\r\n$/.exec(packet)?.groups ?? {};
  expect(type).toBe("D");
  expect(message.split(";")).toEqual([
    ...["090726", "055058", "5230.660000", "N", "01324.750000", "E", "46", "271", "34", "9", "NA", "5", "NA", "", "NA"],
    "accuracy:1:5,lbs:1:1,fuel:2:45.8,driver_name:3:A_B_C,count:1:7,sos:1:1",
    "",
  ]);
});

test.each([
  [-33.8688, -70.000001, "3352.128000;S;07000.000060;W"],
  [0, 0, "0000.000000;N;00000.000000;E"],
  [89.999999, 179.999999, "8959.999940;N;17959.999940;E"],
  [-90, -180, "9000.000000;S;18000.000000;W"],
])("dataPacket writes the position %f, %f as %s", (lat, lng, written) => {
  expect(dataPacket(fullPoint({ lat, lng }))).toContain(`;${written};`);
});

test("dataPacket writes unmeasured values as NA, not as 0", () => {
  const unknown = { speed: null, heading: null, alt: null, satellites: null, precision: null, inputs: null };
  expect(dataPacket(fullPoint(unknown))).toContain(";E;NA;NA;NA;NA;NA;NA;NA;;NA;;");
});

test("blackBoxPacket writes several points, each closed by a bar that the checksum covers", () => {
  const packet = blackBoxPacket([fullPoint(), fullPoint({ time: Date.UTC(2026, 6, 9, 5, 51, 8) })]);
  const { message = "", crc = "" } = /^#B#(?<message>.*\|)(?<crc>[0-9A-F]{4})\r\n$/.exec(packet)?.groups ?? {};
  const records = message.split("|");
  expect(records.map((record) => record.split(";")[1])).toEqual(["055058", "055108", undefined]);
  expect(Number.parseInt(crc, 16)).toBe(crc16Arc(Buffer.from(message)));
});

test("answerTo reads the answer to its own packet and ignores one to another packet", () => {
  expect(answerTo("L", "#AL#1\r\n")).toBe("1");
  expect(answerTo("B", "#AB#12\r\n")).toBe("12");
  expect(answerTo("B", "#AB#\r\n")).toBe("");
  expect(answerTo("D", "#ASD#1\r\n")).toBeUndefined();
});
