// Without script: the same.
import { Badge } from "../../ui/feedback/badge";
import { Field } from "../../ui/form/field";
import { select } from "../../ui/form/form.css";
import { formatNumber } from "../../format/number";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, FactList, Page } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as css from "../demo.css";
import { pictureUrl } from "../pictures/picture-names";
import { finalPrice, formatRating, money, productMark, type Product } from "./product";

const payments = ["Mastercard", "PayPal", "Visa", "American Express"];

export function ProductDetail({ product, others }: { product: Product; others: Product[] }) {
  const { id, title, subtitle, description1, description2 } = product;
  return (
    <Page title={title || "Untitled"} beside={<ProductMark id={id} />}>
      <div className={css.columns.medium}>
        <Card>
          <img
            src={pictureUrl(product.img)}
            alt={title}
            width={480}
            height={320}
            className={css.picture}
          />
        </Card>
        <Card className={cardSection}>
          <h2>{subtitle || "About this product"}</h2>
          <Price product={product} />
          <p>{`Rating ${formatRating(product.rating)} · ${formatNumber(32)} reviews`}</p>
          <p>{description1}</p>
          <p>{description2}</p>
          <div className={css.row}>
            <Choice name="size" label="Size" options={[1, 2, 3, 4, 5]} />
            <Choice name="quantity" label="Quantity" options={[1, 2, 3, 4, 5, 6, 7]} />
          </div>
        </Card>
        <Card className={cardSection}>
          <h2>Details</h2>
          <FactList
            facts={[
              ["Product code", product.code || "None"],
              ["Hashtag", product.hashtag || "None"],
              [
                "Technology",
                product.technology.length > 0 ? (
                  <ul className={css.plainRow}>
                    {product.technology.map((word, index) => (
                      <li key={index}>
                        <Badge tone="neutral">{word}</Badge>
                      </li>
                    ))}
                  </ul>
                ) : (
                  "None"
                ),
              ],
            ]}
          />
          <h2>Free delivery and returns</h2>
          <p>Orders of $50 and more are delivered free of charge. Send back within 30 days.</p>
          <ul aria-label="Payment" className={css.plainRow}>
            {payments.map((name) => (
              <li key={name} className={css.payment}>
                {name}
              </li>
            ))}
          </ul>
        </Card>
      </div>
      <section aria-labelledby="others" className={css.section}>
        <h2 id="others">More products</h2>
        <ProductCards products={others} />
      </section>
    </Page>
  );
}

function Choice({ name, label, options }: { name: string; label: string; options: number[] }) {
  return (
    <Field name={name} label={label}>
      <select id={name} name={name} className={select}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </Field>
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
            <img
              src={pictureUrl(product.img)}
              alt=""
              width={240}
              height={160}
              loading="lazy"
              className={css.picture}
            />
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
