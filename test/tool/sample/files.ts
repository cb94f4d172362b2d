import type { Account } from "../call/account.ts";
import type { Sample } from "./sample.ts";

export const FILES_SAMPLES: Record<string, Sample[]> = {
  "/data/spreadsheet/parse": [{ parameters: () => ({ file: new File(["Name;Phone\nAnn;49301"], "staff.csv") }) }],
  "/file/stats/read": [{ parameters: () => ({}) }],
};

export function newSheet(account: Account): Promise<string> {
  const file = new File(["Van\tBo"], "sheet.csv");
  return account.must("/data/spreadsheet/parse", { file }).then(({ file_id }) => file_id);
}
