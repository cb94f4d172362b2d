import { expect, test } from "vitest";
import { type Account, newAccount, operator, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";

const van = { label: "Van 2" };
const whole = {
  tracker_id: null,
  label: "Грузовик №1",
  max_speed: 90,
  model: "Transporter",
  type: "truck",
  subtype: "tipper",
  garage_id: null,
  trailer: "Tandem",
  trailer_reg_number: "TR 1",
  manufacture_year: 2019,
  color: "white",
  additional_info: "first aid kit\nunder the seat",
  reg_number: "B-FL 77",
  vin: "WVWZZZ1JZXW000001",
  chassis_number: "C1",
  frame_number: "F1",
  payload_weight: 1200,
  payload_height: 1800.5,
  payload_length: 4200,
  payload_width: 1900,
  passengers: 3,
  gross_weight: 3500,
  fuel_type: "diesel",
  fuel_grade: "B7",
  norm_avg_fuel_consumption: 9.4,
  fuel_tank_volume: 80,
  fuel_cost: 1.659,
  wheel_arrangement: "4x2",
  tyre_size: "215/65 R16",
  tyres_number: 4,
  liability_insurance_policy_number: "L-1",
  liability_insurance_valid_till: "2027-02-28",
  free_insurance_policy_number: "K-1",
  free_insurance_valid_till: "2028-02-29",
  icon_color: "27A9E3",
  tags: [],
};

test("vehicle/create stores every field as given", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker({ label: "Box 1" });
  const { id } = await account.must("/vehicle/create", { vehicle: { ...whole, tracker_id } });
  expect((await account.must("/vehicle/read", { vehicle_id: id })).value).toEqual({
    ...whole,
    id,
    tracker_id,
    tracker_label: "Box 1",
    icon_id: null,
    avatar_file_name: null,
    status_id: null,
  });
});

test("vehicle/create needs a label alone, leaves the rest empty or null, and makes the type a car", async () => {
  const account = await newAccount();
  const { id } = await account.must("/vehicle/create", { vehicle: { ...van, id: null } });
  const { value } = await account.must("/vehicle/read", { vehicle_id: id });
  expect(value).toMatchObject({
    label: "Van 2",
    type: "car",
    model: "",
    vin: "",
    max_speed: null,
    fuel_type: null,
    tags: [],
  });
});

test("vehicle/update takes back what read gave, unchanged", async () => {
  const account = await newAccount();
  const { id } = await account.must("/vehicle/create", { vehicle: whole });
  const { value } = await account.must("/vehicle/read", { vehicle_id: id });
  await account.must("/vehicle/update", { vehicle: value });
  expect((await account.must("/vehicle/read", { vehicle_id: id })).value).toEqual(value);
  await account.must("/vehicle/update", { vehicle: { ...value, label: "Van 3", subtype: null } });
  expect((await account.must("/vehicle/read", { vehicle_id: id })).value).toEqual({
    ...value,
    label: "Van 3",
    subtype: null,
  });
});

test("vehicle/update empties fields that are null, and refuses a subtype that does not fit the stored type", async () => {
  const account = await newAccount();
  const { id } = await account.must("/vehicle/create", { vehicle: whole });
  const { value } = await account.must("/vehicle/read", { vehicle_id: id });
  await account.must("/vehicle/update", { vehicle: { id, model: null, max_speed: null, trailer: "" } });
  const emptied = { ...value, model: "", max_speed: null, trailer: "" };
  expect((await account.must("/vehicle/read", { vehicle_id: id })).value).toEqual(emptied);
  for (const [parameter, vehicle] of Object.entries({
    "vehicle.label": { label: null },
    "vehicle.subtype": { type: "bus", subtype: "tipper" },
  })) {
    const reply = await account.call("/vehicle/update", { vehicle: { id, ...vehicle } });
    expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
  }
  const { id: bus } = await account.must("/vehicle/create", { vehicle: { label: "B", type: "bus", subtype: "city" } });
  const turned = await account.call("/vehicle/update", { vehicle: { id: bus, type: "car" } });
  expect(turned).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "vehicle.subtype" }] });
});

test("vehicle/update keeps all of several changes at the same moment", async () => {
  const account = await newAccount();
  const { id } = await account.must("/vehicle/create", { vehicle: van });
  const changes = [{ vin: "X" }, { model: "Y" }];
  await Promise.all(changes.map((one) => account.must("/vehicle/update", { vehicle: { id, ...one } })));
  expect((await account.must("/vehicle/read", { vehicle_id: id })).value).toMatchObject({ vin: "X", model: "Y" });
});

test("vehicle/create takes numbers and booleans as text", async () => {
  const account = await newAccount();
  const { id } = await account.must("/vehicle/create", {
    vehicle: { ...van, max_speed: "90" },
    force_reassign: "false",
  });
  expect((await account.must("/vehicle/read", { vehicle_id: String(id) })).value.max_speed).toBe(90);
});

test.each([
  ["label", "x".repeat(100), "x".repeat(101)],
  ["label", "🚐".repeat(100), ""],
  ["label", "x", null],
  ["model", "x".repeat(100), "x".repeat(101)],
  ["reg_number", "x".repeat(32), "x".repeat(33)],
  ["chassis_number", "x".repeat(32), "x".repeat(33)],
  ["frame_number", "x".repeat(32), "x".repeat(33)],
  ["trailer_reg_number", "x".repeat(32), "x".repeat(33)],
  ["vin", "x".repeat(20), "x".repeat(21)],
  ["trailer", "x".repeat(255), "x".repeat(256)],
  ["fuel_grade", "x".repeat(16), "x".repeat(17)],
  ["wheel_arrangement", "x".repeat(16), "x".repeat(17)],
  ["tyre_size", "x".repeat(50), "x".repeat(51)],
  ["liability_insurance_policy_number", "x".repeat(50), "x".repeat(51)],
  ["free_insurance_policy_number", "x".repeat(50), "x".repeat(51)],
  ["max_speed", 0, -1],
  ["max_speed", 2147483647, 2147483648],
  ["max_speed", 90, 90.5],
  ["max_speed", null, "fast"],
  ["payload_height", 0.5, -0.5],
  ["type", "bus", "plane"],
  ["subtype", "sedan", "tipper"],
  ["fuel_type", "gas", "coal"],
  ["manufacture_year", 1, 0],
  ["liability_insurance_valid_till", "2028-02-29", "2027-02-29"],
  ["free_insurance_valid_till", "2027-12-31", "31.12.2027"],
  ["icon_color", "00ff00", "#00ff00"],
  ["tags", [], [5]],
  ["garage_id", null, 5],
  ["tracker_id", null, UNKNOWN_ID],
  ["vin", "ok", "a\0b"],
  ["vin", "ok", "\udead"],
  ["label", "ok", ["a"]],
])("vehicle/create with a %s takes %j and refuses %j by name", async (member, right, wrong) => {
  const account = await sharedAccount();
  await account.must("/vehicle/create", { vehicle: { ...van, [member]: right } });
  const { count } = await account.must("/vehicle/list");
  const reply = await account.call("/vehicle/create", { vehicle: { ...van, [member]: wrong } });
  expect(reply.status.code).toBe(7);
  expect(reply.errors[0].parameter).toMatch(new RegExp(`^vehicle\\.${member}`));
  expect((await account.must("/vehicle/list")).count).toBe(count);
});

test("vehicle/create and update move a tracker to their vehicle, unless force_reassign is false", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const vehicle = { ...van, tracker_id };
  const { id: first } = await account.must("/vehicle/create", { vehicle });
  const refused = await account.call("/vehicle/create", { vehicle, force_reassign: false });
  expect(refused).toMatchObject({ status: { code: 247 }, entities: [{ type: "vehicle", ids: [first] }] });
  const { id: second } = await account.must("/vehicle/create", { vehicle });
  expect(await holders(account, tracker_id)).toEqual([second]);
  const back = { ...vehicle, id: first };
  expect((await account.call("/vehicle/update", { vehicle: back, force_reassign: false })).status.code).toBe(247);
  await account.must("/vehicle/update", { vehicle: back });
  expect(await holders(account, tracker_id)).toEqual([first]);
  await account.must("/vehicle/update", { vehicle: back, force_reassign: false });
});

test("vehicle/create leaves a tracker on exactly one vehicle when 20 calls claim it at once", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const claims = Array.from({ length: 20 }, (_, index) =>
    account.call("/vehicle/create", { vehicle: { label: `Van ${index}`, tracker_id } }),
  );
  const replies = await Promise.all(claims);
  expect(replies.every(({ success }) => success)).toBe(true);
  expect(await holders(account, tracker_id)).toHaveLength(1);

  const { id: other } = await account.newTracker();
  const modest = Array.from({ length: 20 }, (_, index) =>
    account.call("/vehicle/create", { vehicle: { label: `Bus ${index}`, tracker_id: other }, force_reassign: false }),
  );
  const answers = await Promise.all(modest);
  expect(answers.filter(({ success }) => success)).toHaveLength(1);
  expect(answers.filter(({ status }) => status?.code === 247)).toHaveLength(19);
});

test("vehicle/update takes no tracker from another vehicle when it fails", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const { id } = await account.must("/vehicle/create", { vehicle: { ...van, tracker_id } });
  const reply = await account.call("/vehicle/update", { vehicle: { ...van, id: UNKNOWN_ID, tracker_id } });
  expect(reply.status.code).toBe(201);
  expect(await holders(account, tracker_id)).toEqual([id]);
});

test("vehicle/create refuses a foreign or blocked tracker by name", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  const { id: foreign } = await rival.newTracker();
  const { id: blocked } = await acme.newTracker();
  await operator.must("/panel/tracker/source/update", { tracker_id: blocked, blocked: true });
  for (const tracker_id of [foreign, blocked]) {
    const reply = await acme.call("/vehicle/create", { vehicle: { ...van, tracker_id } });
    expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "vehicle.tracker_id" }] });
  }
});

test("vehicle calls answer another account's vehicle exactly like an unknown one", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  const { id } = await acme.must("/vehicle/create", { vehicle: van });
  for (const [path, of] of [
    ["/vehicle/read", (vehicle_id: number) => ({ vehicle_id })],
    ["/vehicle/delete", (vehicle_id: number) => ({ vehicle_id })],
    ["/vehicle/update", (vehicle_id: number) => ({ vehicle: { ...van, id: vehicle_id } })],
  ] as const) {
    const foreign = await rival.call(path, of(id));
    expect(foreign).toEqual(await rival.call(path, of(UNKNOWN_ID)));
    expect(foreign.status.code).toBe(201);
  }
  await rival.must("/vehicle/delete", { vehicle_ids: [id] });
  await acme.must("/vehicle/read", { vehicle_id: id });
});

test("vehicle/delete ignores unknown ids of a list, and takes exactly one of its two parameters", async () => {
  const account = await newAccount();
  const { id } = await account.must("/vehicle/create", { vehicle: van });
  await account.must("/vehicle/delete", { vehicle_ids: [id, UNKNOWN_ID] });
  expect((await account.call("/vehicle/delete", { vehicle_id: id })).status.code).toBe(201);
  for (const parameters of [{}, { vehicle_id: 1, vehicle_ids: [1] }]) {
    const reply = await account.call("/vehicle/delete", parameters);
    expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "has_at_least_one_vehicle_id" }] });
  }
});

test("vehicle/delete frees no id: a deleted vehicle's is never given out again", async () => {
  const account = await newAccount();
  const { id } = await account.must("/vehicle/create", { vehicle: van });
  await account.must("/vehicle/delete", { vehicle_id: id });
  expect((await account.must("/vehicle/create", { vehicle: van })).id).toBeGreaterThan(id);
});

test("vehicle/list filters by label, number and VIN, whatever the case and marks", async () => {
  const account = await newAccount();
  for (const vehicle of [
    { label: "Ärger", reg_number: "B-1", vin: "V100%" },
    { label: "Жук", reg_number: "b-2", vin: "v_2" },
    { label: "İzmir", model: "Ärger" },
  ]) {
    await account.must("/vehicle/create", { vehicle });
  }
  const found = async (filter: string | null) => {
    const { list, count } = await account.must("/vehicle/list", { filter });
    expect(count).toBe(list.length);
    return list.map(({ label }: { label: string }) => label);
  };
  expect(await found("ARG")).toEqual(["Ärger"]);
  expect(await found("жУ")).toEqual(["Жук"]);
  expect(await found("izm")).toEqual(["İzmir"]);
  expect(await found("b-")).toEqual(["Ärger", "Жук"]);
  expect(await found("%")).toEqual(["Ärger"]);
  expect(await found("v_")).toEqual(["Жук"]);
  // A filter does not match across two fields.
  expect(await found("gerb")).toEqual([]);
  expect(await found(null)).toHaveLength(3);
  await account.must("/vehicle/list", { filter: "x".repeat(100) });
  expect((await account.call("/vehicle/list", { filter: "x".repeat(101) })).errors).toMatchObject([
    { parameter: "filter" },
  ]);
});

test("vehicle/list filters by the present label, from two letters on, in the account alone", async () => {
  const account = await newAccount();
  const rival = await newAccount();
  const { id } = await account.must("/vehicle/create", { vehicle: { label: 'Crane "Älg" AND', vin: "OR-77" } });
  await rival.must("/vehicle/create", { vehicle: { label: 'Crane "Älg" AND', vin: "OR-77" } });
  const found = async (filter: string) => {
    const { list, count } = await account.must("/vehicle/list", { filter });
    expect(count).toBe(list.length);
    return list.map((vehicle: { id: number }) => vehicle.id);
  };
  for (const filter of ["cr", "77", "CRAN", '"al', '"alg" and', "or-", "-77"]) {
    expect(await found(filter), filter).toEqual([id]);
  }
  for (const filter of ["kr", "cr*", "crane or", "NOT", "{crane}"]) expect(await found(filter), filter).toEqual([]);
  await account.must("/vehicle/update", { vehicle: { id, label: "Crane", model: "Tall" } });
  expect(await found("älg")).toEqual([]);
  expect(await found("crane")).toEqual([id]);
  await account.must("/vehicle/delete", { vehicle_id: id });
  expect(await found("crane")).toEqual([]);
  expect((await rival.must("/vehicle/list", { filter: "crane" })).count).toBe(1);
});

test("vehicle/list sorts by every property, nulls last in both directions", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker({ label: "Box" });
  const low = {
    label: "a",
    reg_number: "A",
    model: "ä",
    type: "bus",
    subtype: "city",
    vin: "1",
    fuel_type: "diesel",
    max_speed: 1,
    passengers: 2,
    tracker_id,
  };
  const high = {
    label: "B",
    reg_number: "b",
    model: "B",
    type: "car",
    subtype: "suv",
    vin: "2",
    fuel_type: "petrol",
    max_speed: 10,
    passengers: 3,
  };
  for (const vehicle of [high, { label: "c" }, low]) await account.must("/vehicle/create", { vehicle });
  const sorted = async (...sort: string[]) =>
    (await account.must("/vehicle/list", { sort })).list.map(({ label }: { label: string }) => label).join("");
  expect(await sorted("id=desc")).toBe("acB");
  expect(await sorted("ID=asc")).toBe("Bca");
  expect(await sorted("label=asc")).toBe("aBc");
  expect(await sorted("model=desc")).toBe("Bac");
  for (const property of ["max_speed", "passengers", "fuel_type", "subtype"]) {
    expect(await sorted(`${property}=asc`)).toBe("aBc");
    expect(await sorted(`${property}=desc`)).toBe("Bac");
  }
  expect(await sorted("tracker_label=asc")).toBe("aBc");
  expect(await sorted("type=desc", "label=desc")).toBe("cBa");
  for (const property of [
    "reg_number",
    "garage_organization_name",
    "vin",
    "fuel_grade",
    "norm_avg_fuel_consumption",
    "fuel_tank_volume",
    "payload_weight",
    "chassis_number",
    "wheel_arrangement",
    "tyres_number",
    "tyres_size",
    "tyre_size",
  ]) {
    expect(await sorted(`${property}=desc`)).toHaveLength(3);
  }
  for (const wrong of [
    ["label"],
    ["label=up"],
    ["colour=asc"],
    ["label=asc", "id=asc", "vin=asc"],
    ["constructor=asc"],
    "label=asc",
  ]) {
    expect((await account.call("/vehicle/list", { sort: wrong })).status.code).toBe(7);
  }
});

test("vehicle/list gives pages without a gap, and the count of all", async () => {
  const account = await newAccount();
  for (let number = 0; number < 5; number++)
    await account.must("/vehicle/create", { vehicle: { label: `Van ${number}` } });
  const labels: string[] = [];
  for (let offset = 0; offset < 6; offset += 2) {
    const { list, count } = await account.must("/vehicle/list", { sort: ["label=desc"], limit: 2, offset });
    expect(count).toBe(5);
    labels.push(...list.map(({ label }: { label: string }) => label));
  }
  expect(labels).toEqual(["Van 4", "Van 3", "Van 2", "Van 1", "Van 0"]);
  expect((await account.must("/vehicle/list", { limit: 0 })).list).toEqual([]);
  for (const wrong of [{ limit: -1 }, { offset: -1 }, { limit: 1.5 }]) {
    expect((await account.call("/vehicle/list", wrong)).status.code).toBe(7);
  }
});

test("vehicle/batch_convert reads text by its columns, checks it and stores nothing", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker({ label: "Box 9" });
  const fields = ["label", "undefined", "max_speed", "type", "tracker_label", "tags", "liability_insurance_valid_till"];
  const batch = [
    "Van 1\tskip\t90\tbus\tBox 9\t\t2027-01-31\tsurplus",
    "",
    "\t\tfast\tcar\tnowhere\tred\t31.1.2027",
    " Van 3 ",
  ].join("\r\n");
  const { list, limit_exceeded } = await account.must("/vehicle/batch_convert", { batch, fields });
  expect(limit_exceeded).toBe(false);
  expect(list).toHaveLength(3);
  expect(list[0]).toMatchObject({
    id: null,
    label: "Van 1",
    max_speed: 90,
    type: "bus",
    tracker_id,
    tracker_label: "Box 9",
  });
  expect(list[0]).not.toHaveProperty("errors");
  expect(list[1].errors.map(({ parameter }: { parameter: string }) => parameter).toSorted()).toEqual([
    "vehicle.label",
    "vehicle.liability_insurance_valid_till",
    "vehicle.max_speed",
    "vehicle.tags",
    "vehicle.tracker_label",
  ]);
  expect(list[2]).toMatchObject({ label: "Van 3", model: "", max_speed: null });
  expect((await account.must("/vehicle/list")).count).toBe(0);
});

test("vehicle/batch_convert gives a rejected row back as it was sent, with its errors", async () => {
  const account = await newAccount();
  const fields = ["label", "max_speed", "type", "fuel_cost", "garage", "tracker_label", "tags", "vin"];
  const batch = "Van\tfast\tspaceship\t1.5\tNo such garage\tnowhere\tred\tX-1";
  const [van] = (await account.must("/vehicle/batch_convert", { batch, fields })).list;
  expect(van).toMatchObject({
    ...{ label: "Van", max_speed: "fast", type: "spaceship", fuel_cost: 1.5, vin: "X-1" },
    ...{ garage_id: null, garage_organization_name: "No such garage" },
    ...{ tracker_id: null, tracker_label: "nowhere", tags: [], tag_names: ["red"] },
  });
  const parameters = ["garage_id", "max_speed", "tags", "tracker_label", "type"].map((name) => `vehicle.${name}`);
  expect(van.errors.map(({ parameter }: { parameter: string }) => parameter).toSorted()).toEqual(parameters);
});

test("vehicle/batch_convert has four columns by default, and cuts at the limit of rows", async () => {
  const account = await newAccount();
  const rows = Array.from({ length: 5001 }, (_, index) => `Van ${index}\tModel\tR ${index}\tB7`);
  const whole = await account.must("/vehicle/batch_convert", { batch: rows.slice(0, 5000).join("\n") });
  expect(whole.limit_exceeded).toBe(false);
  expect(whole.list.at(-1)).toMatchObject({
    label: "Van 4999",
    model: "Model",
    reg_number: "R 4999",
    fuel_grade: "B7",
  });
  const cut = await account.must("/vehicle/batch_convert", { batch: rows.join("\n") });
  expect(cut.limit_exceeded).toBe(true);
  expect(cut.list).toHaveLength(5000);
});

test("vehicle/batch_convert needs text, and refuses an unknown file (234) and an unknown column (7)", async () => {
  const account = await newAccount();
  const nothing = await account.call("/vehicle/batch_convert", {});
  expect(nothing.status.code).toBe(7);
  expect(nothing.errors).toMatchObject([{ parameter: "batch" }]);
  expect((await account.call("/vehicle/batch_convert", { file_id: "70412", batch: "x" })).status.code).toBe(234);
  expect((await account.call("/vehicle/batch_convert", { batch: "x", fields: ["colour"] })).errors).toMatchObject([
    { parameter: "fields.0" },
  ]);
});

async function holders(account: Account, tracker_id: number): Promise<number[]> {
  const { list } = await account.must("/vehicle/list");
  return list
    .filter((vehicle: { tracker_id: number | null }) => vehicle.tracker_id === tracker_id)
    .map(({ id }: { id: number }) => id);
}
