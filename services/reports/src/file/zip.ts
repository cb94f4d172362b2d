import { Zip, ZipDeflate } from "fflate";

/** Streams a ZIP that contains one file. */
export async function* streamZip(name: string, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  const file = new ZipDeflate(name.replace(/[/\\]/g, "_"), { level: 3 });
  zip.add(file);
  for await (const piece of content) {
    file.push(piece);
    yield* pieces.splice(0);
  }
  file.push(new Uint8Array(), true);
  zip.end();
  yield* pieces;
}
