import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page } from '../../client/src/page.ts'

interface Pages<Item> {
  /** What was read so far; null before the first page. */
  items: Item[] | null
  isPending: boolean
  isLoadingMore: boolean
  hasMore: boolean
  error: unknown
  loadMore: () => void
  /** Starts the list over after an error. */
  retry: () => void
}

/**
 * Reads a list page by page: the first at once, the others by `loadMore`. Starts over when the key changes.
 * @param open opens the list with a limit of items for each request
 */
export function usePages<Item>(
  key: readonly unknown[],
  open: (limit: number) => Page<Item>,
  size: number,
): Pages<Item> {
  const source = useRef<Batches<Item> | null>(null)
  const [items, setItems] = useState<Item[] | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<{ isLoading: boolean; hasMore: boolean; error: unknown }>({
    isLoading: true,
    hasMore: false,
    error: null,
  })

  async function read(batches: Batches<Item>, before: Item[]) {
    setState({ isLoading: true, hasMore: before.length > 0, error: null })
    try {
      const { values, hasMore } = await batches.next()
      // Another list has been opened since the request.
      if (source.current !== batches) return
      setItems([...before, ...values])
      setState({ isLoading: false, hasMore, error: null })
    } catch (error) {
      if (source.current === batches) setState({ isLoading: false, hasMore: false, error })
    }
  }

  useEffect(() => {
    // One item more than a page says whether there is a next page.
    const batches = batchesOf(open(size + 1), size)
    source.current = batches
    setItems(null)
    void read(batches, [])
    return () => {
      source.current = null
    }
  }, [JSON.stringify(key), attempt])

  return {
    items,
    isPending: items === null && state.error === null,
    isLoadingMore: items !== null && state.isLoading,
    hasMore: state.hasMore,
    error: state.error,
    loadMore: () => {
      if (source.current !== null && !state.isLoading) read(source.current, items ?? [])
    },
    retry: () => setAttempt(attempt + 1),
  }
}

interface Batches<Item> {
  /** Takes the next items, and says whether there are more. */
  next: () => Promise<{ values: Item[]; hasMore: boolean }>
}

/** Cuts a list into batches, and looks one item ahead. */
export function batchesOf<Item>(list: AsyncIterable<Item>, size: number): Batches<Item> {
  const iterator = list[Symbol.asyncIterator]()
  let ahead: Item[] = []
  return {
    async next() {
      const taken = [...ahead]
      while (taken.length <= size) {
        const { value, done } = await iterator.next()
        if (done) break
        taken.push(value)
      }
      ahead = taken.slice(size)
      return { values: taken.slice(0, size), hasMore: ahead.length > 0 }
    },
  }
}
