const BAR_CELLS = 30

/** Redraws a progress bar in place. Draws nothing if the output is not a terminal. */
export function drawBar(label: string, fraction: number): void {
  if (!process.stdout.isTTY) return
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_CELLS)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled)
  process.stdout.write(`\r\x1b[K${bar} ${Math.round(fraction * 100)} % ${label}`)
}

export function clearLine(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
}

export function writeLine(text: string): void {
  clearLine()
  console.log(text)
}

export function describeSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length)
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`
}

/** Prints each column as wide as its widest cell. The first column is left-aligned, the others right-aligned. */
export function printTable(head: string[], rows: string[][]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const format = (row: string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  console.log(['', format(head), rule, ...rows.map(format)].join('\n'))
}
