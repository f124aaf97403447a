/**
 * Drawings of the avatar icons, in the style of the sprite: paths of 20×20 without fill. They are data of the
 * server, so that a page carries only those that it shows.
 */
import { paths } from "../../paths";
import type { AvatarView } from "../../ui/layout/avatar";
import { type AvatarIcon, isAvatarIcon } from "./avatar";
import type { User } from "../sign-in/user";

const circle = "M2.8 10a7.2 7.2 0 1 0 14.4 0a7.2 7.2 0 1 0-14.4 0";

export const avatarDrawings: Record<AvatarIcon, string> = {
  account_circle: `${circle}M7.6 8.2a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0M5.4 15.4c.8-1.9 2.5-2.8 4.6-2.8s3.8.9 4.6 2.8`,
  face: `${circle}M7.4 11.2h0M12.6 11.2h0M3 8.9c3.4.2 6-1.2 7.1-4 1.4 2.4 3.7 3.7 6.8 3.8`,
  emoji: `${circle}M7.4 8.2h0M12.6 8.2h0M6.8 12c.7 1.3 1.9 2 3.2 2s2.5-.7 3.2-2`,
  pets: "M10 10.5c-2 0-4 2.3-4 4.2 0 1.3.9 1.9 2 1.9.8 0 1.3-.3 2-.3s1.2.3 2 .3c1.1 0 2-.6 2-1.9 0-1.9-2-4.2-4-4.2zM2.8 9.5a1.2 1.5 0 1 0 2.4 0a1.2 1.5 0 1 0-2.4 0M6.4 5.3a1.2 1.6 0 1 0 2.4 0a1.2 1.6 0 1 0-2.4 0M11.2 5.3a1.2 1.6 0 1 0 2.4 0a1.2 1.6 0 1 0-2.4 0M14.8 9.5a1.2 1.5 0 1 0 2.4 0a1.2 1.5 0 1 0-2.4 0",
  sports: `${circle}M10 2.8v14.4M2.8 10h14.4M4.9 4.9c2.5 2.8 2.5 7.4 0 10.2M15.1 4.9c-2.5 2.8-2.5 7.4 0 10.2`,
  work: "M3 6.5h14v10H3zM7.5 6.5V4h5v2.5M3 11h14M10 10.2v1.6",
  school: "M1.8 8 10 4l8.2 4L10 12zM5.5 9.9v4c1.2 1.2 2.7 1.8 4.5 1.8s3.3-.6 4.5-1.8v-4M18.2 8v4.5",
  library:
    "M3 3.5h3.5v13H3zM6.5 3.5H10v13H6.5zM11.8 4.6l3.2-.8 2.7 12-3.2.8zM3 6.5h3.5M6.5 13.5H10",
  brush:
    "M17 3c-4 2-7 5-8.5 8l1.5 1.5C13 11 16 7.5 17 3zM8.5 11c-2.2 0-3 1.3-3.2 2.7-.1 1.1-.8 1.8-2 2 .8.9 2 1.3 3.2 1.3 2 0 3.5-1.6 3.5-3.5",
  music:
    "M7.5 15V4.5l9-2v10.5M3.5 15a2 2 0 1 0 4 0a2 2 0 1 0-4 0M12.5 13a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
};

/** Returns what the avatar of a user looks like; an unknown icon is the default one. */
export function toAvatarView({ avatarIcon, avatarId }: User): AvatarView {
  if (avatarId !== null) return { image: paths.avatarImage(avatarId) };
  return { drawing: avatarDrawings[isAvatarIcon(avatarIcon) ? avatarIcon : "account_circle"] };
}
