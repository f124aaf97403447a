// Without script: the same. Always beside words, or inside a control that has a name.
import { icon } from "../icon/icon.css";
import * as css from "./layout.css";

/** The look of an avatar: the address of an image, or the path of a 20×20 drawing. */
export type AvatarView = { image: string } | { drawing: string };

/** A person. Its drawing is data of the page, so that no page carries those of others. */
export function Avatar({ view, isLarge = false }: { view: AvatarView; isLarge?: boolean }) {
  return (
    <span className={isLarge ? `${css.avatar} ${css.largeAvatar}` : css.avatar}>
      {"image" in view ? (
        <img src={view.image} alt="" className={css.avatarImage} />
      ) : (
        <svg aria-hidden="true" viewBox="0 0 20 20" className={icon}>
          <path d={view.drawing} />
        </svg>
      )}
    </span>
  );
}
