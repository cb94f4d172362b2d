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

test.each(["Ann", "Anna-Lena O'Neill", "Ph. Müller", "Ирина", "José María de la Cruz y Sánchez"])(
  "a mail greets %s by name",
  (first_name) => {
    const { html, text } = toActivationLetter({ first_name, locale: "en" }, LINK);
    expect(text).toContain(`Hello ${first_name},`);
    expect(html).toContain("Hello ");
  },
);

test.each([
  '<b title="x">',
  "Call 0900 123456",
  "Win at example.com",
  "a.b",
  "Ann\nBuy now",
  "x".repeat(41),
  "Visit https://example.com",
])("a mail to a user who is called %j greets nobody by name", (first_name) => {
  const { html, text } = toActivationLetter({ first_name, locale: "en" }, LINK);
  expect(text).toContain("Hello,");
  expect(text + html).not.toContain(first_name);
});

test("a mail has the link or the code in its text and in its HTML", () => {
  const letter = toActivationLetter({ first_name: "", locale: "en" }, LINK);
  expect(letter.text).toContain(LINK);
  expect(letter.html).toContain(`href="${LINK.replace("&", "&amp;")}"`);
  const { text, html } = toCodeLetter({ first_name: "", locale: "de" }, "012345");
  expect(text).toContain("\n012345\n");
  expect(html).toContain(">012345<");
});
