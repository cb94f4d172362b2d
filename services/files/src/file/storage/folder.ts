/** Where all is kept that was ever written for a file. */
export function folderOf(file_id: number) {
  return `upload/${file_id}/`;
}

/** Where pieces are kept of one that comes in little by little. */
export function piecesFolderOf(file_id: number) {
  return `${folderOf(file_id)}pieces/`;
}
