import { Button } from "../../ui/form/button";
import { button } from "../../ui/form/button.css";
import { input } from "../../ui/form/form.css";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, LinkTabs } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import * as pageCss from "./pages.css";
import { landscapes, pictureUrl } from "../pictures/picture-names";
import type { ShowcaseProps } from "./showcase-props";

const capital = (name: string) =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;

const posts = [
  {
    who: "Jessica Nilson",
    person: "amy",
    when: "4 minutes ago",
    text: "Check out this awesome photo I made on the island last summer. Seems like a good time.",
    picture: "island",
  },
  {
    who: "Bob Nilson",
    person: "ben",
    when: "6 hours ago",
    text: "Lots of you have asked for the way to the meeting. It is marked on the map.",
    map: true,
  },
  {
    who: "Cleo Lanister",
    person: "cleo",
    when: "yesterday",
    text: "The report of the quarter is ready. Thank you all for your numbers.",
  },
  {
    who: "Dan Park",
    person: "dan",
    when: "2 days ago",
    text: "Back from the mountains, with a picture for each of you.",
    picture: "summit",
  },
];

export function TimelinePage({ query }: ShowcaseProps) {
  return (
    <ol className={pageCss.timeline}>
      {posts.map(({ who, person, when, text, picture, map }) => (
        <li key={who}>
          <Card className={cardSection}>
            <div className={shared.row}>
              <img src={pictureUrl(person)} alt="" width={40} height={40} className={shared.face} />
              <div>
                <h2>{who}</h2>
                <p className={muted}>{when}</p>
              </div>
            </div>
            <p>{text}</p>
            {picture && (
              <img
                src={pictureUrl(picture)}
                alt={capital(picture)}
                width={400}
                height={240}
                loading="lazy"
                className={shared.picture}
              />
            )}
            {map && (
              <a href="/app/maps/google">
                <img
                  src={pictureUrl("melbourne")}
                  alt="Map with a marker"
                  width={400}
                  height={240}
                  loading="lazy"
                  className={shared.picture}
                />
              </a>
            )}
            <LikeBar name={person} title={who} query={query} />
          </Card>
        </li>
      ))}
    </ol>
  );
}

/** Likes are a part of the address; comments are kept nowhere. */
function LikeBar({ name, title, query }: { name: string; title: string; query: URLSearchParams }) {
  const likes = query.getAll("like").slice(-20);
  const isLiked = likes.includes(name);
  const next = isLiked ? likes.filter((liked) => liked !== name) : [...likes, name];
  const search = new URLSearchParams(next.map((liked) => ["like", liked])).toString();
  return (
    <div id={name} className={pageCss.likes}>
      <a
        href={`?${search}#${name}`}
        aria-label={`${isLiked ? "Unlike" : "Like"} ${title}`}
        className={button.default}
      >
        {isLiked ? "Liked" : "Like"}
      </a>
      <details>
        <summary aria-label={`Comment on ${title}`} className={button.default}>
          Comment
        </summary>
        <form action={`#${name}`} className={css.searchLine}>
          {likes.map((liked) => (
            <input key={liked} type="hidden" name="like" value={liked} />
          ))}
          <input type="hidden" name="commented" value={name} />
          <input
            name="comment"
            aria-label={`Comment on ${title}`}
            maxLength={200}
            className={input}
          />
          <Button>Post</Button>
        </form>
      </details>
      {query.get("commented") === name && (
        <p role="status">Thank you. This is a demo: your comment was not kept.</p>
      )}
    </div>
  );
}

const results = [
  ["Next generation admin template", "Documentation", "$24", "/app/demo"],
  ["Try. Posted by Okendoken", "Code", "$12", "/app/extra/timeline"],
  ["Vitaut the Great", "Documentation", "$83", "/app/core/typography"],
  ["Can I use CSS3 Flexbox?", "Code", "$7", "/app/core/grid"],
] as const;
const categories = { All: 94, Documentation: 40, Code: 54 };
const resultPages = 10;

export function SearchPage({ query }: ShowcaseProps) {
  const when = query.get("when") === "all" ? "all" : "popular";
  const category = query.get("category") ?? "All";
  const page = Math.min(resultPages, Math.max(1, Math.trunc(Number(query.get("page"))) || 1));
  const url = (changes: Record<string, string>) =>
    `?${new URLSearchParams({ when, category: category.slice(0, 50), ...changes })}`;
  const shown = results.filter(([, kind]) => category === "All" || kind === category);
  return (
    <>
      <p role="status">About 94,700,000 results</p>
      <LinkTabs
        label="Period"
        tabs={[
          { to: url({ when: "popular" }), label: "Popular", isCurrent: when === "popular" },
          { to: url({ when: "all" }), label: "All Time", isCurrent: when === "all" },
        ]}
      />
      <div className={pageCss.aside}>
        <Card className={cardSection}>
          <h2>Filter results</h2>
          <ul>
            {Object.entries(categories).map(([name, count]) => (
              <li key={name}>
                <a
                  href={url({ category: name })}
                  aria-current={name === category ? "true" : undefined}
                >
                  {name}
                </a>{" "}
                <span className={muted}>{count}</span>
              </li>
            ))}
          </ul>
        </Card>
        <div className={css.stackWide}>
          {(when === "all" ? [...shown].reverse() : shown).map(
            ([title, kind, price, path], index) => (
              <Card key={title} className={pageCss.result}>
                <img
                  src={pictureUrl(landscapes[(page + index) % landscapes.length]!)}
                  alt=""
                  width={120}
                  height={72}
                  loading="lazy"
                />
                <div>
                  <h2>
                    <a href={path}>{title}</a>
                  </h2>
                  <p className={muted}>{kind}</p>
                  <p>
                    Not just usual metro. But something bigger. Not just usual widgets, but real
                    ones.
                  </p>
                </div>
                <p>
                  <b>{price}</b>
                </p>
              </Card>
            ),
          )}
          <nav aria-label="Pages" className={shared.row}>
            {Array.from({ length: resultPages }, (_, at) => (
              <a
                key={at}
                href={url({ page: `${at + 1}` })}
                aria-current={page === at + 1 ? "page" : undefined}
                className={shared.chip}
              >
                {at + 1}
              </a>
            ))}
          </nav>
        </div>
      </div>
    </>
  );
}

export function GalleryPage({ query }: ShowcaseProps) {
  return (
    <ul className={shared.tiles}>
      {landscapes.map((name) => (
        <li key={name}>
          <Card className={cardSection}>
            <img
              src={pictureUrl(name)}
              alt={capital(name)}
              width={400}
              height={240}
              loading="lazy"
              className={shared.picture}
            />
            <h2>{capital(name)}</h2>
            <LikeBar name={name} title={capital(name)} query={query} />
          </Card>
        </li>
      ))}
    </ul>
  );
}
