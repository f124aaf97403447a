import { expect, it } from "vitest";
import { rulesFor } from "./first-styles.server";

it.each([
  ["a class that the page has", ".a{color:red}", ".a{color:red}"],
  ["a class that it lacks", ".c{color:red}", ""],
  ["one of two selectors", ".c,.a:hover{color:red}", ".a:hover{color:red}"],
  ["two classes, one of which it lacks", ".a .c{color:red}", ""],
  ["a class that must not match", ".a:not(.c){color:red}", ".a:not(.c){color:red}"],
  ["alternatives", ":is(.c,.b) p{color:red}", ":is(.c,.b) p{color:red}"],
  ["elements", "p{color:red}", "p{color:red}"],
  ["a condition", "@media print{.c{top:0}.b{top:0}}", "@media print{.b{top:0}}"],
  ["a condition with nothing left", "@media print{.c{top:0}}", ""],
  ["steps of an animation", "@keyframes f{0%{opacity:0}}", "@keyframes f{0%{opacity:0}}"],
])("a page carries rules about %s as it needs them", (_, css, expected) => {
  expect(rulesFor('<p class=a><b class="b d">c</b></p>', css)).toBe(expected);
});
