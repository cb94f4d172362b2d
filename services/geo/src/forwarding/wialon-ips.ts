import type { Point } from "../point/point.ts";
import { crc16Arc } from "./crc.ts";

/** A packet that begins a connection (Wialon IPS 2.0, Login Packet). */
export function loginPacket(device_id: string, password: string | null): string {
  return packet("L", `2.0;${device_id};${password ?? "NA"};`);
}

/** A packet of one point (Wialon IPS 2.0, Extended Data Packet). */
export function dataPacket(point: Point): string {
  return packet("D", `${fieldsOf(point)};`);
}

/** A packet of several points, meant for points that a device had stored (Wialon IPS 2.0, Black Box Packet). */
export function blackBoxPacket(points: Point[]): string {
  return packet("B", points.map((point) => `${fieldsOf(point)}|`).join(""));
}

/** The receiver's answer `#A<type>#` to a packet (Wialon IPS 2.0, Packet Types); undefined if it answers another type. */
export function answerTo(type: "L" | "D" | "B", line: string): string | undefined {
  const start = `#A${type}#`;
  return line.startsWith(start) ? line.slice(start.length).trim() : undefined;
}

/**
 * `#type#fields;checksum` and a line break (Wialon IPS 2.0, General Structure of TCP Messages). The checksum covers the
 * fields with their separator.
 */
function packet(type: string, message: string) {
  const crc = crc16Arc(Buffer.from(message)).toString(16).toUpperCase().padStart(4, "0");
  return `#${type}#${message}${crc}\r\n`;
}

/** The fields of a point in the order of the Extended Data Packet; NA: unknown. */
function fieldsOf({ time, lat, lng, speed, heading, alt, satellites, precision, inputs, ...more }: Point): string {
  const moment = new Date(time).toISOString();
  return [
    `${moment.slice(8, 10)}${moment.slice(5, 7)}${moment.slice(2, 4)}`,
    moment.slice(11, 19).replaceAll(":", ""),
    degreesAndMinutes(lat, 2),
    lat < 0 ? "S" : "N",
    degreesAndMinutes(lng, 3),
    lng < 0 ? "W" : "E",
    numberOrNa(speed),
    numberOrNa(heading === 360 ? 0 : heading),
    numberOrNa(alt),
    numberOrNa(satellites),
    "NA", // dilution of precision: points have meters instead
    numberOrNa(inputs),
    "NA", // outputs
    "", // analogue inputs
    "NA", // the driver's key
    parametersOf(precision, more),
  ].join(";");
}

/** DDMM.MMMM or DDDMM.MMMM; four digits of a minute are 19 cm, so six are written. */
function degreesAndMinutes(degrees: number, width: number) {
  // Counts millionths of a minute, so that 59.9999999 minutes do not become 60.
  const millionths = Math.round(Math.abs(degrees) * 60e6);
  const minutes = ((millionths % 60e6) / 1e6).toFixed(6).padStart(9, "0");
  return `${String(Math.floor(millionths / 60e6)).padStart(width, "0")}${minutes}`;
}

function numberOrNa(value: number | null) {
  return value === null ? "NA" : String(Math.round(value));
}

function parametersOf(precision: number | null, { gsm_lbs, attributes }: Pick<Point, "gsm_lbs" | "attributes">) {
  const entries = Object.entries(attributes ?? {});
  const own: [string, number][] = [];
  if (precision !== null) own.push(["accuracy", precision]);
  if (gsm_lbs) own.push(["lbs", 1]);
  return [...own, ...entries].map(([name, value]) => parameter(name, value)).join(",");
}

/** `NAME:TYPE:VALUE`; 1 is a whole number, 2 any number, 3 text (Wialon IPS 2.0, Additional Parameters). */
function parameter(name: string, value: string | number | boolean) {
  const [type, text] = typeof value === "boolean" ? [1, Number(value)] : [typeOf(value), value];
  return `${name.replace(SEPARATORS, "_")}:${type}:${String(text).replace(SEPARATORS, "_")}`;
}

function typeOf(value: string | number) {
  if (typeof value === "string") return 3;
  return Number.isInteger(value) ? 1 : 2;
}

/** Characters with a meaning in packets. */
const SEPARATORS = /[#;,:|\s]/g;
