/** How often an item was in an order that was paid, and when it last was. */
export interface Sales {
  id: number
  orders: number
  last_at: number
}

/**
 * The item that is in the most paid orders; of two with as many the one that was sold last. null where
 * nothing was sold. Contract: Price rule 4.
 */
export function findPopular(sales: readonly Sales[], on_sale: readonly { id: number }[]): number | null {
  const candidates = sales.filter(({ id, orders }) => orders > 0 && on_sale.some((item) => item.id === id))
  const [first] = [...candidates].sort(
    (one, other) => other.orders - one.orders || other.last_at - one.last_at || one.id - other.id,
  )
  return first?.id ?? null
}
