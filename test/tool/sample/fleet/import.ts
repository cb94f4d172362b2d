import type { Account, Accounts, Reply } from "../../call/account.ts";
import { newSheet } from "../files.ts";
import type { Sample } from "../sample.ts";

export const IMPORT_SAMPLES: Record<string, Sample[]> = {
  "/data/import/list": [{ parameters: () => ({}) }],
  "/data/import/read": [
    { parameters: ({ process_id }) => ({ process_id, type: "employee" }) },
    { parameters: ({ vehicle_process_id }) => ({ process_id: vehicle_process_id, type: "vehicle" }) },
  ],
  "/employee/import/start": [
    { parameters: ({ file_id }) => ({ filename: file_id, headers: FAILING.employee }), before: endImports },
  ],
  "/employee/import/read": [{ parameters: ({ process_id }) => ({ process_id }) }],
  "/employee/import/list": [{ parameters: () => ({}) }],
  "/employee/import/download_failed": [{ parameters: ({ process_id }) => ({ process_id }) }],
  "/employee/import/finish": [
    {
      parameters: ({ process_id }) => ({ process_id }),
      before: (account, accounts) => newImport("employee", account, accounts),
    },
  ],
  "/vehicle/import/start": [
    { parameters: ({ file_id }) => ({ filename: file_id, headers: FAILING.vehicle }), before: endImports },
  ],
  "/vehicle/import/read": [{ parameters: ({ vehicle_process_id }) => ({ process_id: vehicle_process_id }) }],
  "/vehicle/import/list": [{ parameters: () => ({}) }],
  "/vehicle/import/download_failed": [{ parameters: ({ vehicle_process_id }) => ({ process_id: vehicle_process_id }) }],
  "/vehicle/import/finish": [
    {
      parameters: ({ vehicle_process_id }) => ({ process_id: vehicle_process_id }),
      before: (account, accounts) => newImport("vehicle", account, accounts),
    },
  ],
};

/** Makes an import that has ended and whose one row failed, so that it changes nothing. */
export async function newImport(family: "employee" | "vehicle", account: Account, accounts: Accounts) {
  const started = { filename: await newSheet(account), headers: FAILING[family] };
  const { id: process_id } = await account.must(`/${family}/import/start`, started);
  for (let status = "created"; status !== "done"; ) {
    await accounts.fireCron("fleet");
    ({ status } = (await account.must(`/${family}/import/read`, { process_id })).value);
  }
  return { process_id };
}

/** Ends all open imports of the account, so that new ones can begin. */
async function endImports(account: Account, { fireCron }: Accounts) {
  let open: Reply[];
  do {
    await fireCron("fleet");
    const { list } = await account.must("/data/import/list");
    open = list.filter(({ status }: Reply) => status !== "done");
  } while (open.length > 0);
  return {};
}

/** A column of each kind of thing for which "Van" is no valid value. */
const FAILING = { employee: ["phone"], vehicle: ["max_speed"] };
