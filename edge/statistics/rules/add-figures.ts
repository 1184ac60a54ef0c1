/** Counts by name, which can be nested. */
export interface Figures {
  [name: string]: number | Figures
}

/** Adds the figures that several databases count. @param all at least one */
export function addFigures<Counted extends object>(all: readonly Counted[]): Counted {
  const [first] = all
  if (first === undefined) throw new Error('there are no figures to add')
  return all.slice(1).reduce((sum, each) => add(sum as Figures, each as Figures) as Counted, first)
}

function add(one: Figures, other: Figures): Figures {
  return Object.fromEntries(
    Object.entries(one).map(([name, value]) => {
      const added = other[name]
      if (typeof value === 'number') return [name, value + Number(added)]
      return [name, add(value, added as Figures)]
    }),
  )
}

/** Adds rows that several databases sum for the same key: all their numbers except those in the key. */
export function addRows<Row extends object>(rows: readonly Row[], key: readonly (keyof Row)[]): Row[] {
  const byKey = Map.groupBy(rows, (row) => JSON.stringify(key.map((name) => row[name])))
  return [...byKey.values()].flatMap((same) => {
    const [first] = same
    return first === undefined ? [] : [{ ...first, ...addFigures(same.map((row) => without(row, key))) }]
  })
}

function without<Row extends object>(row: Row, key: readonly (keyof Row)[]): Figures {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !key.includes(name as keyof Row)))
}
