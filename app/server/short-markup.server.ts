/**
 * Spells a page as short as HTML allows: browsers read the same elements and attributes from it. React writes every
 * quote and end tag, and a list has hundreds.
 * @param markup as React writes it, which escapes quotes within values and texts
 */
export function shortMarkup(markup: string): string {
  return markup
    .replace(optionalEndTags, "")
    .replace(voidElements, "$1>")
    .replace(trueAttributes, " $1")
    .replace(needlessQuotes, "=$1");
}

/** End tags before something that ends the element anyway. */
const optionalEndTags =
  /<\/(?:t[dhr](?=><(?:t[dhr]|\/t))|option(?=><(?:option|\/select))|li(?=><(?:li|\/[uo]l)))>/g;

/** Elements of HTML without content. A slash at the end of a value without quotes would be a part of it. */
const voidElements = /(<(?:input|link|meta|hr|br|wbr|img)\b[^>]*)\/>/g;

const trueAttributes =
  / (async|checked|disabled|hidden|multiple|noValidate|open|readOnly|required|selected)=""/g;

const needlessQuotes = /="([^\s"'`=<>]+)"(?=[ >])/g;
