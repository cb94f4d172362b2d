import { Menu } from "@mantine/core";
import { IconBook, IconLogout, IconSettings } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { call } from "../session/api.ts";
import { forgetSession } from "../session/session.ts";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { AccountButton } from "./account-button.tsx";

/** The user's menu: settings, the API reference, and the way out. It is open as soon as it is there. */
export function AccountMenu() {
  const { frame } = useTexts();
  const { user_info } = useUser().info;
  const signOut = useSignOut();
  const [isOpen, setOpen] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button stands in the place of the pressed one; the closed menu gives the focus back to it.
    target.current?.focus();
    setOpen(true);
  }, []);
  return (
    <Menu position="bottom-end" width={220} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <AccountButton ref={target} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user_info.title}
          <br />
          {user_info.login}
        </Menu.Label>
        <Menu.Item component={Link} to="/settings" leftSection={<IconSettings size={16} aria-hidden />}>
          {frame.settings}
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} aria-hidden />}>
          {frame.reference}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          {frame.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Ends the session on the server as far as it can be reached, and in this browser in any case. */
export function useSignOut() {
  const queries = useQueryClient();
  return async () => {
    await call("/user/logout").catch(() => undefined);
    forgetSession();
    queries.clear();
  };
}
