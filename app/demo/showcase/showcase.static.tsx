import type { ComponentType } from "react";
import { Page } from "../../ui/layout/page";
import { BarChartsPage, ChartsOverviewPage, PieChartsPage } from "./charts";
import { ColorsPage, GridPage, TypographyPage } from "./core";
import { GalleryPage, SearchPage, TimelinePage } from "./extra";
import { FormElementsPage, FormValidationPage } from "./forms";
import { IconsPage, StandardIconsPage } from "./icon-gallery";
import { VectorMapPage } from "./maps";
import { DynamicTablesPage, StaticTablesPage } from "./tables";
import type { ShowcaseProps } from "./showcase-props";
import { BadgePage } from "./ui-badge";
import { CardsPage } from "./ui-cards";
import { NavbarPage, TooltipsPage } from "./ui-navbar";
import { TabsPage, WidgetPage } from "./ui-panels";

const pages: Record<string, ComponentType<ShowcaseProps>> = {
  "core/typography": TypographyPage,
  "core/colors": ColorsPage,
  "core/grid": GridPage,
  "tables/static": StaticTablesPage,
  "tables/dynamic": DynamicTablesPage,
  "ui/icons": IconsPage,
  "ui/standard-icons": StandardIconsPage,
  "ui/badge": BadgePage,
  "ui/cards": CardsPage,
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
