import { expect, test } from "vitest";
import { decodeTextFile } from "./decode.ts";

test.each([
  ["windows-1251", "Склад"],
  ["windows-1251", "name\nСклад\n"],
  ["windows-1251", "label;lat;lng\nБаза;50.1;8.2\n"],
  ["windows-1251", "label,lat\nОфис №1,50.1\n"],
  ["windows-1251", "АЗС"],
  ["windows-1251", "label\nКёльн"],
  ["windows-1251", "Їжа"],
  ["windows-1251", "Ёж и я"],
  ["windows-1252", "label;lat;lng\nMünchen;50.1;8.2\n"],
  ["windows-1252", "Straße"],
  ["windows-1252", "Öl"],
  ["windows-1252", "Größe"],
  ["windows-1252", "Büro Süd, Tor 2, geöffnet 8–16 Uhr"],
  ["windows-1252", "café"],
  ["windows-1252", "à côté"],
  ["windows-1252", "créée à l'été"],
  ["windows-1252", "Été"],
  ["windows-1252", "Île à sucre"],
])("decodeTextFile recognizes a short text of %s: %s", (page, text) => {
  expect(decodeTextFile(encodeText(text, page))).toBe(text);
});

function encodeText(text: string, page: string): Uint8Array {
  const decoder = new TextDecoder(page);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from([...text].map((letter) => bytes.get(letter) ?? Number.NaN));
}
