/** A database request has at most 10 MB, and a Worker little memory. */
const BYTES_MAX = 1024 * 1024
/** Estimated size of a row without its largest columns. */
const OTHERS_BYTES = 1024

/** Groups rows, in order, so that each group fits in one request; a larger row is a group of its own. */
export function groupBySize(
  rows: readonly { id: string; bytes: number }[],
  bytes_max = BYTES_MAX,
): string[][] {
  const groups: string[][] = []
  let total = Number.POSITIVE_INFINITY
  for (const { id, bytes } of rows) {
    total += bytes + OTHERS_BYTES
    if (total > bytes_max) {
      groups.push([])
      total = bytes + OTHERS_BYTES
    }
    groups.at(-1)?.push(id)
  }
  return groups
}
