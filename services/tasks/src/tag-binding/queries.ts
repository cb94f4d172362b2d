import { demand } from "#shared/database/steps.ts";
import { tagsStillExist } from "#shared/database/tag-binding/owner.ts";
import { type Binding, tagBindingsIn } from "#shared/database/tag-binding/queries.ts";
import { unknownTagError } from "../links/work.ts";
import { removedTag } from "../table/tag/removed-tag.ts";
import { tagBinding } from "../table/tag/tag-binding.ts";

export const { tagsOf, insertBindings, replaceBindings, deleteRemovedBindings, carriesAll } = tagBindingsIn(tagBinding);

/** Demands that none of the tags, which fleet knew before the transaction, has been removed since. */
export function demandTags(parameter: string, bindings: Pick<Binding, "tag_id">[]) {
  return demand(tagsStillExist(removedTag, bindings), () => unknownTagError(parameter));
}
