import { ActionIcon, Menu } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { useTexts } from "../text/use-texts.tsx";
import type { StyleChoice } from "./map-controls.tsx";

const BUILT_IN = "built-in";

/** The choice of one of the styles that the installation offers. */
export function StyleMenu({ choice, offered, choose }: StyleChoice) {
  const { map: words } = useTexts();
  return (
    <Menu position="left-start">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={words.style}>
          <IconStack2 size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={choice?.name ?? BUILT_IN} onChange={choose}>
          {offered.map(({ name }) => (
            <Menu.RadioItem key={name} value={name}>
              {name}
            </Menu.RadioItem>
          ))}
          <Menu.RadioItem value={BUILT_IN}>{words.builtIn}</Menu.RadioItem>
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
