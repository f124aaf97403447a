// Without script: the same.
import * as css from "../demo.css";
import { pictureUrl } from "./picture-names";

type PictureProps = { name: string; alt?: string; width?: number; height?: number };

/** A picture as wide as its place. */
export function Picture({ name, alt = "", width = 400, height = 240 }: PictureProps) {
  return (
    <img
      src={pictureUrl(name)}
      alt={alt}
      width={width}
      height={height}
      loading="lazy"
      className={css.picture}
    />
  );
}

export function Face({ name }: { name: string }) {
  return <img src={pictureUrl(name)} alt="" width={40} height={40} className={css.face} />;
}
