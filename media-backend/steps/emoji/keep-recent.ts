/**
 * Returns a function that makes values by name and keeps the ones that were used last.
 * @param kept number of values, which limits the memory.
 */
export function keepRecent<Value>(
  kept: number,
): (name: string, make: () => Promise<Value>) => Promise<Value> {
  const values = new Map<string, Value>()
  return async (name, make) => {
    const value = values.get(name) ?? (await make())
    // A Map lists its entries in the order in which they were set.
    values.delete(name)
    values.set(name, value)
    const [oldest] = values.keys()
    if (values.size > kept && oldest !== undefined) values.delete(oldest)
    return value
  }
}
