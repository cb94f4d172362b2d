/** Results in the order of what they are of; `most` are under way together, as many as a Worker may have connections. */
export async function mapConcurrently<T, Result>(
  all: T[],
  work: (one: T) => Promise<Result>,
  most = CONNECTIONS,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < all.length; start += most) {
    results.push(...(await Promise.all(all.slice(start, start + most).map(work))));
  }
  return results;
}

/** A Worker may have six; its database is asked over one of them. */
const CONNECTIONS = 5;
