import { Link } from "@remix-run/react";
import * as css from "./shell.css";

/** core §2: '/app/qr-list' → 'App', 'QR List'. */
export function crumbsOf(pathname: string): { path: string; label: string }[] {
  const segments = pathname.split("/").filter(Boolean);
  return segments.map((segment, index) => ({
    path: `/${segments.slice(0, index + 1).join("/")}`,
    label: readable(segment)
      .split("-")
      .map((word) => (word === "qr" ? "QR" : word.charAt(0).toUpperCase() + word.slice(1)))
      .join(" "),
  }));
}

/** Deeper segments are verbs and ids, which need not be screens: those of codes are. */
function hasOwnPage(path: string): boolean {
  return /^\/app\/(qr-list|qr-generation|machine-groups)\/\d+$/.test(path);
}

function readable(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function Breadcrumb({ pathname }: { pathname: string }) {
  const crumbs = crumbsOf(pathname);
  return (
    <nav aria-label="Breadcrumb">
      <ol className={css.breadcrumb}>
        {crumbs.map(({ path, label }, index) => {
          const isLast = index === crumbs.length - 1;
          const isScreen = !isLast && (index < 2 || hasOwnPage(path));
          return (
            <li key={path} className={css.crumb} aria-current={isLast ? "page" : undefined}>
              {isScreen ? (
                <Link to={path} className={css.crumbLink}>
                  {label}
                </Link>
              ) : (
                label
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
