import { createElement } from "react";
import { countOf } from "../../format/number";
import { button } from "../../ui/form/button.css";
import { Button } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { Card, LinkTabs } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/list-notes";
import { muted } from "#styles/global.css";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import { iconTabs, standardIcons, type GalleryIcon } from "./icon-sets.server";
import type { ShowcaseProps } from "./showcase-props";

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
      <Gallery icons={iconTabs[tab]!.icons()} query={query} kept={{ tab }} />
    </>
  );
}

export function StandardIconsPage({ query }: ShowcaseProps) {
  return <Gallery icons={standardIcons()} query={query} kept={{}} />;
}

function Gallery({
  icons,
  query,
  kept,
}: {
  icons: GalleryIcon[];
  query: URLSearchParams;
  /** Parameters that searching and paging keep. */
  kept: Record<string, string>;
}) {
  const search = query.get("search")?.trim().slice(0, 100) ?? "";
  const found = icons.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(query.get("page"))) || 1));
  const shown = found.slice((page - 1) * pageSize, page * pageSize);
  const url = (number: number) =>
    `?${new URLSearchParams({ ...kept, ...(search && { search }), page: `${number}` })}`;
  return (
    <Card>
      <form role="search" className={css.searchLine}>
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <InputField name="search" type="search" label="Name of the icon" defaultValue={search} />
        <Button icon="search">Search</Button>
      </form>
      <p role="status" className={muted}>
        {countOf(found.length, "icon")}
        {pages > 1 && `, page ${page} of ${pages}`}
      </p>
      {shown.length === 0 && (
        <EmptyState icon="search" title="No icons found" reason="No name contains this text." />
      )}
      <ul className={css.icons}>
        {shown.map(({ name, viewBox, shapes }) => (
          <li key={name}>
            <svg viewBox={viewBox} role="presentation">
              {shapes.map((shape, at) =>
                createElement(shape.name, { key: at, ...shape.attributes }),
              )}
            </svg>
            {name}
          </li>
        ))}
      </ul>
      {pages > 1 && (
        <nav aria-label="Pages" className={shared.row}>
          {page > 1 && (
            <a href={url(page - 1)} rel="prev" className={button.default}>
              Previous
            </a>
          )}{" "}
          {page < pages && (
            <a href={url(page + 1)} rel="next" className={button.default}>
              Next
            </a>
          )}
        </nav>
      )}
    </Card>
  );
}
