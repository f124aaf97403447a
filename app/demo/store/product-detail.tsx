// Without script: the same.
import { formatNumber } from "../../format/number";
import { Badge } from "../../ui/feedback/badge";
import { SelectField } from "../../ui/form/field";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, FactList, Page } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import { Cards } from "../cards";
import * as css from "../demo.css";
import { Picture } from "../pictures/pictures";
import { finalPrice, formatRating, money, productMark, type Product } from "./product";

/** A select of the numbers from 1. */
const numberSelect = (name: string, label: string, last: number) => (
  <SelectField name={name} label={label}>
    {Array.from({ length: last }, (_, at) => (
      <option key={at}>{at + 1}</option>
    ))}
  </SelectField>
);

const payments = ["Mastercard", "PayPal", "Visa", "American Express"];

export function ProductDetail({ product }: { product: Product }) {
  const { id, title, subtitle, technology } = product;
  const badges = (words: readonly string[]) => (
    <p className={css.row}>
      {words.map((word, index) => (
        <Badge key={index} tone="neutral">
          {word}
        </Badge>
      ))}
    </p>
  );
  const about = (
    <>
      <Picture name={product.img} alt={title} width={480} height={320} />
      <Price product={product} />
      <p>{`Rating ${formatRating(product.rating)} · ${formatNumber(32)} reviews`}</p>
      <p>{product.description_1}</p>
      <p>{product.description_2}</p>
      <div className={css.row}>
        {numberSelect("size", "Size", 5)}
        {numberSelect("quantity", "Quantity", 7)}
      </div>
    </>
  );
  const details = (
    <FactList
      facts={[
        ["Product code", product.code || "None"],
        ["Hashtag", product.hashtag || "None"],
        ["Technology", technology.length > 0 ? badges(technology) : "None"],
      ]}
    />
  );
  const delivery = (
    <>
      <p>Orders of $50 and more are delivered free of charge. Send back within 30 days.</p>
      {badges(payments)}
    </>
  );
  return (
    <Page title={title || "Untitled"} beside={<ProductMark id={id} />}>
      <Cards
        cards={{
          [subtitle || "About this product"]: about,
          Details: details,
          "Free delivery and returns": delivery,
        }}
      />
    </Page>
  );
}

function ProductMark({ id }: { id: number }) {
  const mark = productMark(id);
  return <Badge tone={mark === "New" ? "info" : "warn"}>{mark}</Badge>;
}

function Price({ product }: { product: Product }) {
  const { price, discount } = product;
  return (
    <p>
      <b>{money.format(finalPrice(product))}</b>{" "}
      {discount > 0 && (
        <span className={muted}>{`instead of ${money.format(price)} (−${discount}%)`}</span>
      )}
    </p>
  );
}

export function ProductCards({ products }: { products: readonly Product[] }) {
  return (
    <ul className={css.tiles}>
      {products.map((product) => (
        <li key={product.id}>
          <Card className={cardSection}>
            <Picture name={product.img} width={240} height={160} />
            <p>
              <ProductMark id={product.id} />
            </p>
            <h3>
              <a href={`/app/ecommerce/product/${product.id}`}>{product.title || "Untitled"}</a>
            </h3>
            <p className={muted}>{product.subtitle}</p>
            <Price product={product} />
          </Card>
        </li>
      ))}
    </ul>
  );
}
