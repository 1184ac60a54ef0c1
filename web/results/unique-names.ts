/** Makes the names of files distinct, also for systems that ignore case: "a.jpg", "a (2).jpg". */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = numbered(name, count)
    taken.add(unique.toLowerCase())
    return unique
  })
}

function numbered(name: string, count: number): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `${name.slice(0, dot)} (${count})${name.slice(dot)}` : `${name} (${count})`
}
