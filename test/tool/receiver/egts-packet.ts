/**
 * Reads what a sender of EGTS sends, written from the tables of the standard alone: it shares nothing with the encoder
 * but the bytes. Checksums are taken bit by bit.
 */
export type DecodedPacket = {
  id: number;
  type: number;
  records: { number: number; object: number | null; service: number; identity?: object; position?: object }[];
};

export function decodePacket(bytes: Buffer): DecodedPacket {
  const [version, key, flags, headerLength, encoding] = bytes;
  if (version !== 1 || key !== 0 || ((flags ?? 0) & 0xfc) !== 0 || headerLength !== 11 || encoding !== 0) {
    throw new Error(`header ${bytes.subarray(0, 11).toString("hex")}`);
  }
  const length = bytes.readUInt16LE(5);
  const data = bytes.subarray(11, 11 + length);
  if (bytes.length !== 11 + length + 2) throw new Error("length");
  if (sum(bytes.subarray(0, 10), 0x31, 8) !== bytes[10]) throw new Error("checksum of the header");
  if (sum(data, 0x1021, 16) !== bytes.readUInt16LE(11 + length)) throw new Error("checksum of the data");
  const type = bytes.readUInt8(9);
  // A confirmation begins with what it confirms.
  return { id: bytes.readUInt16LE(7), type, records: recordsOf(type === 0 ? data.subarray(3) : data) };
}

function recordsOf(data: Buffer): DecodedPacket["records"] {
  if (data.length === 0) return [];
  const bits = data.readUInt8(4);
  if (bits & 0b110) throw new Error("event or time");
  const hasObject = (bits & 1) === 1;
  const at = hasObject ? 9 : 5;
  const [length, body] = [data.readUInt16LE(0), at + 2];
  if (data[at] !== data[at + 1]) throw new Error("services differ");
  const own = {
    number: data.readUInt16LE(2),
    object: hasObject ? data.readUInt32LE(5) : null,
    service: data.readUInt8(at),
    ...membersOf(data.subarray(body, body + length)),
  };
  return [own, ...recordsOf(data.subarray(body + length))];
}

function membersOf(data: Buffer): object {
  if (data.length === 0) return {};
  const [type, length] = [data.readUInt8(0), data.readUInt16LE(1)];
  const body = data.subarray(3, 3 + length);
  const rest = membersOf(data.subarray(3 + length));
  if (type === 0) return rest;
  if (type === 1) return { identity: identityOf(body), ...rest };
  if (type === 16) return { position: positionOf(body), ...rest };
  if (type === 17 && body[0] === 8) return { satellites: body.readUInt8(1), ...rest };
  throw new Error(`subrecord ${type}`);
}

function identityOf(body: Buffer) {
  const bits = body.readUInt8(4);
  const tid = body.readUInt32LE(0);
  if (bits === 0) return { tid };
  if (bits !== 2) throw new Error("fields of the identity");
  return { tid, imei: body.subarray(5, 20).toString("latin1") };
}

function positionOf(body: Buffer) {
  const bits = body.readUInt8(12).toString(2).padStart(8, "0");
  const flags = [...bits].map((bit) => bit === "1");
  const [hasAltitude, west, south, moves, stored] = flags;
  const word = body.readUInt16LE(13).toString(2).padStart(16, "0");
  return {
    time: new Date(Date.UTC(2010, 0, 1) + body.readUInt32LE(0) * 1000).toISOString(),
    lat: round(((south ? -1 : 1) * body.readUInt32LE(4) * 90) / 4294967295),
    lng: round(((west ? -1 : 1) * body.readUInt32LE(8) * 180) / 4294967295),
    speed: Number.parseInt(word.slice(2), 2) / 10,
    heading: Number(word[0]) * 256 + body.readUInt8(15),
    alt: hasAltitude ? (word[1] === "1" ? -1 : 1) * body.readUIntLE(21, 3) : null,
    inputs: body.readUInt8(19),
    moves,
    stored,
    valid: flags[7],
  };
}

function round(degrees: number) {
  return Math.round(degrees * 1e6) / 1e6;
}

/** A checksum that begins with all bits set and takes the highest bit first. */
export function sum(bytes: Uint8Array, polynomial: number, width: 8 | 16): number {
  let rest = (1 << width) - 1;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const carry = ((rest >> (width - 1)) & 1) ^ ((byte >> bit) & 1);
      rest = ((rest << 1) & ((1 << width) - 1)) ^ (carry ? polynomial : 0);
    }
  }
  return rest;
}
