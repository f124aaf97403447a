/** The part of archiver 8 that is used; the package has no types of its own. */
declare module "archiver" {
  import type { Transform } from "node:stream";

  export class ZipArchive extends Transform {
    constructor(options: { store: boolean });
    append(content: Buffer, entry: { name: string; date: Date }): this;
    finalize(): Promise<void>;
    abort(): this;
  }
}
