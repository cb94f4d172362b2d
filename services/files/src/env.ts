import type { FileKeeper } from "#shared/contract/files.ts";
import type { ImportDirectory } from "#shared/contract/fleet.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";

export type FilesEnv = ServiceEnv & {
  FLEET: ImportDirectory & FileKeeper;
  TASKS: FileKeeper;
  BUCKET: R2Bucket;
  /** How many rows of a sheet are read by whoever converts or imports it. */
  BATCH_ROWS: string;
  /** Keys of the tokens of uploads and downloads: a list as `key-list.ts` says. */
  TOKEN_KEY: string;
  /** For how long tickets are good, and files are kept that nothing has come to need. */
  TICKET_HOURS: string;
  /** For how long the address of a download is good that a file is shown with. */
  DOWNLOAD_HOURS: string;
  /** For how long parsed sheets are kept. */
  SHEET_DAYS: string;
};
