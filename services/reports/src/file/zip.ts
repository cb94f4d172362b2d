import { zipSync } from "fflate";

/** A ZIP of one file. */
export function zipped(name: string, bytes: Uint8Array): Uint8Array {
  return zipSync({ [name.replace(/[/\\]/g, "_")]: bytes });
}
