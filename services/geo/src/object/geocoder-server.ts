/**
 * Durable Object in front of the server of `GEOCODER_URL`: the only one, so that the server gets one request a second.
 */
export interface GeocoderServer {
  /** The server's answer to a path, perhaps a cached one; null: the server is away or the queue is full. */
  ask(path: string): Promise<string | null>;
}
