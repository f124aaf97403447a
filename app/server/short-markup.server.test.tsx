import { parse, serialize } from "parse5";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { spelledOut } from "../../tests/support/html";
import { shortMarkup } from "./short-markup.server";

/** Everything that the rules are about, and what they must leave alone. */
const page = renderToStaticMarkup(
  <html lang="en">
    <head>
      <link rel="stylesheet" href="/assets/" />
      {/* eslint-disable-next-line no-restricted-syntax -- data that looks like an attribute */}
      <script dangerouslySetInnerHTML={{ __html: 'a={"b":"=","c":"x"};' }} />
    </head>
    <body>
      <svg>
        {/* eslint-disable-next-line no-restricted-syntax -- as the sprite is written */}
        <symbol id="i" dangerouslySetInnerHTML={{ __html: '<circle r="2"/><path d="M0"/>' }} />
      </svg>
      <ul>
        <li>One</li>
        <li>
          Two <a href="/">to the start</a>
        </li>
      </ul>
      <form action="" className="a b" title={`it's "quoted" = <b> x=y checked=""`}>
        <input type="checkbox" name="ids" value="" defaultChecked disabled />
        <input type="text" name="a`b" defaultValue="/" />
        <select name="kind" defaultValue="">
          <option value="">Any</option>
          <option value="a=b">Some</option>
        </select>
        <textarea defaultValue={' name="x" </td><td>\\n'} />
      </form>
      <table>
        <tbody>
          <tr>
            <th scope="row">Name</th>
            <td className="c" />
            <td>– &amp; "x" checked=""</td>
          </tr>
          <tr>
            <td>
              <br />
              <img src="/a/" alt="" />
            </td>
          </tr>
        </tbody>
      </table>
    </body>
  </html>,
);

test("means the same to a browser", () => {
  expect(serialize(parse(shortMarkup(page)))).toBe(serialize(parse(page)));
  expect(serialize(parse(spelledOut(shortMarkup(page))))).toBe(serialize(parse(page)));
});

test("leaves out quotes, values of switches, and end tags that something else implies", () => {
  const short = shortMarkup(page);
  expect(short).toContain('<input type=checkbox name=ids disabled checked value="">');
  expect(short).toContain("<tr><th scope=row>Name<td class=c><td>");
  expect(short).toContain("<li>One<li>Two <a href=/>to the start</a></ul>");
  expect(short).toContain('<option value="" selected>Any<option value="a=b">Some</select>');
});
