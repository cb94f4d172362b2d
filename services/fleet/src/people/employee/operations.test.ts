import { expect, test } from "vitest";
import { newAccount, operator, type Reply, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";

const ann = { first_name: "Ann" };
const home = { lat: 52.5, lng: 13.4, address: "Salitre 58" };
const whole = {
  tracker_id: null,
  first_name: "Жанна",
  middle_name: "M.",
  last_name: "Ångström",
  email: "ann@example.com",
  phone: "4930123456",
  driver_license_number: "B072RRE2I55",
  driver_license_cats: "B, CE",
  driver_license_issue_date: "2016-02-29",
  driver_license_valid_till: "2031-02-28",
  hardware_key: "0011223344",
  department_id: null,
  location: { ...home, radius: 50 },
  personnel_number: "P-7",
  ssn: "65 170839 J 003",
  tags: [],
};

test("employee/create stores every field as given", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const { id: department_id } = await account.must("/department/create", { department: { label: "A" } });
  const employee = { ...whole, tracker_id, department_id };
  const { id } = await account.must("/employee/create", { employee });
  const stored = { ...employee, id, icon_id: null, avatar_file_name: null };
  expect((await account.must("/employee/read", { employee_id: id })).value).toEqual(stored);
  expect(await account.must("/employee/list")).toMatchObject({ list: [stored], count: 1 });
});

test("employee/create needs a first name alone, and leaves the rest empty or null", async () => {
  const account = await newAccount();
  const { id } = await account.must("/employee/create", { employee: { ...ann, id: null, last_name: "" } });
  expect((await account.must("/employee/read", { employee_id: id })).value).toEqual({
    id,
    tracker_id: null,
    first_name: "Ann",
    middle_name: "",
    last_name: "",
    email: "",
    phone: "",
    driver_license_number: "",
    driver_license_cats: "",
    driver_license_issue_date: null,
    driver_license_valid_till: null,
    hardware_key: null,
    icon_id: null,
    avatar_file_name: null,
    department_id: null,
    location: null,
    personnel_number: null,
    ssn: null,
    tags: [],
  });
});

test("employee/update takes back what read gave unchanged, and ignores icon and avatar", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const { id } = await account.must("/employee/create", { employee: { ...whole, tracker_id } });
  const read = async () => (await account.must("/employee/read", { employee_id: id })).value;
  const value = await read();
  await account.must("/employee/update", { employee: value });
  expect(await read()).toEqual(value);
  await account.must("/employee/update", { employee: { ...value, icon_id: 5, avatar_file_name: "a.png" } });
  expect(await read()).toEqual(value);
  await account.must("/employee/update", { employee: { id, first_name: "Bo" } });
  expect(await read()).toEqual({ ...value, first_name: "Bo" });
});

test.each([
  ["first_name", "x".repeat(100), "x".repeat(101)],
  ["first_name", "🚐".repeat(100), ""],
  ["first_name", "x", null],
  ["first_name", "x", undefined],
  ["middle_name", "x".repeat(100), "x".repeat(101)],
  ["last_name", "x".repeat(100), "x".repeat(101)],
  ["email", `${"x".repeat(40)}@${"y".repeat(55)}.com`, `${"x".repeat(41)}@${"y".repeat(55)}.com`],
  ["email", "", "ann"],
  ["phone", "1".repeat(32), "1".repeat(33)],
  ["phone", "", "+49301"],
  ["driver_license_number", "x".repeat(32), "x".repeat(33)],
  ["driver_license_cats", "x".repeat(32), "x".repeat(33)],
  ["driver_license_issue_date", "2028-02-29", "2027-02-29"],
  ["driver_license_valid_till", null, "31.12.2027"],
  ["hardware_key", "x".repeat(64), "x".repeat(65)],
  ["personnel_number", "x".repeat(15), "x".repeat(16)],
  ["ssn", "x".repeat(32), "x".repeat(33)],
  ["location", home, { ...home, lat: 90.1 }],
  ["location", null, { address: "Salitre 58" }],
  ["location", { ...home, radius: 300_000 }, { ...home, radius: 300_001 }],
  ["tracker_id", null, UNKNOWN_ID],
  ["department_id", null, UNKNOWN_ID],
  ["tags", [], [5]],
  ["ssn", "ok", "a\0b"],
])("employee/create with a %s of %j succeeds, and refuses %j by name", async (member, right, wrong) => {
  const account = await sharedAccount();
  await account.must("/employee/create", { employee: { ...ann, [member]: right } });
  const { count } = await account.must("/employee/list");
  const reply = await account.call("/employee/create", { employee: { ...ann, [member]: wrong } });
  expect(reply.status.code).toBe(7);
  expect(reply.errors[0].parameter).toMatch(new RegExp(`^employee\\.${member}`));
  expect((await account.must("/employee/list")).count).toBe(count);
});

test("employee/create and update refuse null by name for fields that may be empty but not null", async () => {
  const account = await newAccount();
  const { id } = await account.must("/employee/create", { employee: whole });
  const members = ["middle_name", "last_name", "email", "phone", "driver_license_number"];
  for (const [path, more] of Object.entries({ create: ann, update: { id } })) {
    for (const member of [...members, "first_name"]) {
      const reply = await account.call(`/employee/${path}`, { employee: { ...more, [member]: null } });
      const errors = [{ parameter: `employee.${member}`, error: "must not be null" }];
      expect(reply, `${path} ${member}`).toMatchObject({ status: { code: 7 }, errors });
    }
  }
  expect((await account.must("/employee/list")).list).toMatchObject([{ ...whole, id }]);
  const empty = Object.fromEntries(members.map((member) => [member, ""]));
  await account.must("/employee/update", { employee: { id, ...empty, driver_license_cats: null } });
  const { value } = await account.must("/employee/read", { employee_id: id });
  expect(value).toMatchObject({ ...whole, ...empty, driver_license_cats: "" });
});

test("employee/update still changes an employee whose tracker was blocked, and takes it off the tracker", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const { id } = await account.must("/employee/create", { employee: { ...ann, tracker_id } });
  await account.block(tracker_id);
  const read = async () => (await account.must("/employee/read", { employee_id: id })).value;
  await account.must("/employee/update", { employee: { ...(await read()), phone: "123" } });
  await account.must("/employee/update", { employee: { id, ssn: "5" } });
  expect(await read()).toMatchObject({ tracker_id, phone: "123", ssn: "5" });
  await account.must("/employee/update", { employee: { id, tracker_id: null } });
  const back = await account.call("/employee/update", { employee: { id, tracker_id } });
  expect(back).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "employee.tracker_id" }] });
});

test("employee/update keeps all of several changes at the same moment", async () => {
  const account = await newAccount();
  const { id } = await account.must("/employee/create", { employee: ann });
  const changes = [{ phone: "123" }, { ssn: "5" }];
  await Promise.all(changes.map((one) => account.must("/employee/update", { employee: { id, ...one } })));
  expect((await account.must("/employee/read", { employee_id: id })).value).toMatchObject({ phone: "123", ssn: "5" });
});

test("employee/create gives a tracker and a hardware key one employee each, also when 20 calls claim them at once", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  for (const claim of [{ tracker_id }, { hardware_key: "key" }]) {
    const claims = Array.from({ length: 20 }, () =>
      account.call("/employee/create", { employee: { ...ann, ...claim } }),
    );
    const replies = await Promise.all(claims);
    expect(replies.filter(({ success }) => success)).toHaveLength(1);
    expect(replies.filter(({ status }) => status?.code === 247)).toHaveLength(19);
    const { id } = await account.must("/employee/create", { employee: ann });
    expect((await account.call("/employee/update", { employee: { ...ann, ...claim, id } })).status.code).toBe(247);
  }
  expect((await account.must("/employee/list")).count).toBe(4);
});

test("employee/create treats an empty hardware key as none, and allows a key that another account uses", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  for (const hardware_key of ["", "", null, null, "key"]) {
    await acme.must("/employee/create", { employee: { ...ann, hardware_key } });
  }
  await rival.must("/employee/create", { employee: { ...ann, hardware_key: "key" } });
});

test("employee/delete frees tracker and hardware key, and the id is never given out again", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const employee = { ...ann, tracker_id, hardware_key: "key" };
  const { id } = await account.must("/employee/create", { employee });
  await account.must("/employee/delete", { employee_id: id });
  expect((await account.call("/employee/delete", { employee_id: id })).status.code).toBe(201);
  expect((await account.must("/employee/create", { employee })).id).toBeGreaterThan(id);
});

test("employee/create and update refuse a foreign or blocked tracker and a foreign department by name", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  const { id: foreign } = await rival.newTracker();
  const { id: blocked } = await acme.newTracker();
  await operator.must("/panel/tracker/source/update", { tracker_id: blocked, blocked: true });
  const { id: department_id } = await rival.must("/department/create", { department: { label: "A" } });
  const { id } = await acme.must("/employee/create", { employee: ann });
  for (const [member, value] of [
    ["tracker_id", foreign],
    ["tracker_id", blocked],
    ["department_id", department_id],
  ] as const) {
    const employee = { ...ann, last_name: "Changed", [member]: value };
    const refusal = { status: { code: 7 }, errors: [{ parameter: `employee.${member}` }] };
    expect(await acme.call("/employee/create", { employee })).toMatchObject(refusal);
    expect(await acme.call("/employee/update", { employee: { ...employee, id } })).toMatchObject(refusal);
  }
  const unknown = { ...ann, id: UNKNOWN_ID, department_id };
  expect((await acme.call("/employee/update", { employee: unknown })).status.code).toBe(201);
  expect((await acme.must("/employee/list")).list).toMatchObject([{ id, last_name: "" }]);
});

test("employee calls answer another account's employee exactly like an unknown one", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  const { id } = await acme.must("/employee/create", { employee: ann });
  for (const [path, of] of [
    ["/employee/read", (employee_id: number) => ({ employee_id })],
    ["/employee/delete", (employee_id: number) => ({ employee_id })],
    ["/employee/update", (employee_id: number) => ({ employee: { ...ann, id: employee_id } })],
  ] as const) {
    const foreign = await rival.call(path, of(id));
    expect(foreign).toEqual(await rival.call(path, of(UNKNOWN_ID)));
    expect(foreign.status.code).toBe(201);
  }
  await acme.must("/employee/read", { employee_id: id });
});

test("employee/list filters by every property that it sorts by, whatever the case and marks", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker({ label: "Öltanker" });
  const { id: department_id } = await account.must("/department/create", { department: { label: "Цех 3" } });
  const { id } = await account.must("/employee/create", {
    employee: { ...whole, first_name: "Ärger", tracker_id, department_id },
  });
  await account.must("/employee/create", { employee: { first_name: "Жук", ssn: "100%" } });
  await account.must("/employee/create", { employee: { first_name: "İzmir", personnel_number: "v_2" } });
  const found = async (filter: string | null) => {
    const { list, count } = await account.must("/employee/list", { filter });
    expect(count).toBe(list.length);
    return list.map(({ first_name }: Reply) => first_name);
  };
  for (const filter of [
    "ARG",
    "oltank",
    "цЕХ",
    "p-7",
    "00112",
    "4930123",
    "salitre",
    "b072rre",
    "b, ce",
    "2031-02",
    "j 003",
    "ANN@",
  ]) {
    expect(await found(filter), filter).toEqual(["Ärger"]);
  }
  expect(await found("жУ")).toEqual(["Жук"]);
  // A short id may be a part of other ids and numbers.
  for (const digits of [String(id), String(id).slice(0, 2)]) expect(await found(digits)).toContain("Ärger");
  expect(await found("izm")).toEqual(["İzmir"]);
  expect(await found("%")).toEqual(["Жук"]);
  expect(await found("v_")).toEqual(["İzmir"]);
  expect(await found(null)).toHaveLength(3);
  await account.must("/employee/list", { filter: "x".repeat(100) });
  const refused = await account.call("/employee/list", { filter: "x".repeat(101) });
  expect(refused).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "filter" }] });

  const employee = { id, first_name: "Ann", last_name: "", location: null, tracker_id: null };
  await account.must("/employee/update", { employee });
  expect(await found("arger")).toEqual([]);
  expect(await found("oltank")).toEqual([]);
  expect(await found("ann")).toEqual(["Ann"]);
  await account.must("/employee/delete", { employee_id: id });
  expect(await found("ann")).toEqual([]);
});

test("employee/list sorts by every property, nulls last in both directions", async () => {
  const account = await newAccount();
  const department = async (label: string) => (await account.must("/department/create", { department: { label } })).id;
  const low = {
    first_name: "ä",
    email: "a@example.com",
    phone: "1",
    driver_license_number: "A",
    driver_license_cats: "a",
    driver_license_valid_till: "2027-01-01",
    hardware_key: "a",
    personnel_number: "Ä",
    ssn: "1",
    location: { ...home, address: "ä" },
    tracker_id: (await account.newTracker({ label: "Ä" })).id,
    department_id: await department("ä"),
  };
  const high = {
    first_name: "B",
    email: "B@example.com",
    phone: "2",
    driver_license_number: "b",
    driver_license_cats: "B",
    driver_license_valid_till: "2028-01-01",
    hardware_key: "B",
    personnel_number: "b",
    ssn: "2",
    location: { ...home, address: "B" },
    tracker_id: (await account.newTracker({ label: "b" })).id,
    department_id: await department("B"),
  };
  for (const employee of [high, { first_name: "c" }, low]) await account.must("/employee/create", { employee });
  const sorted = async (...sort: string[]) =>
    (await account.must("/employee/list", { sort })).list.map(({ first_name }: Reply) => first_name).join("");
  expect(await sorted("id=desc")).toBe("äcB");
  expect(await sorted("ID=asc")).toBe("Bcä");
  expect(await sorted("first_name=asc")).toBe("äBc");
  expect(await sorted("first_name=desc")).toBe("cBä");
  for (const property of [
    "object_label",
    "department_label",
    "personnel_number",
    "hardware_key",
    "address",
    "driver_license_valid_till",
    "ssn",
  ]) {
    expect(await sorted(`${property}=asc`), property).toBe("äBc");
    expect(await sorted(`${property}=desc`), property).toBe("Bäc");
  }
  for (const property of ["phone", "email", "driver_license_number", "driver_license_cats"]) {
    expect(await sorted(`${property}=asc`, "id=asc"), property).toBe("cäB");
    expect(await sorted(`${property}=desc`), property).toBe("Bäc");
  }
  for (const wrong of [
    ["first_name"],
    ["first_name=up"],
    ["colour=asc"],
    ["first_name=asc", "id=asc", "ssn=asc"],
    "first_name=asc",
  ]) {
    expect((await account.call("/employee/list", { sort: wrong })).status.code).toBe(7);
  }
});

test("employee/list gives pages without a gap, and the count of all", async () => {
  const account = await newAccount();
  for (let number = 0; number < 5; number++) {
    await account.must("/employee/create", { employee: { first_name: `Ann ${number}` } });
  }
  const names: string[] = [];
  for (let offset = 0; offset < 6; offset += 2) {
    const { list, count } = await account.must("/employee/list", { sort: ["first_name=desc"], limit: 2, offset });
    expect(count).toBe(5);
    names.push(...list.map(({ first_name }: Reply) => first_name));
  }
  expect(names).toEqual(["Ann 4", "Ann 3", "Ann 2", "Ann 1", "Ann 0"]);
  expect((await account.must("/employee/list", { limit: 0 })).list).toEqual([]);
  for (const wrong of [{ limit: -1 }, { offset: -1 }, { limit: 1.5 }]) {
    expect((await account.call("/employee/list", wrong)).status.code).toBe(7);
  }
});

test("employee/batch_convert reads text by its columns, checks it and stores nothing", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker({ label: "Box 9" });
  const fields = ["first_name", "undefined", "email", "tracker_label", "tags", "driver_license_valid_till"];
  const batch = [
    "Ann\tskip\tann@example.com\tBox 9\t\t2027-01-31\tsurplus",
    "",
    "\t\tann\tnowhere\tred\t31.1.2027",
    " Bo ",
  ].join("\r\n");
  const { list, limit_exceeded } = await account.must("/employee/batch_convert", { batch, fields });
  expect(limit_exceeded).toBe(false);
  expect(list).toHaveLength(3);
  expect(list[0]).toEqual({
    success: true,
    value: expect.objectContaining({ id: null, first_name: "Ann", email: "ann@example.com", tracker_id, tags: [] }),
  });
  expect(list[0].value).not.toHaveProperty("errors");
  expect(list[1]).toMatchObject({ success: false, value: { id: null, first_name: "", tracker_id: null } });
  expect(list[1].value.errors.map(({ parameter }: Reply) => parameter).toSorted()).toEqual([
    "employee.driver_license_valid_till",
    "employee.email",
    "employee.first_name",
    "employee.tags",
    "employee.tracker_label",
  ]);
  expect(list[2]).toMatchObject({ success: true, value: { first_name: "Bo", last_name: "", location: null } });
  expect((await account.must("/employee/list")).count).toBe(0);
});

test("employee/batch_convert needs both coordinates of a place, and gives it a default radius", async () => {
  const account = await newAccount();
  const fields = ["first_name", "address", "lat", "lng", "radius"];
  const batch = "Ann\tMain st.\t52.5\t13.4\t20\nBo\t\t-1\t2\nCy\tMain st.\nDi\t\t\t7\nEd\t\t91\t0\nFay";
  const { list } = await account.must("/employee/batch_convert", { batch, fields });
  const nowhere = { success: false, value: { errors: [{ parameter: "employee.location" }] } };
  expect(list).toMatchObject([
    { success: true, value: { location: { lat: 52.5, lng: 13.4, address: "Main st.", radius: 20 } } },
    { success: true, value: { location: { lat: -1, lng: 2, address: "", radius: 100 } } },
    { ...nowhere, value: { ...nowhere.value, location: { lat: 0, lng: 0, address: "Main st.", radius: 100 } } },
    nowhere,
    {
      success: false,
      value: {
        first_name: "Ed",
        location: { lat: 91, lng: 0, address: "", radius: 100 },
        errors: [{ parameter: "employee.location.lat" }],
      },
    },
    { success: true, value: { location: null } },
  ]);
  const wide = await account.must("/employee/batch_convert", { batch, fields, default_radius: 300_000 });
  expect(wide.list[1].value.location.radius).toBe(300_000);
  for (const default_radius of [0, 300_001]) {
    expect((await account.call("/employee/batch_convert", { batch, fields, default_radius })).status.code).toBe(7);
  }
});

test("employee/batch_convert gives a rejected row back as it was sent, with its errors", async () => {
  const account = await newAccount();
  const fields = ["first_name", "email", "lat", "lng", "address", "radius", "tracker_label", "tags"];
  const batch = "\tann\tnorth\t13.4\tMain st.\t1.5\tnowhere\tred, blue\nBo\t\t\t13.4";
  const { list } = await account.must("/employee/batch_convert", { batch, fields });
  expect(list[0].value).toMatchObject({
    ...{
      first_name: "",
      email: "ann",
      tracker_id: null,
      tracker_label: "nowhere",
      tags: [],
      tag_names: ["red", "blue"],
    },
    location: { lat: "north", lng: 13.4, address: "Main st.", radius: 1.5 },
  });
  expect(list[0].value.errors.map(({ parameter }: Reply) => parameter).toSorted()).toEqual([
    "employee.email",
    "employee.first_name",
    "employee.location.lat",
    "employee.location.radius",
    "employee.tags",
    "employee.tracker_label",
  ]);
  expect(list[1]).toMatchObject({ success: false, value: { first_name: "Bo", location: { lat: 0, lng: 13.4 } } });
});

test("employee/batch_convert has five columns by default, and cuts at the limit of rows", async () => {
  const account = await newAccount();
  const rows = Array.from({ length: 5001 }, (_, index) => `Ann ${index}\tM\tLee\tann@example.com\t49`);
  const all = await account.must("/employee/batch_convert", { batch: rows.slice(0, 5000).join("\n") });
  expect(all.limit_exceeded).toBe(false);
  expect(all.list.at(-1)).toMatchObject({
    success: true,
    value: { first_name: "Ann 4999", middle_name: "M", last_name: "Lee", email: "ann@example.com", phone: "49" },
  });
  const cut = await account.must("/employee/batch_convert", { batch: rows.join("\n") });
  expect(cut.limit_exceeded).toBe(true);
  expect(cut.list).toHaveLength(5000);
});

test("employee/batch_convert needs text, and refuses an unknown file (234) and an unknown column (7)", async () => {
  const account = await newAccount();
  const nothing = await account.call("/employee/batch_convert", {});
  expect(nothing.status.code).toBe(7);
  expect(nothing.errors).toMatchObject([{ parameter: "batch" }]);
  expect((await account.call("/employee/batch_convert", { file_id: "70412", batch: "x" })).status.code).toBe(234);
  expect((await account.call("/employee/batch_convert", { batch: "x", fields: ["colour"] })).errors).toMatchObject([
    { parameter: "fields.0" },
  ]);
});
