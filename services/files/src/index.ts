import { nowMs } from "#shared/clock.ts";
import { openDatabase } from "#shared/database.ts";
import type { WantedFile } from "#shared/file-ticket.ts";
import type { Principal } from "#shared/principal.ts";
import { serviceOf } from "#shared/service.ts";
import { STREAMED_PATHS } from "./file/description.ts";
import { expireFiles, expireFilesOfAccounts } from "./file/queries.ts";
import { sweepFiles } from "./file/removal.ts";
import { filesOf, type WantedFiles } from "./file/shown.ts";
import { type Streamed, stream } from "./file/streams.ts";
import type { FileRow } from "./file/table.ts";
import { tellUntold } from "./file/tell.ts";
import { issueTicket } from "./file/tickets.ts";
import { operations } from "./operations.ts";
import { readSheet, sweepSheets } from "./sheet/kept.ts";
import { expireOfAccounts, findSheet, type SheetName } from "./sheet/queries.ts";

/** All that other Workers may ask. No public route leads here but to `stream`. */
export default class FilesService extends serviceOf(operations) {
  override describe() {
    return { ...super.describe(), ...STREAMED_PATHS };
  }

  /** The rows of a parsed sheet as tab-separated text; null: the account has none of this name, or none any more. */
  readSheet(name: SheetName) {
    return readSheet(this.env, name);
  }

  /** How many rows it has; null as above. */
  async rowsOfSheet(name: SheetName) {
    const found = await findSheet(openDatabase(this.env), name, nowMs(this.env));
    return found?.rows ?? null;
  }

  /** Room for a file of the account, for a thing of the kind; `base_url` is the one of the call. */
  createTicket(principal: Principal, wanted: WantedFile, thing: { owner: FileRow["owner"]; base_url: string }) {
    return issueTicket(this.env, principal, wanted, thing);
  }

  /** Uploaded files of the account, with the addresses of their contents. */
  filesOf(wanted: WantedFiles) {
    return filesOf(this.env, wanted);
  }

  /** Of which nothing has need any more. */
  removeFiles(ids: number[]) {
    return expireFiles(openDatabase(this.env), ids);
  }

  /** The gateway hands over uploads and downloads as they are. */
  stream(asked: Streamed) {
    return stream(asked, this.env);
  }

  /** What those had who are no more. */
  async removeAccounts(accounts: number[]) {
    const db = openDatabase(this.env);
    await expireOfAccounts(db, accounts, nowMs(this.env));
    await expireFilesOfAccounts(db, accounts);
  }

  override async scheduled() {
    // None waits for what another needs.
    const done = await Promise.allSettled([sweepSheets(this.env), tellUntold(this.env), sweepFiles(this.env)]);
    for (const one of done) if (one.status === "rejected") throw one.reason;
  }
}
