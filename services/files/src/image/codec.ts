import decodeWebp, { init as initWebp } from "@jsquash/webp/decode.js";
import type { Pixels, Size } from "./pixels.ts";

/** The compiled libraries. Each image gets its own instance, because the memory of an instance never shrinks. */
export type Codecs = {
  jpeg: WebAssembly.Module;
  png: WebAssembly.Module;
  gif: WebAssembly.Module;
  webp: WebAssembly.Module;
};
export type DecodableType = keyof Codecs;

/** Decodes an image. A JPEG is scaled to 1/2, 1/4 or 1/8 if that is at least `minSize`; of a GIF, only the first frame. */
export async function decode(type: DecodableType, content: Uint8Array, codecs: Codecs, minSize: Size): Promise<Pixels> {
  if (type === "jpeg") return decodeJpeg(codecs.jpeg, content, minSize);
  if (type === "png") return decodePng(codecs.png, content);
  if (type === "gif") return decodeGif(codecs.gif, content);
  await initWebp(codecs.webp);
  try {
    const { width, height, data } = await decodeWebp(new Uint8Array(content).buffer);
    return { width, height, channels: 4, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
  } finally {
    // Frees the memory of the image.
    await initWebp(codecs.webp);
  }
}

/** Encodes pixels, which must have four channels. */
export function encodeJpeg(codecs: Codecs, { width, height, data }: Pixels, quality: number): Uint8Array {
  const wasm = instantiate<JpegExports>(codecs.jpeg);
  const at = wasm.encode(copyIn(wasm, data), width, height, quality);
  return new Uint8Array(wasm.memory.buffer, at, wasm.wlen()).slice();
}

type Memory = { memory: WebAssembly.Memory; walloc(size: number): number; wlen(): number };
type JpegExports = Memory & {
  /** Returns a picture; 0 if the bytes are no JPEG, 1 if it cannot be scaled. */
  decode(at: number, length: number, width: number, height: number): number;
  decode_width(picture: number): number;
  decode_height(picture: number): number;
  decode_format(picture: number): number;
  decode_buffer(picture: number): number;
  encode(at: number, width: number, height: number, quality: number): number;
};
type PngExports = Omit<Memory, "wlen"> & {
  _initialize(): void;
  /** Returns the address of the pixels; negative if the bytes are no PNG. */
  decode(at: number, length: number): number;
  width(): number;
  height(): number;
};
type GifExports = Memory & {
  decoder_new(at: number, length: number, limit: number): number;
  /** Returns a frame; 0 on an error, 1 if there are no more. */
  decoder_frame(decoder: number): number;
  decoder_frame_width(frame: number): number;
  decoder_frame_height(frame: number): number;
  decoder_frame_buffer(frame: number): number;
};

function decodeJpeg(module: WebAssembly.Module, content: Uint8Array, minSize: Size): Pixels {
  const wasm = instantiate<JpegExports>(module);
  const picture = wasm.decode(copyIn(wasm, content), content.length, minSize.width, minSize.height);
  if (picture === 0 || picture === 1) throw new Error("no JPEG that can be decoded");
  const size = { width: wasm.decode_width(picture), height: wasm.decode_height(picture) };
  const format = wasm.decode_format(picture);
  const at = wasm.decode_buffer(picture);
  const data = new Uint8Array(wasm.memory.buffer, at, wasm.wlen());
  if (format === CMYK) return { ...size, channels: 4, data: convertCmyk(data) };
  return { ...size, channels: format === GRAY ? 1 : 3, data };
}

function decodePng(module: WebAssembly.Module, content: Uint8Array): Pixels {
  const wasm = instantiate<PngExports>(module, { env: { emscripten_notify_memory_growth() {} } });
  const at = wasm.decode(copyIn(wasm, content), content.length);
  if (at < 0) throw new Error("no PNG that can be decoded");
  const size = { width: wasm.width(), height: wasm.height() };
  const data = new Uint8Array(wasm.memory.buffer, at, size.width * size.height * 4);
  return { ...size, channels: 4, data };
}

function decodeGif(module: WebAssembly.Module, content: Uint8Array): Pixels {
  const wasm = instantiate<GifExports>(module, { env: { push_to_stream() {} } });
  const decoder = wasm.decoder_new(copyIn(wasm, content), content.length, MAX_GIF_BYTES);
  const frame = decoder === 0 ? 0 : wasm.decoder_frame(decoder);
  if (frame === 0 || frame === 1) throw new Error("no GIF that can be decoded");
  const size = { width: wasm.decoder_frame_width(frame), height: wasm.decoder_frame_height(frame) };
  const at = wasm.decoder_frame_buffer(frame);
  return { ...size, channels: 4, data: new Uint8Array(wasm.memory.buffer, at, wasm.wlen()) };
}

function instantiate<Exports>(module: WebAssembly.Module, imports?: WebAssembly.Imports): Exports {
  // The package does not declare the exports of its modules. The types above are what we use; tests cover all of it.
  return new WebAssembly.Instance(module, imports).exports as Exports;
}

function copyIn(wasm: Pick<Memory, "memory" | "walloc">, content: Uint8Array): number {
  const at = wasm.walloc(content.length);
  new Uint8Array(wasm.memory.buffer).set(content, at);
  return at;
}

/** Converts CMYK, which Adobe's programs store inverted, to RGBA in place. */
function convertCmyk(data: Uint8Array): Uint8Array {
  for (let at = 0; at < data.length; at += 4) {
    const black = (data[at + 3] ?? 255) / 255;
    for (let channel = 0; channel < 3; channel++) data[at + channel] = (data[at + channel] ?? 0) * black;
    data[at + 3] = 255;
  }
  return data;
}

const [GRAY, CMYK] = [0, 2];
/** The memory of the canvas of a GIF. */
const MAX_GIF_BYTES = 64 * 1024 * 1024;
