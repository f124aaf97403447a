/** Icons that a user can choose as avatar (RULES H10), with their names on the screen. */
export const avatarIcons = {
  account_circle: "Account",
  face: "Face",
  emoji: "Emoji",
  pets: "Pets",
  sports: "Sports",
  work: "Work",
  school: "School",
  library: "Library",
  brush: "Brush",
  music: "Music",
} as const;

export type AvatarIcon = keyof typeof avatarIcons;

export function isAvatarIcon(name: string): name is AvatarIcon {
  return Object.hasOwn(avatarIcons, name);
}
