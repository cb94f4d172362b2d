import type { Database } from "#shared/database/open.ts";
import { demand } from "#shared/database/steps.ts";
import * as owner from "#shared/database/tag-binding/owner.ts";
import { type Binding, tagBindingsIn } from "#shared/database/tag-binding/queries.ts";
import type { RemovedTag } from "#shared/database/tag-binding/table.ts";
import { removedTag } from "../table/removed-tag.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { unknownTagError } from "./require-links.ts";

export const { tagsOf, insertBindings, replaceBindings, deleteRemovedBindings, carriesAll } = tagBindingsIn(tagBinding);

/** Demands that no tag was removed since fleet confirmed it. */
export function demandTags(thing: "place" | "zone", bindings: Binding[]) {
  return demand(owner.tagsStillExist(removedTag, bindings), () => unknownTagError(thing));
}

export function deleteTagBindings(db: Database, tags: RemovedTag[]) {
  return owner.deleteTagBindings(db, tagBinding, removedTag, tags);
}
