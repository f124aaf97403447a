// Without script: the same.
import { Icon } from "../icon/icon";
import * as css from "./public-page.css";

/** The product's name with its mark, where there is no shell. */
export function ProductName() {
  return (
    <p className={css.product}>
      <Icon name="qr-generation" /> Promo Console
    </p>
  );
}
