/** Items that a list endpoint returns for one request. */
export interface Slice<Item> {
  items: Item[]
  /** Path of the next page; null on the last page. */
  next: string | null
}

/** A list that is fetched page by page: `await list` is its first page, and `for await` visits all items. */
export type Page<Item> = Promise<Item[]> & AsyncIterable<Item>

/**
 * Fetches the first page at once, and the others on demand.
 * @param load fetches a page by its path; null is the first page
 */
export function openPage<Item>(load: (path: string | null) => Promise<Slice<Item>>): Page<Item> {
  const first = load(null)
  const items = first.then((slice) => slice.items)
  // Iteration reports an error of the first page, so this promise does not need a handler.
  items.catch(() => undefined)
  return Object.assign(items, { [Symbol.asyncIterator]: () => visit(first, load) })
}

async function* visit<Item>(
  first: Promise<Slice<Item>>,
  load: (path: string) => Promise<Slice<Item>>,
): AsyncGenerator<Item> {
  for (let slice = await first; ; slice = await load(slice.next)) {
    yield* slice.items
    if (slice.next === null) return
  }
}

/** Returns the target of the `rel="next"` link of a Link header (RFC 8288). */
export function parseNextLink(header: string | null): string | null {
  for (const [, target = '', parameters = ''] of (header ?? '').matchAll(/<([^>]*)>([^,]*)/g)) {
    if (/;\s*rel="?([^";]*\s)?next(\s[^";]*)?"?\s*(;|$)/i.test(parameters)) return target
  }
  return null
}
