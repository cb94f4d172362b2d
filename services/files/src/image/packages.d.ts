declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

/** What we use of it: the types that it has for itself bring those of browsers with them. */
declare module "@jsquash/webp/decode.js" {
  /** From here on pictures are decoded in a new instance. */
  export function init(module: WebAssembly.Module): Promise<void>;
  /** Four bytes a pixel. */
  export default function decode(
    content: ArrayBufferLike,
  ): Promise<{ width: number; height: number; data: Uint8Array }>;
}
