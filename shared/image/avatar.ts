/** Kinds of things with avatars, as in their addresses. */
export const AVATAR_OWNERS = ["employee", "vehicle", "tag", "tracker", "place"] as const;
export type AvatarOwner = (typeof AVATAR_OWNERS)[number];

/** The unguessable name is all that is needed to see the picture. */
export type Avatar = { owner: AvatarOwner; name: string };

/** Accepted types: file extension and media type. */
export const AVATAR_TYPES = new Map([
  ["jpg", "image/jpeg"],
  ["png", "image/png"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
]);
