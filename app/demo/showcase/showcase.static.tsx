import type { ComponentType } from "react";
import { Page } from "../../ui/layout/page";
import { Cards, type Samples } from "../cards";
import { BarChartsPage, ChartsOverviewPage, PieChartsPage } from "../charts/charts";
import { IconsPage, StandardIconsPage } from "../icons/icon-gallery";
import { ColorsPage, gridCards, typographyCards } from "./core";
import { galleryCards, InvoicePage, SearchPage, timelineCards } from "./extra";
import { formElementCards, validationCards } from "./forms";
import type { ShowcaseProps } from "./showcase-page";
import { DynamicTablesPage, StaticTablesPage } from "./tables";
import { badgeCards, cardCards, tabCards, widgetCards } from "./ui-elements";
import { carouselCards, navbarCards, NotificationsPage, tooltipCards } from "./ui-overlays";
import { VectorMapPage } from "./vector-map";

const pages: Record<string, ComponentType<ShowcaseProps>> = {
  "core/colors": ColorsPage,
  "tables/static": StaticTablesPage,
  "tables/dynamic": DynamicTablesPage,
  "ui/icons": IconsPage,
  "ui/standard-icons": StandardIconsPage,
  "ui/notifications": NotificationsPage,
  "charts/overview": ChartsOverviewPage,
  "charts/bar": BarChartsPage,
  "charts/pie": PieChartsPage,
  "maps/vector": VectorMapPage,
  "extra/search": SearchPage,
  "extra/invoice": InvoicePage,
};

/** Pages that are nothing but samples by their headings. */
const cardPages: Record<string, Samples | ((page: ShowcaseProps) => Samples)> = {
  "core/typography": typographyCards,
  "core/grid": gridCards,
  "ui/badge": badgeCards,
  "ui/carousel": carouselCards,
  "ui/cards": cardCards,
  "ui/navbar": navbarCards,
  "ui/tooltips": tooltipCards,
  "ui/tabs": tabCards,
  "ui/widget": widgetCards,
  "forms/elements": formElementCards,
  "forms/validation": validationCards,
  "extra/timeline": timelineCards,
  "extra/gallery": galleryCards,
};

type ShowcaseData = { path: string; title: string; search: string };

/** Renders one page of the demo area on the server. */
export default function Showcase({ path, title, search }: ShowcaseData) {
  const name = path.replace("/app/", "");
  const query = new URLSearchParams(search);
  const [Content, cards] = [pages[name], cardPages[name]!];
  return (
    <Page title={title}>
      {Content ? (
        <Content query={query} />
      ) : (
        <Cards cards={typeof cards === "function" ? cards({ query }) : cards} />
      )}
    </Page>
  );
}
