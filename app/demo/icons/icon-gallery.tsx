import { countOf } from "../../format/number";
import { Button } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { Card, LinkTabs } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/list-notes";
import { muted } from "#styles/global.css";
import * as css from "../demo.css";
import { numberParam } from "../random";
import { StepLink, type ShowcaseProps } from "../showcase/showcase-page";
import { iconTabs, standardIcons, type GalleryIcon } from "./icon-sets.server";

/** Fewer than a hundred, so that a page stays small. */
const pageSize = 60;

/** Two tabs, searched and paged on the server. */
export function IconsPage({ query }: ShowcaseProps) {
  const tab = query.get("tab") === "font" ? "font" : "material";
  return (
    <>
      <LinkTabs
        label="Icon sets"
        tabs={Object.entries(iconTabs).map(([name, { label }]) => ({
          to: `?tab=${name}`,
          label,
          isCurrent: tab === name,
        }))}
      />
      <Gallery icons={iconTabs[tab]!.icons()} query={query} tab={tab} />
    </>
  );
}

export function StandardIconsPage({ query }: ShowcaseProps) {
  return <Gallery icons={standardIcons()} query={query} />;
}

type GalleryProps = ShowcaseProps & {
  icons: GalleryIcon[];
  /** Stays while one searches and pages. */
  tab?: string;
};

function Gallery({ icons, query, tab }: GalleryProps) {
  const search = query.get("search")?.trim().slice(0, 100) ?? "";
  const found = icons.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const page = numberParam(query, "page", { from: 1, to: pages, none: 1 });
  const url = (number: number) =>
    `?${new URLSearchParams({ ...(tab && { tab }), ...(search && { search }), page: `${number}` })}`;
  return (
    <Card>
      <form role="search" className={css.searchLine}>
        {tab && <input type="hidden" name="tab" value={tab} />}
        <InputField name="search" type="search" label="Name of the icon" defaultValue={search} />
        <Button icon="search">Search</Button>
      </form>
      <p role="status" className={muted}>
        {countOf(found.length, "icon")}
        {pages > 1 && `, page ${page} of ${pages}`}
      </p>
      {found.length === 0 && (
        <EmptyState icon="search" title="No icons found" reason="No name contains this text." />
      )}
      <ul className={css.icons}>
        {found.slice((page - 1) * pageSize, page * pageSize).map(({ name, size, paths }) => (
          <li key={name}>
            <svg viewBox={`0 0 ${size}`} role="presentation">
              {paths.map((path) => (
                <path key={path} d={path} />
              ))}
            </svg>
            {name}
          </li>
        ))}
      </ul>
      {pages > 1 && (
        <nav aria-label="Pages" className={css.row}>
          <StepLink label="Previous" href={page > 1 && url(page - 1)} />
          <StepLink label="Next" href={page < pages && url(page + 1)} />
        </nav>
      )}
    </Card>
  );
}
