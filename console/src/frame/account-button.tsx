import { Avatar, UnstyledButton } from "@mantine/core";
import { IconUser } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";

/** The button that opens the user's menu. */
export function AccountButton(props: ComponentProps<"button">) {
  const { frame } = useTexts();
  const { user_info } = useUser().info;
  return (
    <UnstyledButton aria-label={frame.account(user_info.title)} {...props}>
      <Avatar color="blue" variant="filled" radius="xl" size={36} alt="">
        <IconUser size={20} aria-hidden />
      </Avatar>
    </UnstyledButton>
  );
}
