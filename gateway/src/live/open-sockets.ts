/** The open sockets of one network or of one user. */
export interface OpenSockets {
  /** Adds a socket by its name; false if there are `limit` open ones already. */
  add(socket: string, limit: number): Promise<boolean>;
  remove(socket: string): Promise<void>;
}
