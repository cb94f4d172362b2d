/** What has an avatar: a segment of the address that it is served at. */
export const AVATAR_OWNERS = ["employee", "vehicle", "tag", "tracker", "place"] as const;
export type AvatarOwner = (typeof AVATAR_OWNERS)[number];

/** The name is unguessable, and all that it takes to see the picture. */
export type Avatar = { owner: AvatarOwner; name: string };

/** What may be one: the ends of names, and their media types. */
export const AVATAR_TYPES = new Map([
  ["jpg", "image/jpeg"],
  ["png", "image/png"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
]);
