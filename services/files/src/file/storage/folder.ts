/** The prefix of all objects of a file in the bucket. */
export function folderOf(file_id: number) {
  return `upload/${file_id}/`;
}

/** The prefix of the pieces of a resumable upload. */
export function piecesFolderOf(file_id: number) {
  return `${folderOf(file_id)}pieces/`;
}
