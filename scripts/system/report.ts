const MAX_UNREAD_BYTES = 1024 * 1024;

/** Prints a progress line. When nobody reads the output, lines are dropped instead of buffered. */
export function report(line: string) {
  if (process.stderr.writableLength < MAX_UNREAD_BYTES) process.stderr.write(`${line.trimEnd()}\n`);
}
