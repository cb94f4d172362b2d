import { readFileSync } from "node:fs";
import type { Codecs } from "../../../services/files/src/image/codec.ts";
import { PNG } from "./png.ts";

export function newPicture(content: Uint8Array<ArrayBuffer> = new Uint8Array(PNG), name = "picture.png"): File {
  return new File([content], name, { type: "image/png" });
}

/** The decoders of previews, as the Worker has them bundled. */
export const CODECS: Codecs = {
  jpeg: compile("imagescript/wasm/any/jpeg.wasm"),
  png: compile("imagescript/wasm/any/png.wasm"),
  gif: compile("imagescript/wasm/any/gif.wasm"),
  webp: compile("@jsquash/webp/codec/dec/webp_dec.wasm"),
};

/** A photograph of 1800 by 1200 pixels with this EXIF orientation. The pixels are the same for each orientation. */
export function turnedPhoto(orientation: number): Buffer {
  const photo = readFileSync("test/fixtures/exif/Landscape_1.jpg");
  const tag = [Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1]), Buffer.from([0x12, 0x01, 3, 0, 1, 0, 0, 0, 1, 0])];
  const at = Math.max(...tag.map((entry) => photo.indexOf(entry)));
  if (at === -1) throw new Error("The photograph has no orientation.");
  const isBig = photo[at] === 1;
  photo[at + (isBig ? 9 : 8)] = orientation;
  return photo;
}

function compile(path: string): WebAssembly.Module {
  // Workers cannot compile, so the types that are theirs leave out that Node can.
  return Reflect.construct(WebAssembly.Module, [readFileSync(`node_modules/${path}`)]);
}
