import { afterEach, expect, test, vi } from "vitest";
import { correctBrowserLanguage } from "../../console/src/text/browser-language.ts";

afterEach(() => void vi.unstubAllGlobals());

test.each([
  ["de-AT", "de-AT"],
  ["de-DE@euro", "de-DE"],
  ["en-US@posix", "en-US"],
  ["C", "en-US"],
  ["", "en-US"],
])("correctBrowserLanguage turns %j into %j", (language, corrected) => {
  vi.stubGlobal("navigator", { language });
  correctBrowserLanguage();
  expect(navigator.language).toBe(corrected);
});
