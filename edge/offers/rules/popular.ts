/** The number of paid orders of an item, and the time of the last one. */
export interface Sales {
  id: number
  orders: number
  last_at: number
}

/**
 * Returns the item with the most paid orders, or null if nothing was sold. In a tie, the most recently sold item
 * wins. Contract: Price rule 4.
 */
export function findPopular(sales: readonly Sales[], on_sale: readonly { id: number }[]): number | null {
  const candidates = sales.filter(({ id, orders }) => orders > 0 && on_sale.some((item) => item.id === id))
  const [first] = [...candidates].sort(
    (one, other) => other.orders - one.orders || other.last_at - one.last_at || one.id - other.id,
  )
  return first?.id ?? null
}
