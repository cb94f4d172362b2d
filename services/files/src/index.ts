import { awaitAll } from "#shared/background/await-all.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { AvatarStore } from "#shared/contract/file/avatar.ts";
import type { FileObject } from "#shared/contract/file/file-object.ts";
import type { FileSearch, IssuedTicket, NewFile, Purpose } from "#shared/contract/file/file-ticket.ts";
import type { FileStore, FileStreams, Preview, PreviewSearch, SheetName, SheetStore } from "#shared/contract/files.ts";
import type { AccountRecords } from "#shared/contract/removal.ts";
import type { ApiService } from "#shared/contract/service.ts";
import { deleteOldKeys } from "#shared/database/idempotency/queries.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { Avatar } from "#shared/image/avatar.ts";
import { serviceOf } from "#shared/operation/service.ts";
import { nowMs } from "#shared/time/clock.ts";
import { QUEUES } from "./backlog-queries.ts";
import { describe } from "./description.ts";
import { authorizedApp } from "./file/authorized-app.ts";
import { deliverUploads } from "./file/deliver.ts";
import { readFileObjects } from "./file/file-objects.ts";
import { readPreviews } from "./file/previews.ts";
import { selectDigests } from "./file/queries.ts";
import { expireFiles, expireFilesOfAccounts } from "./file/removal/queries.ts";
import { cleanUpFiles, sweepFiles } from "./file/removal/sweep.ts";
import { app } from "./file/resumable/app.ts";
import { issueTicket } from "./file/tickets.ts";
import { putAvatar, removeAvatars } from "./image/avatar.ts";
import { sweepPreviews } from "./image/make-previews.ts";
import { operations } from "./operations.ts";
import { expireSheetsOfAccounts, findSheet } from "./sheet/queries.ts";
import { readSheet, sweepSheets } from "./sheet/stored-sheet.ts";

/** The entrypoint of the files service. Public requests reach only `fetch`; the interfaces document the RPC methods. */
export default class FilesService
  extends serviceOf(operations, describe, QUEUES, { worker: "files" })
  implements ApiService, SheetStore, FileStore, AvatarStore, FileStreams, AccountRecords
{
  readSheet(name: SheetName): Promise<string | null> {
    return readSheet(this.env, name);
  }

  async rowsOfSheet(name: SheetName): Promise<number | null> {
    const sheet = await findSheet(openDatabase(this.env), name, nowMs(this.env));
    return sheet?.rows ?? null;
  }

  createTicket(principal: Principal, file: NewFile, purpose: Purpose): Promise<IssuedTicket> {
    return issueTicket(this.env, principal, file, purpose);
  }

  filesOf(search: FileSearch): Promise<FileObject[]> {
    return readFileObjects(this.env, search);
  }

  previewsOf(search: PreviewSearch): Promise<Preview[]> {
    return readPreviews(this.env, search);
  }

  digestsOf(ids: number[]): Promise<Record<number, string>> {
    return selectDigests(openDatabase(this.env), ids);
  }

  removeFiles(ids: number[]): Promise<void> {
    return expireFiles(openDatabase(this.env), ids);
  }

  putAvatar(avatar: Avatar, bytes: Uint8Array): Promise<void> {
    return putAvatar(this.env, avatar, bytes);
  }

  removeAvatars(avatars: Avatar[]): Promise<void> {
    return removeAvatars(this.env, avatars);
  }

  override async fetch(request: Request): Promise<Response> {
    return app.fetch(request, this.env, this.ctx);
  }

  async fetchFor(principal: Principal, request: Request): Promise<Response> {
    return authorizedApp.fetch(request, { env: this.env, principal }, this.ctx);
  }

  async removeAccounts(accounts: number[]): Promise<void> {
    const db = openDatabase(this.env);
    await expireSheetsOfAccounts(db, accounts, nowMs(this.env));
    await expireFilesOfAccounts(db, accounts);
  }

  override async scheduled() {
    // These are independent of each other.
    await awaitAll([
      sweepSheets(this.env),
      deliverUploads(this.env),
      sweepFiles(this.env),
      cleanUpFiles(this.env),
      deleteOldKeys(openDatabase(this.env), nowMs(this.env)),
      sweepPreviews(this.env),
    ]);
  }
}
