/**
 * Gives the page a language that `Intl` accepts. On a system without a locale browsers call theirs `en-US@posix`, and uPlot
 * makes a number format of the browser's language as soon as it is loaded.
 */
export function correctBrowserLanguage(): void {
  if (isAccepted(navigator.language)) return;
  const [plain = ""] = navigator.language.split(/[@.]/);
  Object.defineProperty(navigator, "language", { value: isAccepted(plain) ? plain : "en-US", configurable: true });
}

function isAccepted(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}
