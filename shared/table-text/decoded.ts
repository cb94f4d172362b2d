import chardet from "chardet";
import { ApiError } from "#shared/error/api-error.ts";

/** A text in whatever encoding people's programs write it; 234 for what is none. */
export function decodedText(bytes: Uint8Array): string {
  const text = decoded(bytes);
  if (BINARY.test(text)) throw new ApiError(234);
  return text;
}

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return new TextDecoder(guessed(bytes)).decode(bytes);
  }
}

/** Of the pages that Windows' programs write, the likeliest. */
function guessed(bytes: Uint8Array): string {
  const likely = chardet.analyse(bytes.subarray(0, LOOKED_AT));
  return likely.map(({ name }) => name.toLowerCase()).find((name) => PAGES.includes(name)) ?? "windows-1252";
}

const PAGES = ["windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254"];
// biome-ignore lint/suspicious/noControlCharactersInRegex: what no text holds
const BINARY = /[\0-\x08\x0e-\x1a]/;
const LOOKED_AT = 64 * 1024;
