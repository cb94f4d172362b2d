import { Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./file-drop.module.css";

type FileDropProps = { title: string; hint: string; accept: string; onFile(file: File): void };

/** A place to drop a file; a press, or Enter, opens the choice of files. */
export function FileDrop({ title, hint, accept, onFile }: FileDropProps) {
  const { file: label } = useTexts().drawing;
  const [isOver, setOver] = useState(false);
  return (
    <label
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file) onFile(file);
      }}
    >
      <IconFileUpload size={36} aria-hidden />
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
      <input
        type="file"
        aria-label={label}
        accept={accept}
        className={styles.input}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) onFile(file);
          event.currentTarget.value = ""; // the same file may be chosen again after it was corrected
        }}
      />
    </label>
  );
}
