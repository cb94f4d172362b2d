import type { Principal } from "../caller/principal.ts";
import type { FileObject } from "./file/file-object.ts";
import type { FileSearch, IssuedTicket, NewFile, Purpose, UploadedFile } from "./file/file-ticket.ts";

/** Parsed spreadsheets, kept for conversion and import. */
export interface SheetStore {
  /** The rows as tab-separated text; null when the account has no sheet of this name (any more). */
  readSheet(name: SheetName): Promise<string | null>;
  /** The number of rows; null when the account has no sheet of this name (any more). */
  rowsOfSheet(name: SheetName): Promise<number | null>;
}

export type SheetName = { account_id: number; file_id: string };

/** At most 60 ids. */
export type PreviewSearch = { account_id: number; ids: number[]; side: 200 | 800 };
export type Preview = { id: number; jpeg: Uint8Array };

/** Files that belong to things of other services. */
export interface FileStore {
  /** Creates an upload ticket: 268 when the account's quota is used up, 271 when the file may not be that large. */
  createTicket(principal: Principal, file: NewFile, purpose: Purpose): Promise<IssuedTicket>;
  /** Files of the account in the order of the ids, open tickets included; unknown ids are left out. */
  filesOf(search: FileSearch): Promise<FileObject[]>;
  /** The account's previews that fit into a square of `side` pixels; files without one are left out. */
  previewsOf(search: PreviewSearch): Promise<Preview[]>;
  /** SHA-256 of uploaded files in hexadecimal digits, by id; unknown ids are left out. */
  digestsOf(ids: number[]): Promise<Record<number, string>>;
  /** Removes files that no thing refers to any more. From now on no caller sees them. */
  removeFiles(ids: number[]): Promise<void>;
}

/** A service whose things have files: it issues the tickets. */
export interface FileKeeper {
  /**
   * Records finished uploads and answers the ids whose tickets this service has. Idempotent. At most 500 in one call.
   */
  filesUploaded(files: UploadedFile[]): Promise<number[]>;
  /** Ids of the account's uploaded files to which no thing refers. */
  unreferencedFiles(account_id: number, ids: number[]): Promise<number[]>;
  /** Like `unreferencedFiles`, and from now on no thing can refer to these files. */
  releaseFiles(account_id: number, ids: number[]): Promise<number[]>;
  /** Whether a thing that the caller sees refers to the uploaded file. */
  referencesFile(principal: Principal, id: number): Promise<boolean>;
}

/** Uploads and downloads as streams: the gateway passes the requests on unchanged. */
export interface FileStreams {
  /** Serves a ticket or a signed address, with the call's `X-Request-Id`. Failures are answers, too. */
  fetch(request: Request): Promise<Response>;
  /** Serves a download for a caller with a hash, which the gateway has removed from the request. */
  fetchFor(principal: Principal, request: Request): Promise<Response>;
}
