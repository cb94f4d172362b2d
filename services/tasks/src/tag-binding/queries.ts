import { tagBindingsIn } from "#shared/tag-binding/queries.ts";
import { tagBinding } from "./table.ts";

export const { tagsOf, bindNew, rebind, unbindGone, carriesAll } = tagBindingsIn(tagBinding);
