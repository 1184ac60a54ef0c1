/** Divides items, in their order, into groups whose sizes add up to at most `size_max`. A larger item is alone. */
export function groupUpTo<Item>(
  items: readonly Item[],
  size_max: number,
  sizeOf: (item: Item) => number,
): Item[][] {
  const groups: Item[][] = []
  let size = 0
  for (const item of items) {
    size += sizeOf(item)
    const group = groups.at(-1)
    if (group === undefined || size > size_max) {
      groups.push([item])
      size = sizeOf(item)
    } else group.push(item)
  }
  return groups
}
