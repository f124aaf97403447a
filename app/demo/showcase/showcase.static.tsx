import type { ComponentType } from "react";
import { Page } from "../../ui/layout/page";
import { BarChartsPage, ChartsOverviewPage, PieChartsPage } from "./charts";
import { ColorsPage, GridPage, TypographyPage } from "./core";
import { GalleryPage, InvoicePage, SearchPage, TimelinePage } from "./extra";
import { FormElementsPage, FormValidationPage } from "./forms";
import { IconsPage, StandardIconsPage } from "./icon-gallery";
import { VectorMapPage } from "./maps";
import { DynamicTablesPage, StaticTablesPage } from "./tables";
import { BadgePage } from "./ui-badge";
import { CardsPage } from "./ui-cards";
import { CarouselPage } from "./ui-carousel";
import { NavbarPage, TooltipsPage } from "./ui-navbar";
import { NotificationsPage } from "./ui-notifications";
import { TabsPage, WidgetPage } from "./ui-panels";

export type ShowcaseProps = { query: URLSearchParams };

const pages: Record<string, ComponentType<ShowcaseProps>> = {
  "core/typography": TypographyPage,
  "core/colors": ColorsPage,
  "core/grid": GridPage,
  "tables/static": StaticTablesPage,
  "tables/dynamic": DynamicTablesPage,
  "ui/icons": IconsPage,
  "ui/standard-icons": StandardIconsPage,
  "ui/badge": BadgePage,
  "ui/carousel": CarouselPage,
  "ui/cards": CardsPage,
  "ui/notifications": NotificationsPage,
  "ui/navbar": NavbarPage,
  "ui/tooltips": TooltipsPage,
  "ui/tabs": TabsPage,
  "ui/widget": WidgetPage,
  "forms/elements": FormElementsPage,
  "forms/validation": FormValidationPage,
  "charts/overview": ChartsOverviewPage,
  "charts/bar": BarChartsPage,
  "charts/pie": PieChartsPage,
  "maps/vector": VectorMapPage,
  "extra/timeline": TimelinePage,
  "extra/search": SearchPage,
  "extra/gallery": GalleryPage,
  "extra/invoice": InvoicePage,
};

/** Renders one page of the demo area on the server. */
export default function Showcase({
  path,
  title,
  search,
}: {
  path: string;
  title: string;
  search: string;
}) {
  const Content = pages[path.replace(/^\/app\//, "")]!;
  return (
    <Page title={title}>
      <Content query={new URLSearchParams(search)} />
    </Page>
  );
}
