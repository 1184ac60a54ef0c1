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
  /** Replaces an item that has changed. */
  replace: (isSame: (item: Item) => boolean, next: Item) => void
}

/**
 * Reads a list page by page: the first at once, the others by `loadMore`. Starts over when the key changes.
 * @param open opens the list; its `limit` is `size`
 */
export function usePages<Item>(key: readonly unknown[], open: () => Page<Item>, size: number): Pages<Item> {
  const iterator = useRef<AsyncIterator<Item> | null>(null)
  const [items, setItems] = useState<Item[] | null>(null)
  const [state, setState] = useState<{ isLoading: boolean; hasMore: boolean; error: unknown }>({
    isLoading: true,
    hasMore: false,
    error: null,
  })

  async function read(source: AsyncIterator<Item>, before: Item[]) {
    setState({ isLoading: true, hasMore: false, error: null })
    try {
      const { values, isDone } = await take(source, size)
      // Another list was opened meanwhile.
      if (iterator.current !== source) return
      setItems([...before, ...values])
      setState({ isLoading: false, hasMore: !isDone, error: null })
    } catch (error) {
      if (iterator.current === source) setState({ isLoading: false, hasMore: false, error })
    }
  }

  useEffect(() => {
    const source = open()[Symbol.asyncIterator]()
    iterator.current = source
    setItems(null)
    read(source, [])
    return () => {
      iterator.current = null
    }
  }, [JSON.stringify(key)])

  return {
    items,
    isPending: items === null && state.error === null,
    isLoadingMore: items !== null && state.isLoading,
    hasMore: state.hasMore || (items !== null && state.isLoading),
    error: state.error,
    loadMore: () => {
      if (iterator.current !== null && !state.isLoading) read(iterator.current, items ?? [])
    },
    replace: (isSame, next) => setItems((all) => all?.map((item) => (isSame(item) ? next : item)) ?? null),
  }
}

/** Takes up to `count` values. @returns them, and whether the source has ended */
export async function take<Item>(
  source: AsyncIterator<Item>,
  count: number,
): Promise<{ values: Item[]; isDone: boolean }> {
  const values: Item[] = []
  while (values.length < count) {
    const { value, done } = await source.next()
    if (done) return { values, isDone: true }
    values.push(value)
  }
  return { values, isDone: false }
}
