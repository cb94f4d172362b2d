import { lazy, Suspense, useState } from "react";
import { AccountButton } from "./account-button.tsx";

const AccountMenu = lazy(async () => ({ default: (await import("./account-menu.tsx")).AccountMenu }));

/** The button of the user's menu, which is loaded when it is pressed for the first time. */
export function Account() {
  const [isWanted, setWanted] = useState(false);
  const button = <AccountButton aria-haspopup="menu" onClick={() => setWanted(true)} />;
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <AccountMenu />
    </Suspense>
  );
}
