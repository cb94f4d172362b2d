import type { Principal } from "../caller/principal.ts";
import type { FileObject } from "./file-object.ts";
import type { FileSearch, IssuedTicket, NewFile, Purpose, UploadedFile } from "./file-ticket.ts";

/** Spreadsheets that were parsed and are kept for whoever converts or imports them. */
export interface SheetStore {
  /** The rows as tab-separated text; null: the account has none of this name, or none any more. */
  readSheet(name: SheetName): Promise<string | null>;
  /** How many rows it has; null: the account has none of this name, or none any more. */
  rowsOfSheet(name: SheetName): Promise<number | null>;
}

export type SheetName = { account_id: number; file_id: string };

/** At most 60 ids. */
export type PreviewSearch = { account_id: number; ids: number[]; side: 200 | 800 };
export type Preview = { id: number; jpeg: Uint8Array };

/** Files of things that other services have. */
export interface FileStore {
  /** Room for a file of the account: 268 where its quota has none, 271 for more than a file may have. */
  createTicket(principal: Principal, file: NewFile, purpose: Purpose): Promise<IssuedTicket>;
  /** Files of the account, those of open tickets too, in the order of the ids; others are left out. */
  filesOf(search: FileSearch): Promise<FileObject[]>;
  /** Of the account's pictures that have previews, those that fit into a square of so many pixels; others are left out. */
  previewsOf(search: PreviewSearch): Promise<Preview[]>;
  /** The SHA-256 of uploaded files, in hexadecimal digits, by their ids; others are left out. */
  digestsOf(ids: number[]): Promise<Record<number, string>>;
  /** Files that nothing has need of any more; they go soon, and nobody is shown them from here on. */
  removeFiles(ids: number[]): Promise<void>;
}

/** Whose things have files: a service that asks for tickets. */
export interface FileKeeper {
  /** Files that have come in; which of them it has tickets of. Told twice, it changes nothing. At most 500 in one call. */
  filesUploaded(files: UploadedFile[]): Promise<number[]>;
  /** Those of the account's uploaded files that nothing names. */
  unnamedFiles(account_id: number, ids: number[]): Promise<number[]>;
  /** The same; from here on nothing can name them. */
  releaseFiles(account_id: number, ids: number[]): Promise<number[]>;
  /** Whether something that the caller sees names the uploaded file. */
  namesFile(principal: Principal, id: number): Promise<boolean>;
}

/** Uploads and downloads, whose bodies are streams: the gateway passes on the requests as they come. */
export interface FileStreams {
  /** At the address that the caller used, with the call's `X-Request-Id`. What goes wrong is an answer too. */
  fetch(request: Request): Promise<Response>;
  /** The same for a download that somebody shows a hash for, which the request has no more. */
  fetchFor(principal: Principal, request: Request): Promise<Response>;
}
