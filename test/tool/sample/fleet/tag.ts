import type { Account } from "../../call/account.ts";
import { newPicture } from "../../document/pictures.ts";
import type { Sample } from "../sample.ts";

export const TAG_SAMPLES: Record<string, Sample[]> = {
  "/tag/list": [{ parameters: () => ({}) }, { parameters: () => ({ filter: "cold" }) }],
  "/tag/create": [{ parameters: () => ({ tag: TAG }) }],
  "/tag/update": [{ parameters: ({ tag_id: id }) => ({ tag: { ...TAG, id } }) }],
  "/tag/delete": [
    { parameters: ({ tag_id }) => ({ tag_id }), before: async (account) => ({ tag_id: await newTag(account) }) },
    {
      parameters: ({ tag_id }) => ({ tag_ids: [tag_id] }),
      before: async (account) => ({ tag_ids: [await newTag(account), await newTag(account)] }),
    },
  ],
  "/tag/avatar/upload": [{ parameters: ({ tag_id }) => ({ tag_id, file: newPicture() }) }],
  "/tag/avatar/assign": [{ parameters: ({ tag_id }) => ({ tag_id, icon_id: 3 }) }],
  "/tag/search": [
    { parameters: ({ tag_id }) => ({ tag_ids: [tag_id] }) },
    { parameters: ({ tag_id }) => ({ tag_ids: [tag_id], entity_types: ["tracker", "zone"] }) },
  ],
};

const TAG = { name: "Cold chain", color: "27A9E3" };

export async function newTag(account: Account) {
  const { id } = await account.must("/tag/create", { tag: TAG });
  return Number(id);
}
