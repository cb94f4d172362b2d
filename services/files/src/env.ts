import type { FileKeeper } from "#shared/contract/files.ts";
import type { ImportDirectory } from "#shared/contract/fleet.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";

export type FilesEnv = ServiceEnv & {
  FLEET: ImportDirectory & FileKeeper;
  TASKS: FileKeeper;
  BUCKET: R2Bucket;
  /** The most rows of a sheet that conversions and imports read. */
  BATCH_ROWS: string;
  /** Keys that sign the tokens of uploads and downloads: a list in the form of `key-list.ts`. */
  TOKEN_KEY: string;
  /** For how many hours tickets are valid, and uploaded files are kept that nothing refers to. */
  TICKET_HOURS: string;
  /** For how many hours the URL of a download is valid. */
  DOWNLOAD_HOURS: string;
  /** For how many days parsed sheets are kept. */
  SHEET_DAYS: string;
};
