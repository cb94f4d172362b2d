import type { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import { pieceReader } from "#shared/body/piece-reader.ts";
import { bodyTimeout } from "#shared/body/timeout.ts";
import { ApiError } from "#shared/error/api-error.ts";

export type Fields = Map<string, string>;
/** Where content goes; it is removed where more was to come. */
type Sink = { write(piece: Uint8Array): Promise<void>; remove(): Promise<unknown> };
/** What has gone into a sink, and what its sender says of it. */
export type FormContent<Opened> = { sink: Opened; filename: string | undefined; mime_type: string };

/** The field under which the content is sent. */
export const FILE_FIELD = "file";

/**
 * Reads a form as it comes, never all of it at once. `open` gives the sink when the content begins, by the fields in
 * front of it; there is none where no content was sent. Where `open` or the sink fails, the rest is taken in and
 * forgotten before that is thrown: a client that is still sending would not hear of it.
 */
export async function readForm<Opened extends Sink>(
  { body, headers }: Request,
  openSink: (fields: Fields) => Promise<Opened>,
): Promise<{ fields: Fields; content: FormContent<Opened> | undefined }> {
  const fields: Fields = new Map();
  const pieces = readPieces(body);
  const parser = createParser(headers.get("Content-Type") ?? "");
  if (!parser) return refuseBody(pieces);
  let isBroken = false;
  const finished = new Promise<void>((resolve, reject) => parser.on("finish", resolve).on("error", reject));
  let source: Readable | undefined;
  let writing: Promise<FormContent<Opened>> | undefined;
  parser.on("field", (name, value) => fields.set(name, value));
  parser.on("file", (name, stream, filename, _encoding, mime_type) => {
    // What is cut off tells everybody, also where nobody listens any more.
    stream.on("error", () => undefined);
    if (name !== FILE_FIELD || source) {
      stream.resume();
      return;
    }
    source = stream;
    writing = writeContent(stream, () => openSink(fields)).then((sink) => ({ sink, filename, mime_type }));
    writing.catch(() => undefined);
  });
  const ended = finished.catch(() => {
    isBroken = true;
  });
  try {
    for await (const piece of pieces) {
      // Whichever comes first: a parser that has failed calls nobody back.
      if (!isBroken) await Promise.race([new Promise<void>((resolve) => parser.write(piece, () => resolve())), ended]);
    }
    if (!isBroken) parser.end();
    await finished;
  } catch (thrown) {
    // Cut off in the middle, or no form.
    source?.destroy();
    await writing?.then(({ sink }) => sink.remove()).catch(() => undefined);
    throw thrown instanceof ApiError ? thrown : new ApiError(5, {}, { cause: thrown });
  }
  return { fields, content: await writing };
}

async function writeContent<Opened extends Sink>(stream: Readable, open: () => Promise<Opened>): Promise<Opened> {
  try {
    const sink = await open();
    try {
      for await (const piece of stream.iterator({ destroyOnReturn: false })) await sink.write(piece);
      return sink;
    } catch (thrown) {
      await sink.remove();
      throw thrown;
    }
  } finally {
    stream.resume();
  }
}

async function refuseBody(pieces: AsyncIterable<Uint8Array>): Promise<never> {
  for await (const _ of pieces);
  throw new ApiError(5);
}

/** Undefined for what is no form. */
function createParser(content_type: string) {
  if (!/^multipart\/form-data\s*;/i.test(content_type)) return undefined;
  try {
    const headers = { "content-type": content_type };
    return new Busboy({ headers, limits: { fields: 20, fieldSize: 1024, headerPairs: 20, files: 2, parts: 30 } });
  } catch {
    return undefined;
  }
}

/** Whoever sends much more than any file may have is cut off, and so is who stalls; in all it may take its time. */
async function* readPieces(body: Request["body"]): AsyncGenerator<Uint8Array> {
  const reader = pieceReader(body);
  const { within, end } = bodyTimeout();
  try {
    for (let size = 0; reader; ) {
      const { done, value } = await within(reader.read());
      if (done) return;
      size += value.byteLength;
      if (size > MAX_FORM_BYTES) {
        await reader.cancel();
        throw new ApiError(9);
      }
      yield value;
    }
  } finally {
    end();
  }
}

const MAX_FORM_BYTES = 64 * 1024 * 1024;
