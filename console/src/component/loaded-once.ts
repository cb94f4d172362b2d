/** Options of a query whose answer is edited: each opening of the page reads it anew, and nothing changes it meanwhile. */
export const LOADED_ONCE = {
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
};
