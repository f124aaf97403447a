// Without script: the same.
import { Icon } from "../icon/icon";
import * as css from "./avatar.css";

export function Avatar({ isLarge = false }: { isLarge?: boolean }) {
  return (
    <span className={isLarge ? `${css.avatar} ${css.large}` : css.avatar}>
      <Icon name="user" />
    </span>
  );
}
