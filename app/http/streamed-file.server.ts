/** Files that are sent while they are being made (rulings 6.9): no faster than the client reads. */

type Chunk = string | Uint8Array;

/**
 * The answer with a file made of `chunks`, begun before there is an answer: what fails at the first
 * chunk is an error with its status and not half a file. When the client leaves, the generator ends.
 */
export async function streamedFile(
  chunks: AsyncGenerator<Chunk>,
  { fileName, headers }: { fileName: string; headers: Record<string, string> },
): Promise<Response> {
  const first = await chunks.next();
  return new Response(toStream(chunks, first), {
    headers: { ...headers, "Content-Disposition": `attachment; filename="${fileName}"` },
  });
}

function toStream(chunks: AsyncGenerator<Chunk>, first: IteratorResult<Chunk>) {
  const encoder = new TextEncoder();
  let next: IteratorResult<Chunk> | null = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = next ?? (await chunks.next());
        next = null;
        if (done) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    // Nothing is made before it is asked for.
    { highWaterMark: 0 },
  );
}
