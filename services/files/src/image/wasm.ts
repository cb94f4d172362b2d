import webp from "@jsquash/webp/codec/dec/webp_dec.wasm";
import gif from "imagescript/wasm/any/gif.wasm";
import jpeg from "imagescript/wasm/any/jpeg.wasm";
import png from "imagescript/wasm/any/png.wasm";
import type { Codecs } from "./codec.ts";

export const CODECS: Codecs = { jpeg, png, gif, webp };
