import { expect, test } from "vitest";
import { toActivationLetter, toCodeLetter, toRestoreLetter } from "./letter.ts";

const LINK = "https://example.com/api-v2/activate?hash=00&x=1";

test("a mail is in the user's language where we have texts in it, else in English", () => {
  for (const [locale, greeting] of [
    ["de", "Hallo Ann,"],
    ["de_AT", "Hallo Ann,"],
    ["en_US", "Hello Ann,"],
    ["nl_NL", "Hello Ann,"],
    ["constructor", "Hello Ann,"],
  ] as const) {
    expect(toRestoreLetter({ first_name: "Ann", locale }, LINK).text).toContain(greeting);
  }
});

test("a mail escapes the user's name in its HTML and keeps it as it is in its text", () => {
  const { html, text } = toActivationLetter({ first_name: `<b title="x">&'`, locale: "en" }, LINK);
  expect(html).not.toContain("<b title");
  expect(html).toContain("&lt;b title=&quot;x&quot;&gt;&amp;&#39;");
  expect(text).toContain(`<b title="x">&'`);
});

test("a mail has the link or the code in its text and in its HTML", () => {
  const letter = toActivationLetter({ first_name: "", locale: "en" }, LINK);
  expect(letter.text).toContain(LINK);
  expect(letter.html).toContain(`href="${LINK.replace("&", "&amp;")}"`);
  const { text, html } = toCodeLetter({ first_name: "", locale: "de" }, "012345");
  expect(text).toContain("\n012345\n");
  expect(html).toContain(">012345<");
});
