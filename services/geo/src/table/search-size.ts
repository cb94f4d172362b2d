import { searchSizeTable } from "#shared/database/search-size.ts";

export const searchSize = searchSizeTable();
