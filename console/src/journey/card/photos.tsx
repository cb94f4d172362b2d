import { Anchor, Modal, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../text/use-texts.tsx";
import type { Checkin } from "../timeline.ts";
import styles from "./photos.module.css";

type Photo = Checkin["files"][number];

/** The photos of a check-in. Each opens large; one without a preview is a link to its file. */
export function Photos({ files }: { files: readonly Photo[] }) {
  const { journey: words } = useTexts();
  const [large, setLarge] = useState<Photo>();
  return (
    <>
      <ul className={styles.photos} aria-label={words.card.photos}>
        {files.map((file) => (
          <li key={file.id}>
            {file.previews?.[0] ? (
              <UnstyledButton className={styles.thumbnail} onClick={() => setLarge(file)}>
                <img src={localPath(file.previews[0].download_url)} alt={words.card.photo(file.name)} />
              </UnstyledButton>
            ) : (
              <FileLink file={file} text={file.name} />
            )}
          </li>
        ))}
      </ul>
      <Modal opened={large !== undefined} onClose={() => setLarge(undefined)} title={large?.name} size="auto" centered>
        {large?.previews && (
          <figure className={styles.large}>
            <img src={localPath(large.previews.at(-1)?.download_url ?? "")} alt={words.card.photo(large.name)} />
            <figcaption>
              <FileLink file={large} text={words.card.original} />
            </figcaption>
          </figure>
        )}
      </Modal>
    </>
  );
}

function FileLink({ file: { download_url }, text }: { file: Photo; text: string }) {
  if (!download_url) return <bdi>{text}</bdi>;
  return (
    <Anchor size="sm" href={localPath(download_url)} target="_blank" rel="noreferrer">
      <bdi>{text}</bdi>
    </Anchor>
  );
}

/** An address of the API at the page's own host, the only one from which the page may show pictures. */
function localPath(url: string) {
  return new URL(url, location.origin).pathname;
}
