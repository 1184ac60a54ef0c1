/** Checks whether two processes may use the same core. Each is named by its machine and its list of cores, such as `host/0-3,8`. */
export function shareCores(one: string, other: string): boolean {
  if (one === other) return true
  const [left, right] = [parseCores(one), parseCores(other)]
  return (
    left.machine === right.machine &&
    left.ranges.some((range) =>
      right.ranges.some(({ first, last }) => range.first <= last && first <= range.last),
    )
  )
}

/** An empty list stands for all cores. */
function parseCores(cores: string) {
  const at = cores.lastIndexOf('/')
  const ranges = cores
    .slice(at + 1)
    .split(',')
    .filter((text) => text !== '')
    .map((text) => {
      const [first = 0, last = first] = text.split('-').map(Number)
      return { first, last }
    })
  const all = { first: 0, last: Number.POSITIVE_INFINITY }
  return { machine: cores.slice(0, at), ranges: ranges.length === 0 ? [all] : ranges }
}
