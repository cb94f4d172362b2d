import { nowMs } from "#shared/clock.ts";
import { openDatabase } from "#shared/database.ts";
import { serviceOf } from "#shared/service.ts";
import { operations } from "./operations.ts";
import { readSheet, sweepSheets } from "./sheet/kept.ts";
import { expireOfAccounts, findSheet, type SheetName } from "./sheet/queries.ts";

/** All that other Workers may ask. No public route leads here. */
export default class FilesService extends serviceOf(operations) {
  /** The rows of a parsed sheet as tab-separated text; null: the account has none of this name, or none any more. */
  readSheet(name: SheetName) {
    return readSheet(this.env, name);
  }

  /** How many rows it has; null as above. */
  async rowsOfSheet(name: SheetName) {
    const found = await findSheet(openDatabase(this.env), name, nowMs(this.env));
    return found?.rows ?? null;
  }

  /** What those had who are no more. */
  removeAccounts(accounts: number[]) {
    return expireOfAccounts(openDatabase(this.env), accounts, nowMs(this.env));
  }

  override async scheduled() {
    await sweepSheets(this.env);
  }
}
