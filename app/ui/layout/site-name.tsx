// Without script: the same.
import { useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { productName, type SiteView } from "../../format/site";
import { Icon } from "../icon/icon";
import { logo as logoStyle } from "./layout.css";
import * as css from "./public-page.css";

/** Returns what the root's loader tells of the site; nothing where it has failed. */
export function useSite(): SiteView {
  const root = useRouteLoaderData<{ site: SiteView }>("root");
  return root?.site ?? { name: productName, weekStart: "monday" };
}

export function SiteName({ mark }: { mark?: ReactNode }) {
  const { name, logo } = useSite();
  return (
    <>
      {logo ? <img {...logo} alt="" className={logoStyle} /> : mark} {name}
    </>
  );
}

/** The name of the site with its mark, where there is no shell. */
export function ProductName() {
  return (
    <p className={css.product}>
      <SiteName mark={<Icon name="qr-generation" />} />
    </p>
  );
}
