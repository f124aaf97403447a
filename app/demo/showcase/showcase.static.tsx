import type { ComponentType } from "react";
import { Page } from "../../ui/layout/page";
import { BarChartsPage, ChartsOverviewPage, PieChartsPage } from "../charts/charts";
import { IconsPage, StandardIconsPage } from "../icons/icon-gallery";
import { ColorsPage, GridPage, TypographyPage } from "./core";
import { GalleryPage, InvoicePage, SearchPage, TimelinePage } from "./extra";
import { FormElementsPage, FormValidationPage } from "./forms";
import type { ShowcaseProps } from "./showcase-page";
import { DynamicTablesPage, StaticTablesPage } from "./tables";
import { BadgePage, CardsPage, TabsPage, WidgetPage } from "./ui-elements";
import { CarouselPage, NavbarPage, NotificationsPage, TooltipsPage } from "./ui-overlays";
import { VectorMapPage } from "./vector-map";

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

type ShowcaseData = { path: string; title: string; search: string };

/** Renders one page of the demo area on the server. */
export default function Showcase({ path, title, search }: ShowcaseData) {
  const Content = pages[path.replace("/app/", "")]!;
  return (
    <Page title={title}>
      <Content query={new URLSearchParams(search)} />
    </Page>
  );
}
