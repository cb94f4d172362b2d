import type { Account } from "../../call/account.ts";
import { newPicture } from "../../document/pictures.ts";
import type { Sample } from "../sample.ts";

export const PLACE_SAMPLES: Record<string, Sample[]> = {
  "/place/create": [
    { parameters: ({ tag_id }) => ({ place: { ...PLACE, tags: [tag_id] } }) },
    {
      parameters: ({ tag_id, field_id, employee_id }) => ({
        place: { ...PLACE, tags: [tag_id], fields: { [field_id]: { type: "employee", value: employee_id } } },
      }),
    },
  ],
  "/place/read": [{ parameters: ({ place_id }) => ({ place_id }) }],
  "/place/list": [
    { parameters: () => ({}) },
    {
      parameters: ({ place_id, tag_id, field_id }) => ({
        place_ids: [place_id],
        tag_ids: [tag_id],
        filter: "shop",
        conditions: [{ type: "not", condition: { type: "eq", field: String(field_id), value: 1 } }],
        order_by: String(field_id),
        limit: 10,
      }),
    },
  ],
  "/place/update": [
    {
      parameters: ({ place_id: id, tag_id, field_id, employee_id }) => ({
        place: { ...PLACE, id, tags: [tag_id], fields: { [field_id]: { type: "employee", value: employee_id } } },
      }),
    },
  ],
  "/place/batch_convert": [
    {
      parameters: ({ field_id, employee_id }) => ({
        batch: `Shop\t40\t8\tCold\t${employee_id}`,
        fields: ["label", "lat", "lng", "tags", String(field_id)],
      }),
    },
    {
      parameters: ({ file_id, field_id }) => ({ file_id, fields: ["label", "tags", String(field_id)] }),
    },
  ],
  "/place/upload": [
    { parameters: () => ({ file: csv("Shop;Main St 1;40;8;;;") }) },
    { parameters: () => ({ file: csv("Shop;;40;8;;A-1;"), duplicate_policy: "update" }) },
  ],
  "/place/delete": [{ parameters: ({ place_id }) => ({ place_id }), before: newPlace }],
  "/place/avatar/upload": [{ parameters: ({ place_id }) => ({ place_id, file: newPicture() }) }],
  "/place/avatar/assign": [{ parameters: ({ place_id }) => ({ place_id, icon_id: 3 }) }],
  "/place/search_location": [{ parameters: () => ({ location: { lat: 40, lng: 8 } }) }],
  "/entity/list": [{ parameters: () => ({}) }],
  "/entity/read": [{ parameters: ({ entity_id: id }) => ({ id }) }, { parameters: () => ({ type: "place" }) }],
  "/entity/update": [
    {
      parameters: ({ entity_id: id, field_id }) => ({
        entity: {
          id,
          settings: {
            layout: {
              sections: [
                { label: "Main", field_order: ["label", "location", "tags", "description", String(field_id)] },
              ],
            },
          },
        },
      }),
    },
  ],
  "/entity/fields/read": [{ parameters: ({ entity_id }) => ({ entity_id }) }],
  "/entity/fields/update": [
    { parameters: ({ entity_id, field_id: id }) => ({ entity_id, fields: [{ ...VISITOR, id }] }) },
  ],
};

const PLACE = { label: "Shop", location: { lat: 40, lng: 8, address: "Main St 1", radius: 200 } };

function csv(line: string) {
  return new File([`label;address;lat;lng;radius;external_id;description\n${line}`], "places.csv");
}

export async function newPlace(account: Account) {
  const { id } = await account.must("/place/create", { place: PLACE });
  return { place_id: Number(id) };
}

const VISITOR = { label: "Visitor", type: "employee", params: { responsible: true } };

export async function newField(account: Account) {
  const { list: entities } = await account.must("/entity/list");
  const entity_id = Number(entities[0].id);
  const { list } = await account.must("/entity/fields/update", { entity_id, fields: [VISITOR] });
  return { entity_id, field_id: Number(list[0].id) };
}
