import { Loader } from "@mantine/core";
import { type FunctionComponent, lazy, Suspense } from "react";
import { useTexts } from "../text/use-texts.tsx";

/** Loads the code of a page. */
export type LoadPage = () => Promise<FunctionComponent>;

/** A page whose code is loaded when it is shown for the first time, with the styles of all components. */
export function lazyPage(load: LoadPage): FunctionComponent {
  return lazyFirstPage(async () => (await Promise.all([load(), import("../style/all.ts")]))[0]);
}

/** A page that uses components of `style/first.ts` only, so that the first load is small. */
export function lazyFirstPage(load: LoadPage): FunctionComponent {
  const Page = lazy(async () => ({ default: await load() }));
  return function LazyPage() {
    const { frame } = useTexts();
    return (
      <Suspense fallback={<Loader aria-label={frame.loading} />}>
        <Page />
      </Suspense>
    );
  };
}
