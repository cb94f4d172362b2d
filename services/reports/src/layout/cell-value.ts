import type { Language } from "#shared/text/language.ts";
import { zoneOffsetMs } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { CellValue } from "./document.ts";
import type { LineCell } from "./lines.ts";
import type { Writer } from "./writer.ts";

/** The typed value of a cell: a number, moment or duration if its text has the writer's format for one, else text. */
export function cellValue({ text, column, raw }: LineCell, writer: Writer): CellValue {
  if (text === "") return null;
  if (raw === undefined) return { kind: "text", text };
  if (raw > FIRST_MOMENT && writer.moment(raw).v === text) return { kind: "date", value: serialOf(raw, writer.zone) };
  if (raw > FIRST_MOMENT && writer.day(raw).v === text)
    return { kind: "day", value: Math.floor(serialOf(raw, writer.zone)) };
  if (column?.align !== "right") return { kind: "text", text };
  // `raw` also has what the text leaves out, such as seconds.
  if (DURATION.test(text)) return { kind: "duration", value: raw / 86_400 };
  const value = numberOf(text, writer.language);
  return value === undefined ? { kind: "text", text } : { kind: "number", value };
}

/** Parses a number that the writer formatted for the reader. */
function numberOf(v: string, language: Language): number | undefined {
  const plain = language === "de" ? v.replaceAll(".", "").replace(",", ".") : v.replaceAll(",", "");
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}

/** Days since 1899-12-30 by the clock of the zone. */
function serialOf(ms: number, zone: string) {
  return (ms + zoneOffsetMs(ms, zone)) / DAY_MS + UNIX_DAY;
}

const UNIX_DAY = 25_569;
/** A moment in 1970: no duration in seconds and no distance is that large. */
const FIRST_MOMENT = 10_000_000_000;
const DURATION = /^\d{2,}:\d\d(:\d\d)?$/;
