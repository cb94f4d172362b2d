const MOST_UNREAD = 1024 * 1024;

/** A line for whoever watches. Nobody may be reading what we write: then the rest is dropped, not kept for ever. */
export function report(line: string) {
  if (process.stderr.writableLength < MOST_UNREAD) process.stderr.write(`${line.trimEnd()}\n`);
}
