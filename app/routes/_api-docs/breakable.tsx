import { Fragment } from "react";

/** Lets a path break after its slashes. */
export function breakable(path: string) {
  return path.split("/").map((part, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
}
