import { tagBindingsIn } from "#shared/database/tag-binding/queries.ts";
import { tagBinding } from "../table/tag-binding.ts";

export const { tagsOf, bindNew, rebind, unbindGone, carriesAll } = tagBindingsIn(tagBinding);
