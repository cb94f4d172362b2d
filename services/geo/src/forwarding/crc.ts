/** CRC-16/ARC, of packets of Wialon IPS (version 2.0, Checksum). */
export function crc16Arc(bytes: Uint8Array): number {
  return bytes.reduce((crc, byte) => shiftByteRight(crc ^ byte), 0);
}

/** CRC-16/CCITT-FALSE, of the data of an EGTS packet (field SFRCS). */
export function crc16Ccitt(bytes: Uint8Array): number {
  return bytes.reduce((crc, byte) => shiftByteLeft(crc ^ (byte << 8), 0x1021, 16), 0xffff);
}

/** CRC-8 with polynomial 0x31 and start 0xFF, of the header of an EGTS packet (field HCS). */
export function crc8(bytes: Uint8Array): number {
  return bytes.reduce((crc, byte) => shiftByteLeft(crc ^ byte, 0x31, 8), 0xff);
}

function shiftByteRight(value: number) {
  let crc = value;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  return crc;
}

function shiftByteLeft(value: number, polynomial: number, width: number) {
  let crc = value;
  const top = 1 << (width - 1);
  for (let bit = 0; bit < 8; bit++) crc = crc & top ? (crc << 1) ^ polynomial : crc << 1;
  return crc & ((1 << width) - 1);
}
