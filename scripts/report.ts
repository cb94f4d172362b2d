const MOST_UNREAD = 1024 * 1024;

/** Prints a progress line. When nobody reads the output, lines are dropped instead of buffered. */
export function report(line: string) {
  if (process.stderr.writableLength < MOST_UNREAD) process.stderr.write(`${line.trimEnd()}\n`);
}
