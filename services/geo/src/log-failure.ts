/** The first cause only: what wraps it holds a statement's parameters, which no log may have. */
export function logFailure(thrown: unknown) {
  let root = thrown;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  console.error(JSON.stringify({ feed: root instanceof Error ? root.message : String(root) }));
}
