import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { loadTexts } from "./load-texts.ts";
import { type Language, languageOf, type Texts } from "./texts.ts";

type LanguageChoice = { language: Language; texts: Texts; choose(language: Language): Promise<void> };

const LanguageContext = createContext<LanguageChoice | undefined>(undefined);
const STORED = "fleet-language";

/** The language that this browser used last, or else the one that it prefers. */
export function preferredLanguage(): Language {
  return languageOf(localStorage.getItem(STORED) ?? navigator.language);
}

export function LanguageProvider({ first, children }: { first: LanguageState; children: ReactNode }) {
  const [state, setState] = useState(first);
  const choose = useCallback(async (language: Language) => {
    localStorage.setItem(STORED, language);
    setState({ language, texts: await loadTexts(language) });
  }, []);
  useEffect(() => {
    document.documentElement.lang = state.language;
  }, [state.language]);
  const choice = useMemo(() => ({ ...state, choose }), [state, choose]);
  return <LanguageContext.Provider value={choice}>{children}</LanguageContext.Provider>;
}

export type LanguageState = Pick<LanguageChoice, "language" | "texts">;

export function useLanguage(): LanguageChoice {
  const choice = useContext(LanguageContext);
  if (!choice) throw new Error("There is no LanguageProvider.");
  return choice;
}

/** The texts of the chosen language. */
export function useTexts(): Texts {
  return useLanguage().texts;
}
