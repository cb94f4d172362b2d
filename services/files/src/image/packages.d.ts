declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

/** Only the parts that we use: the types of the package itself would add the types of browsers. */
declare module "@jsquash/webp/decode.js" {
  /** Makes `decode` use a new instance. */
  export function init(module: WebAssembly.Module): Promise<void>;
  /** Four bytes a pixel. */
  export default function decode(
    content: ArrayBufferLike,
  ): Promise<{ width: number; height: number; data: Uint8Array }>;
}
