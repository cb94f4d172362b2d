import { expect, test } from "vitest";
import { activationLetter, codeLetter, restoreLetter } from "./letter.ts";

const LINK = "https://example.com/api-v2/activate?hash=00&x=1";

test("a letter is in the user's language where we write it, else in English", () => {
  for (const [locale, greeting] of [
    ["de", "Hallo Ann,"],
    ["de_AT", "Hallo Ann,"],
    ["en_US", "Hello Ann,"],
    ["nl_NL", "Hello Ann,"],
    ["constructor", "Hello Ann,"],
  ] as const) {
    expect(restoreLetter({ first_name: "Ann", locale }, LINK).text).toContain(greeting);
  }
});

test("a name cannot bring markup into the HTML, and the text has it as it is", () => {
  const { html, text } = activationLetter({ first_name: `<b title="x">&'`, locale: "en" }, LINK);
  expect(html).not.toContain("<b title");
  expect(html).toContain("&#60;b title=&#34;x&#34;&#62;&#38;&#39;");
  expect(text).toContain(`<b title="x">&'`);
});

test("text and HTML both have the link or the code", () => {
  const letter = activationLetter({ first_name: "", locale: "en" }, LINK);
  expect(letter.text).toContain(LINK);
  expect(letter.html).toContain(`href="${LINK.replace("&", "&#38;")}"`);
  const { text, html } = codeLetter({ first_name: "", locale: "de" }, "012345");
  expect(text).toContain("\n012345\n");
  expect(html).toContain(">012345<");
});
