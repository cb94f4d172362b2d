/** Like `Promise.all` over `work`, with at most `most` calls under way. */
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

/** A Worker may have six connections; one is left for its database. */
const CONNECTIONS = 5;
