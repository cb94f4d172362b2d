/** The server that `GEOCODER_URL` names. There is one of these for all callers, so that it is asked once a second. */
export interface GeocoderServer {
  /** The body of its answer to a path, of today or kept; null: it is away, or too many others wait for it. */
  ask(path: string): Promise<string | null>;
}
