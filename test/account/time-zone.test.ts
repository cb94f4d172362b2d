import { expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { newAccount, operator, type Reply } from "../tool/call/account.ts";
import { newSubUser } from "../tool/call/mailbox.ts";
import { stack } from "../tool/system/stack.ts";

// 24 hours apart at any time of the year: what is tomorrow in the one has begun in the other, and nothing later has.
const [WEST, EAST] = ["Pacific/Pago_Pago", "Pacific/Tongatapu"];
const daily = {
  location: { lat: 52.5, lng: 13.4, address: "Yard", radius: 100 },
  label: "Empty the bins",
  description: "",
  from_time: "06:30:00",
  duration: 46_080,
  parameters: { type: "weekdays", weekdays: [1, 2, 3, 4, 5, 6, 7] },
};

function dayIn(timeZone: string, ms: number) {
  return new Intl.DateTimeFormat("sv-SE", { timeZone }).format(ms);
}

/** The tasks of the account once the sweeps have run. */
async function readMadeTasks(account: Awaited<ReturnType<typeof newAccount>>): Promise<Reply[]> {
  await stack.fireCron("gateway");
  await stack.fireCron("tasks");
  return (await account.must("/task/list")).list;
}

test.each(["by its master", "by its operator"])(
  "schedules of an account whose time zone is changed %s make tasks by the new zone at once",
  async (who) => {
    const account = await newAccount({ time_zone: WEST });
    await account.must("/task/schedule/create", { schedule: daily });
    expect(await readMadeTasks(account)).toEqual([]);
    const dayAfter = () => dayIn(WEST, systemNow() + 86_400_000);
    const before = dayAfter();
    if (who === "by its master") await account.must("/user/settings/update", { time_zone: EAST });
    else {
      await operator.must("/panel/user/update", { user_id: account.id, time_zone: EAST });
    }
    const [first] = await readMadeTasks(account);
    // Midnight may pass between the two readings of the clock.
    const after = dayAfter();
    expect([before, after]).toContain(first?.from.slice(0, 10));
    expect(first.from.slice(11)).toBe("06:30:00");
  },
);

test("schedules of a sub-user make tasks by the master's time zone, whatever the sub-user's own", async () => {
  const account = await newAccount({ time_zone: WEST });
  const { hash, id: subuser_id } = await newSubUser(account);
  const { id: group_id } = await account.must("/subuser/security_group/create", {
    group: { label: "Planners", privileges: { rights: ["task_update"] } },
  });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  await account.must("/user/settings/update", { hash, time_zone: EAST });
  await account.must("/task/schedule/create", { hash, schedule: daily });
  expect(await readMadeTasks(account)).toEqual([]);
  // Had it gone by the sub-user's zone, nothing would change for it now.
  await account.must("/user/settings/update", { time_zone: EAST });
  expect(await readMadeTasks(account)).toHaveLength(1);
});
