/** What a database counts, with the earliest times of what it counted. */
export interface Counted {
  count: number
  kind?: string
  state?: string
  created_at?: number
  due_at?: number
}

/** Merges the counts of several databases: adds those of the same kind or state, and keeps the earliest times. */
export function mergeCounted<Row extends Counted>(databases: readonly Row[][]): Row[] {
  const [first = []] = databases
  if (databases.length < 2) return first
  const same = Map.groupBy(databases.flat(), ({ kind, state }) => `${kind} ${state}`)
  return [...same.values()].flatMap((rows) => rows.slice(1).reduce(merge, rows.slice(0, 1)))
}

function merge<Row extends Counted>([sum]: Row[], row: Row): Row[] {
  if (sum === undefined) return [row]
  const earliest = (name: 'created_at' | 'due_at') =>
    row[name] === undefined ? {} : { [name]: Math.min(row[name], sum[name] ?? row[name]) }
  return [{ ...sum, count: sum.count + row.count, ...earliest('created_at'), ...earliest('due_at') }]
}
